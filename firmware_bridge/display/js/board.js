/**
 * The board as one thing: give it states, it shows them and lets the stones walk when the
 * new state is exactly one move after the one on show.
 */

import { paintBoard } from "./carve.js";
import { layout } from "./geometry.js";
import { buildScene, describePit, markTuzdyk } from "./scene.js";
import { SIDES, bottomSide, onMove, opponent, pitIndex, sideOfPit, tuzdykIndex } from "./seating.js";
import { Stones } from "./stones.js";
import { settings, text } from "./texts.js";
import { drawTrail } from "./trail.js";

const REPAINT_AFTER_MS = 120;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Which pit a stone would be banked from, and whose kazan gets it, under given tuzdyks. */
function bankOf(index, tuzdyks) {
  const owner = opponent(sideOfPit(index));
  return tuzdykIndex(owner, tuzdyks[SIDES.indexOf(owner)]) === index ? owner : null;
}

/** The walk of a move for `Stones.sow`, or null when it does not lead from `before` to `after`. */
export function walkOf(last, before, after) {
  if (!last || before.to_move !== last.side) return null;
  const origin = pitIndex(last.side, last.number);
  const pits = [...before.pits];
  const kazans = [...before.kazans];
  if (pits[origin] !== last.path.length) return null;
  pits[origin] = 0;
  const banks = [];
  last.path.forEach((index, stone) => {
    const owner = bankOf(index, before.tuzdyks);
    if (owner) {
      kazans[SIDES.indexOf(owner)] += 1;
      banks.push({ through: stone, to: owner });
    } else pits[index] += 1;
  });
  if (last.captured > 0) {
    const from = last.path.at(-1);
    banks.push({ from, to: last.side });
    kazans[SIDES.indexOf(last.side)] += pits[from];
    pits[from] = 0;
  }
  const same = (one, two) => one.every((stones, index) => stones === two[index]);
  return same(pits, after.pits) && same(kazans, after.kazans) ? { origin, path: last.path, banks } : null;
}

export class Board {
  /**
   * @param {HTMLElement} box the room for the board.
   * @param {string|null} wish who sits at the lower edge, as for `bottomSide`.
   * @param {function(string, number)} banked told how many stones lie in a side's kazan, each time it changes.
   */
  constructor(box, wish, banked) {
    this.box = box;
    this.banked = banked;
    this.wish = wish;
    this.wood = box.querySelector("canvas");
    this.root = box.querySelector("svg");
    this.stones = new Stones((place) => this.count(place));
    this.state = null;
    this.bottom = SIDES[0];
    new ResizeObserver(() => this.resized()).observe(box);
  }

  resized() {
    const wait = this.scene ? REPAINT_AFTER_MS : 0;
    clearTimeout(this.repaint);
    this.repaint = setTimeout(() => this.build(), wait);
  }

  build() {
    const { clientWidth, clientHeight } = this.box;
    if (!clientWidth || !clientHeight) return;
    this.layout = layout(clientWidth, clientHeight, this.bottom);
    const size = { width: this.layout.width * this.layout.scale, height: this.layout.height * this.layout.scale };
    for (const element of [this.wood, this.root]) {
      element.style.width = `${size.width}px`;
      element.style.height = `${size.height}px`;
    }
    this.wood.style.borderRadius = `${this.layout.corner * this.layout.scale}px`;
    paintBoard(this.wood, this.layout, Math.min(2, window.devicePixelRatio || 1));
    this.scene = buildScene(this.root, this.layout);
    this.stones.move(this.scene, this.layout);
    if (this.state) {
      this.stones.settle(this.state.position);
      this.describe();
    }
  }

  /** Show a state of the table. */
  show(state) {
    const before = this.state;
    this.state = state;
    const bottom = bottomSide(this.wish, state.starter_seat);
    if (bottom !== this.bottom || !this.scene) {
      this.bottom = bottom;
      this.build();
      return;
    }
    const walk = this.walk(before, state);
    if (walk) this.play(walk, state);
    else if (!this.lies(state)) this.stones.settle(state.position);
    this.describe();
  }

  /** The move to be played in motion, or null when the stones should just lie there. */
  walk(before, state) {
    const follows = before && before.game === state.game && before.boot === state.boot && state.ply === before.ply + 1;
    if (!follows || calm.matches || document.visibilityState !== "visible") return null;
    if (this.stones.flying) this.stones.settle(before.position);
    return walkOf(state.last, before.position, state.position);
  }

  /** Whether the stones lie as a state says, or the flight under way ends in this very position. */
  lies({ position }) {
    if (!this.stones.flying) return this.stones.matches(position);
    return this.goal && JSON.stringify(this.goal) === JSON.stringify(position);
  }

  async play(walk, state) {
    this.goal = state.position;
    const rate = state.clock?.rate ?? 1;
    try {
      await this.stones.sow(walk, Math.min(4, Math.max(1, Math.sqrt(rate))));
    } catch (error) {
      if (error.name !== "AbortError") throw error;
      return; // a newer state has taken over
    }
    if (this.goal === state.position && !this.stones.matches(this.state.position)) this.stones.settle(this.state.position);
  }

  /** Write how many stones lie in a place: the numbers grow stone by stone, as the eye sees them fall. */
  count(place) {
    if (!this.state) return;
    const stones = this.stones.lying(place);
    const kazan = this.scene.kazans[place];
    if (kazan) {
      kazan.querySelector(".kazan-total").textContent = stones;
      this.banked(place, stones);
    } else if (settings.show_counts) {
      this.scene.pits[place].querySelector(".pit-count").textContent = stones || "";
    }
  }

  /** Everything but the stones and their numbers: marks, lights, words. */
  describe() {
    const { position, last } = this.state;
    const mover = onMove(this.state);
    this.scene.pits.forEach((group, index) => {
      const owner = bankOf(index, position.tuzdyks);
      const stones = position.pits[index];
      group.dataset.stones = stones;
      markTuzdyk(group, this.layout.pits[index], owner);
      group.setAttribute("aria-label", describePit(this.layout.pits[index], stones, owner));
    });
    SIDES.forEach((side, index) => {
      const group = this.scene.kazans[side];
      group.dataset.stones = position.kazans[index];
      group.setAttribute("aria-label", text("aria.kazan", { side: text(`side.${side}`), stones: position.kazans[index] }));
      const light = this.root.querySelector(`[data-row="${side}"]`);
      light.classList.toggle("active", mover === side);
    });
    drawTrail(this.scene, this.layout, last);
  }
}
