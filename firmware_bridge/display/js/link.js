/**
 * The page's one connection: keeps a WebSocket open for ever.
 *
 * After every connection the hall sends a whole snapshot first, so nothing has to be
 * remembered over an outage. A socket that is silent for longer than the hall's beat allows
 * is given up, because a dead network does not close it.
 */

import { settings } from "./texts.js";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8000;
const SILENCE_MS = 12_000;
const RELOADED = "reloaded-for";

/** A program that was updated serves newer files: load them, once; tells whether the page is loading. */
export function renewed(assets) {
  if (assets === settings.assets || sessionStorage.getItem(RELOADED) === assets) return false;
  sessionStorage.setItem(RELOADED, assets);
  location.reload();
  return true;
}

/**
 * @param {string} path of the WebSocket on this host.
 * @param {{message: function(object), up: function(), down: function()}} on
 */
export function keepConnected(path, on) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  let attempts = 0;
  let socket = null;
  let watchdog = 0;
  let retry = 0;

  const again = () => {
    clearTimeout(watchdog);
    clearTimeout(retry);
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts, 8));
    attempts += 1;
    retry = setTimeout(open, wait * (0.5 + Math.random()));
  };
  const giveUp = (which) => {
    if (which !== socket) return;
    socket = null;
    which.close();
    on.down();
    again();
  };
  const heard = (which) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => giveUp(which), SILENCE_MS);
  };

  function open() {
    const mine = new WebSocket(url);
    socket = mine;
    heard(mine);
    mine.onopen = () => on.up();
    mine.onclose = () => giveUp(mine);
    mine.onmessage = (event) => {
      if (mine !== socket) return;
      heard(mine);
      attempts = 0;
      on.message(JSON.parse(event.data));
    };
  }

  const hurry = () => {
    if (socket) return;
    attempts = 0;
    clearTimeout(retry);
    open();
  };
  window.addEventListener("online", hurry);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && hurry());
  open();
}
