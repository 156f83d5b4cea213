/**
 * What is to be said about the table: its phase, the result, what the sensors see, and above
 * all whether this picture is fresh.
 */

import { SIDES } from "./seating.js";
import { age, because, knows, text, textOf, write } from "./texts.js";

const REDRAW_MS = 1000;
const UNSURE_AFTER_MS = 4000; // a board that is well speaks every two seconds
const BLIND = ["no_device", "unreadable"]; // the board speaks, but sees nothing

/** How the board looks, as a code. One place unread alone stops nothing: the others and the 162 stones tell. */
function looks({ sensed, notes }) {
  const one = sensed === "unreadable" && notes.length === 1 && notes[0].code === "unreadable";
  return one ? "one_unread" : sensed;
}

export class Notices {
  /** @param {HTMLElement} root of the page. */
  constructor(root) {
    this.root = root;
    this.connected = false;
    this.presence = null;
    this.watch = null;
    this.since = performance.now();
    setInterval(() => this.drawLink(), REDRAW_MS);
  }

  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  /** The page's own connection to the hall. */
  link(connected) {
    if (connected !== this.connected) this.lost = performance.now();
    this.connected = connected;
    this.drawLink();
  }

  /** The hall's view of the board: `{online, stale, reason, age_ms}`. */
  heard(presence) {
    this.presence = presence;
    this.since = performance.now();
    this.drawLink();
  }

  /** The badge: whether this picture can be trusted, and if not, what is missing first. */
  drawLink() {
    const badge = this.part("link");
    const link = this.connected ? (this.presence?.reason ?? "connecting") : "reconnecting";
    const fresh = link === "fresh";
    const seen = this.watch ? looks(this.watch) : null;
    const blind = fresh && BLIND.includes(seen);
    const kind = blind ? seen : link;
    const gone = this.connected ? this.presence?.age_ms ?? null : 0;
    const waited = performance.now() - (this.connected ? this.since : this.lost ?? this.since);
    badge.dataset.link = kind;
    badge.classList.toggle("trouble", blind || !fresh);
    this.root.classList.toggle("stale", !fresh && link !== "unseen");
    this.root.classList.toggle("blind", blind);
    // Presses may be missing: the clock goes on, but nobody should rely on it.
    this.root.classList.toggle("unsure", !fresh || gone + waited > UNSURE_AFTER_MS || this.watch?.sensed === "no_device");
    write(badge.querySelector("[data-part=link-words]"), text(blind ? `watch.${kind}` : `link.${kind}`));
    write(badge.querySelector("[data-part=link-age]"), fresh || gone === null ? "" : age(gone + waited));
    this.drawWatch(blind);
  }

  show(state) {
    this.part("phase").textContent = textOf("phase", state.phase);
    this.root.dataset.phase = state.phase;
    this.part("control").textContent = control(state.clock);
    this.watch = state.watch;
    this.drawLink();
    this.drawPause(state);
    this.drawResult(state);
  }

  /** What the board sees, but for what the badge says already. */
  drawWatch(said) {
    if (!this.watch) return;
    const line = this.part("watch");
    const { notes } = this.watch;
    const seen = looks(this.watch);
    line.dataset.watch = seen;
    const keys = [...(said ? [] : [`watch.${seen}`]), ...notes.map(({ code }) => `note.${code}`)].filter(knows);
    const told = [...new Set(keys)].slice(0, 2);
    line.classList.toggle("serious", told.some((key) => key !== "watch.moving"));
    write(line, told.map((key) => text(key)).join(" · "));
  }

  drawPause({ phase, pause, result }) {
    const plaque = this.part("pause");
    plaque.hidden = Boolean(result) || !(pause || phase === "suspended");
    write(this.part("pause-head"), textOf("phase", phase));
    write(this.part("pause-reason"), because("pause", pause));
  }

  drawResult({ result, names }) {
    const plaque = this.part("result");
    plaque.hidden = !result;
    if (!result) return;
    const winner = { "1-0": 0, "0-1": 1 }[result.score];
    plaque.className = `result ${SIDES[winner] ?? "draw"}`;
    plaque.dataset.result = result.score;
    const put = (name, words) => {
      plaque.querySelector(`[data-part="${name}"]`).textContent = words;
    };
    put("result-head", winner === undefined ? text("result.draw") : text(`result.${SIDES[winner]}`));
    put("result-name", names[winner] ?? "");
    put("result-score", result.score.replace("1/2-1/2", "½ : ½").replace("-", " : "));
    put("result-reason", [because("reason", result.reason), result.kazans.join(" : ")].filter(Boolean).join(" · "));
  }
}

/** The time control in words: `60 min + 10 s`; one that words do not hold as it is written: `90m/30+30m`. */
function control(clock) {
  if (!clock) return "";
  if (clock.control) return clock.control;
  const values = { minutes: Math.round(clock.base_ms / 6000) / 10, seconds: clock.increment_ms / 1000 };
  return clock.increment_ms ? text("control.increment", values) : text("control.plain", values);
}
