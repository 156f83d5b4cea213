/**
 * The 162 stones as things: each has one element that travels from place to place.
 *
 * `Stones` knows where every stone lies. `settle` puts them where a position wants them at
 * once; `sow` lets them walk a move the way a hand does it, one by one.
 */

import { kazanHeap, pitHeap, scatter } from "./heap.js";
import { svg } from "./ornament.js";
import { SIDES } from "./seating.js";

const HOP_MS = 125;
const LONGEST_SOWING_MS = 2000;
const BANK_MS = 420;
const PLACES = [...Array(18).keys(), ...SIDES];

const placed = ({ x, y, size = 1 }, lift = 1) => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${(size * lift).toFixed(3)})`;

/** A stone under others is darker. */
function dress({ element, tone }, covered) {
  element.setAttribute("href", `#stone-${tone}${covered ? "-low" : ""}`);
}

export class Stones {
  /** @param {function(number|string)} counted told of each place in which another number of stones lies now. */
  constructor(counted) {
    this.counted = counted;
    this.places = Object.fromEntries(PLACES.map((place) => [place, []]));
    this.count = 0;
    this.flights = [];
  }

  /** Take over a new scene: all elements move into it at once. */
  move(scene, layout) {
    this.scene = scene;
    this.layout = layout;
    this.land();
  }

  group(place) {
    const home = typeof place === "number" || /^\d+$/.test(place) ? this.scene.pits[place] : this.scene.kazans[place];
    return home.querySelector(".stones");
  }

  /** Where the stones of a place lie, in board units. */
  spots(place, count) {
    const { pits, kazans, radius } = this.layout;
    const at = kazans[place] ?? pits[place];
    const heap = kazans[place] ? kazanHeap(count, at, radius) : pitHeap(count, at, radius);
    return heap.map((spot) => ({ ...spot, x: at.cx + spot.x, y: at.cy + spot.y }));
  }

  /** How many stones lie in a place; those in the air are still on their way. */
  lying(place) {
    return this.places[place].filter(({ airborne }) => !airborne).length;
  }

  arrange(place) {
    const stones = this.places[place];
    this.spots(place, stones.length).forEach((spot, index) => this.lay(stones[index], place, spot));
  }

  lay(stone, place, spot) {
    stone.spot = spot;
    stone.airborne = false;
    stone.element.style.transform = placed(spot);
    dress(stone, spot.covered);
    this.group(place).append(stone.element);
  }

  create() {
    const tone = Math.floor(scatter(7, this.count) * 3);
    this.count += 1;
    return { element: svg("use", { class: "stone" }), tone, spot: { x: 0, y: 0 } };
  }

  /** End all flights: every stone lies where it belongs. */
  land() {
    for (const flight of this.flights) flight.cancel();
    this.flights = [];
    for (const place of PLACES) this.arrange(place);
    for (const place of PLACES) this.counted(place);
  }

  get flying() {
    return this.flights.some((flight) => flight.playState === "running");
  }

  /**
   * Lay the stones as a position says. Surplus stones go where some are missing; only what
   * was never on this board is made anew.
   *
   * @param {{pits:number[], kazans:number[]}} position
   */
  settle(position) {
    const wanted = this.wanted(position);
    const spare = [];
    for (const place of PLACES) {
      const stones = this.places[place];
      if (stones.length > wanted[place]) spare.push(...stones.splice(wanted[place]));
    }
    for (const place of PLACES) {
      const stones = this.places[place];
      while (stones.length < wanted[place]) stones.push(spare.pop() ?? this.create());
    }
    for (const stone of spare) stone.element.remove();
    this.land();
  }

  wanted(position) {
    const pits = position.pits.map((stones, index) => [index, stones]);
    return Object.fromEntries([...pits, ...SIDES.map((side, index) => [side, position.kazans[index]])]);
  }

  /** Whether the stones lie as a position says. */
  matches(position) {
    const wanted = this.wanted(position);
    return PLACES.every((place) => this.places[place].length === wanted[place]);
  }

  /**
   * Play a move from the position that lies here.
   *
   * @param {object} walk `{origin, path, banks}`: where the stones came from, the pit each
   *   fell into, and for each pit emptied after it `{from, to}` in order.
   * @param {number} pace 1 is unhurried, 4 four times as fast.
   * @returns {Promise<void>} fulfilled when all stones lie still.
   */
  async sow({ origin, path, banks }, pace) {
    const hand = this.places[origin].splice(0);
    const hop = Math.min(HOP_MS, LONGEST_SOWING_MS / path.length) / pace;
    hand.forEach((stone, index) => {
      const place = banks.find((bank) => bank.through === index)?.to ?? path[index];
      this.places[place].push(stone);
      stone.goal = { place, slot: this.places[place].length - 1 };
    });
    const spots = this.goals(hand);
    hand.forEach((stone, index) => this.fly(stone, this.carried(stone, path, index, spots[index]), hop, index));
    this.counted(origin);
    await this.landed();
    for (const { from, to } of banks.filter((bank) => bank.from !== undefined)) {
      await this.bank(from, to, pace);
    }
    this.land();
  }

  goals(stones) {
    return stones.map(({ goal }) => this.spots(goal.place, goal.slot + 1)[goal.slot]);
  }

  /** The way of one stone: lifted, carried over the pits with the others, dropped. */
  carried(stone, path, index, end) {
    const { pits, radius } = this.layout;
    const angle = index * 2.4;
    const near = { x: Math.cos(angle) * radius * 0.36 * Math.sqrt(index), y: Math.sin(angle) * radius * 0.36 * Math.sqrt(index) };
    const over = path.slice(0, index + 1).map((pit) => ({
      x: pits[pit].cx + near.x, y: pits[pit].cy + near.y - radius * 1.5,
    }));
    return [stone.spot, ...over, end];
  }

  fly(stone, way, hop, index) {
    const { element } = stone;
    dress(stone, false);
    stone.airborne = true;
    this.scene.air.append(element);
    const last = way.length - 1;
    const frames = way.map((spot, step) => ({
      transform: placed(spot, step === 0 || step === last ? 1 : 1.16),
      easing: step === last - 1 ? "ease-in" : "ease-in-out",
    }));
    element.style.transform = placed(way[last]);
    const flight = element.animate(frames, { duration: hop * (index + 2), fill: "backwards" });
    flight.finished.then(() => {
      this.lay(stone, stone.goal.place, way[last]);
      this.counted(stone.goal.place);
    }, () => {});
    this.flights.push(flight);
  }

  /** All stones of a pit go to a kazan together. */
  async bank(from, to, pace) {
    const taken = this.places[from].splice(0);
    for (const stone of taken) {
      this.places[to].push(stone);
      stone.goal = { place: to, slot: this.places[to].length - 1 };
    }
    const spots = this.goals(taken);
    taken.forEach((stone, index) => {
      const lifted = { x: stone.spot.x, y: stone.spot.y - this.layout.radius };
      this.fly(stone, [stone.spot, lifted, spots[index]], BANK_MS / pace / 2, index * 0.06);
    });
    this.counted(from);
    await this.landed();
  }

  async landed() {
    await Promise.all(this.flights.map((flight) => flight.finished));
    this.flights = [];
  }
}
