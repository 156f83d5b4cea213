/**
 * What the table's page says in words: to each player, to both, and about the program and the board.
 */

import { SIDES } from "./seating.js";
import { age, because, text, textOf, write } from "./texts.js";

const GONE_AFTER_MS = 400; // a page that connects again in a blink frightens nobody

/** What one player is told in his own half. */
export function wordOf(view, index, active) {
  const side = SIDES[index];
  const offered = view.alerts.some(({ kind }) => kind === "draw") ? view.draw : null;
  if (view.result) {
    if (view.confirmed[index]) return text("table.confirmed");
    return view.phase === "released" ? "" : text("table.confirm"); // a table that is free waits for nobody
  }
  if (offered) return offered === side ? text("table.draw_waits") : text("table.draw_answer");
  if (view.alerts.some((alert) => alert.kind === "offer_void" && alert.side === side)) return text("alert.offer_void");
  if (view.clock?.flagged[index]) return text("table.flag");
  if (view.phase === "setting_up" || view.phase === "ready") {
    if (view.ready[index]) return text("player.ready");
    return view.sensed === "matches" ? text("table.press_ready") : "";
  }
  return active ? text("player.turn") : "";
}

const HEADS = ["unsafe", "device", "unreadable", "call", "suspended"];

/** The kinds of alert that both are told of in the middle. */
export const urgent = (view) => view.alerts.map(({ kind }) => kind).filter((kind) => HEADS.includes(kind));

/** What both are told: the most urgent thing first, else the phase of the table. */
export function noticeOf(view) {
  if (view.result) {
    const winner = { "1-0": "bastaushy", "0-1": "qostaushy" }[view.result.score] ?? "draw";
    const score = view.result.score.replace("1/2-1/2", "½ : ½").replace("-", " : ");
    return [text(`result.${winner}`), score, because("reason", view.result.reason)].filter(Boolean).join(" · ");
  }
  const words = urgent(view).map((kind) => (kind === "suspended" ? rests(view) : text(`alert.${kind}`)));
  return words.slice(0, 2).join(" · ") || textOf("phase", view.phase);
}

const rests = ({ pause }) => [text("phase.suspended"), because("pause", pause)].filter(Boolean).join(": ");

/** What went wrong, and what the stones are to be brought to. */
export function headOf(alert) {
  const fault = alert.faults.map((code) => textOf("fault", code)).find(Boolean);
  return fault ?? text(`alert.${alert.kind}`);
}

export const goalOf = ({ goal, move }) => text(`goal.${goal}`, { move });

/** Say over everything else that what is shown is not fresh, and what to do. */
export function drawGone(plaque, { program, gone_ms, seen }) {
  const gone = gone_ms !== null && (gone_ms > GONE_AFTER_MS || !seen);
  plaque.hidden = !gone;
  document.body.classList.toggle("board-gone", gone);
  if (!gone) return;
  const kind = program ? "program" : "board";
  plaque.dataset.gone = kind;
  const put = (name, words) => write(plaque.querySelector(`[data-part="${name}"]`), words);
  put("gone-head", program ? text("table.gone_program") : text("table.gone_board"));
  put("gone-more", seen ? text("table.gone_more", { age: age(gone_ms) }) : text("table.gone_start"));
}
