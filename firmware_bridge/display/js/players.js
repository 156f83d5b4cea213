/**
 * The two players beside the board: who, which side, how many stones, how much time.
 */

import { follow, remaining, spell } from "./clockwork.js";
import { SIDES, bottomSide, onMove, opponent } from "./seating.js";
import { text } from "./texts.js";

const WARN_MS = 60_000;
const LONG_NAME = 22; // letters that two lines of ordinary size hold

export class Players {
  /** @param {HTMLElement} top @param {HTMLElement} bottom the two cards. */
  constructor(top, bottom, wish) {
    this.cards = { top, bottom };
    this.wish = wish;
    this.face = null;
    this.bySide = {};
    const tick = () => {
      this.draw(performance.now());
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  show(state) {
    const bottom = bottomSide(this.wish, state.starter_seat);
    this.bySide = { [bottom]: this.cards.bottom, [opponent(bottom)]: this.cards.top };
    SIDES.forEach((side, index) => this.fill(this.bySide[side], side, index, state));
    this.face = follow(state.clock, performance.now(), this.face);
    this.draw(performance.now());
  }

  /** Take a newer view of the clocks of the state on show. */
  clock(clock) {
    this.face = follow(clock, performance.now(), this.face);
  }

  fill(card, side, index, state) {
    const active = onMove(state) === side;
    const won = { "1-0": 0, "0-1": 1 }[state.result?.score];
    card.className = `player ${side}`;
    card.classList.toggle("active", active);
    card.classList.toggle("winner", won === index);
    card.dataset.side = side;
    const put = (part, words) => {
      card.querySelector(`[data-part="${part}"]`).textContent = words;
    };
    put("side", text(`side.${side}`));
    put("name", state.names[index]);
    card.classList.toggle("long-name", state.names[index].length > LONG_NAME);
    put("turn", active ? text("player.turn") : readiness(state, index));
    const clock = card.querySelector("[role=timer]");
    clock.dataset.clock = side;
    clock.setAttribute("aria-label", text("aria.clock", { side: text(`side.${side}`) }));
  }

  /** Write how many stones lie in a side's kazan. */
  count(side, stones) {
    this.bySide[side].querySelector("[data-part=stones]").textContent = stones;
  }

  draw(now) {
    SIDES.forEach((side, index) => {
      const clock = this.bySide[side]?.querySelector("[role=timer]");
      if (!clock) return;
      const ms = this.face ? remaining(this.face, index, now) : null;
      const words = ms === null ? "" : spell(ms);
      // The classes may change while the words stand: at zero, and before the first second has gone.
      clock.classList.toggle("flagged", Boolean(this.face?.flagged[index]));
      clock.classList.toggle("short", ms !== null && ms < WARN_MS);
      clock.classList.toggle("running", this.face?.running === side);
      if (clock.textContent === words) return;
      clock.textContent = words;
      clock.dataset.length = words.length;
    });
  }
}

function readiness(state, index) {
  const waits = state.phase === "setting_up" || state.phase === "ready";
  return waits && state.ready[index] ? text("player.ready") : "";
}
