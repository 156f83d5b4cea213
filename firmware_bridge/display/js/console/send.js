/**
 * What the console tells the hall. Every order has an id of its own, so that one sent twice counts once.
 */

import { settings } from "../texts.js";

const TRIES = 3;
const PAUSE_MS = 1500;

/** A number that no other order has; `crypto.randomUUID` exists on secure pages only. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Send something that changes something.
 *
 * @returns {Promise<{ok: boolean, status: number, body: object}>} status 0: the hall did not answer.
 */
export async function post(path, body = {}) {
  try {
    const answer = await fetch(`/api/console${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Togyz-Check": settings.me.check },
      body: JSON.stringify(body),
    });
    if (answer.status === 401) location.reload();
    return { ok: answer.ok, status: answer.status, body: await answer.json() };
  } catch {
    return { ok: false, status: 0, body: { error: "no_answer" } };
  }
}

/**
 * Give a board an order. Where no answer comes the very same order is sent again: the hall knows its id.
 *
 * @param {object} view the board as it was on show.
 * @param {object[]} commands what it is to be told, in order.
 * @param {string|null} undoes the order that this one takes back.
 */
export async function order(view, commands, undoes = null) {
  const body = { id: newId(), game: view.state?.game ?? "", ply: view.state?.ply ?? 0, commands, undoes };
  let answer = null;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    answer = await post(`/boards/${view.board}/orders`, body);
    if (answer.status !== 0) return answer;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  return answer;
}
