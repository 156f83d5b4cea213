/**
 * What is to be said about the table: its phase, the result, what the sensors see, and above
 * all whether this picture is fresh.
 */

import { SIDES } from "./seating.js";
import { age, firstText, knows, text } from "./texts.js";

const REDRAW_MS = 1000;

export class Notices {
  /** @param {HTMLElement} root of the page. */
  constructor(root) {
    this.root = root;
    this.connected = false;
    this.presence = null;
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

  drawLink() {
    const badge = this.part("link");
    const kind = this.connected ? (this.presence?.reason ?? "connecting") : "reconnecting";
    const fresh = kind === "fresh";
    const gone = this.connected ? this.presence?.age_ms ?? null : 0;
    const waited = performance.now() - (this.connected ? this.since : this.lost ?? this.since);
    badge.dataset.link = kind;
    badge.classList.toggle("trouble", !fresh);
    this.root.classList.toggle("stale", !fresh && kind !== "unseen");
    badge.querySelector("[data-part=link-words]").textContent = text(`link.${kind}`);
    badge.querySelector("[data-part=link-age]").textContent = fresh || gone === null ? "" : age(gone + waited);
  }

  show(state) {
    this.part("phase").textContent = firstText([`phase.${state.phase}`, "phase.other"]);
    this.root.dataset.phase = state.phase;
    this.part("control").textContent = control(state.clock);
    this.drawWatch(state);
    this.drawResult(state);
  }

  drawWatch({ watch }) {
    const line = this.part("watch");
    line.dataset.watch = watch.sensed;
    const words = [`watch.${watch.sensed}`, ...watch.notes.map(({ code }) => `note.${code}`)].filter(knows).map((key) => text(key));
    line.textContent = [...new Set(words)].slice(0, 2).join(" · ");
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
    const reason = knows(`reason.${result.reason}`) ? `${text(`reason.${result.reason}`)} · ` : "";
    put("result-reason", `${reason}${result.kazans.join(" : ")}`);
  }
}

/** The time control in words: `60 min + 10 s`. */
function control(clock) {
  if (!clock) return "";
  const values = { minutes: Math.round(clock.base_ms / 6000) / 10, seconds: clock.increment_ms / 1000 };
  return text(clock.increment_ms ? "control.increment" : "control.plain", values);
}
