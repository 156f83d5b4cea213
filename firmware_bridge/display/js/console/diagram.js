/**
 * A board as numbers, for people who have to compare: what lies where, what has to go where.
 */

import { svg } from "../ornament.js";
import { SIDES, kazanHalf, numberOfPit, sideOfPit } from "../seating.js";

const PITCH = 100;
const WIDTH = PITCH * 9;
const PIT = { w: 88, h: 84 };
const KAZAN_H = 58;
const ROWS = { top: 30, kazanTop: 140, kazanBottom: 204, bottom: 288 };
const HEIGHT = 402;
const KAZANS = 18;

/** Where a place is drawn: its centre and its size. */
function spot(place, bottom) {
  if (place >= KAZANS) {
    const half = kazanHalf(SIDES[place - KAZANS], bottom);
    const y = half === "top" ? ROWS.kazanTop : ROWS.kazanBottom;
    return { x: WIDTH / 2, y: y + KAZAN_H / 2, w: WIDTH - 12, h: KAZAN_H };
  }
  const below = sideOfPit(place) === bottom;
  const column = below ? numberOfPit(place) - 1 : 9 - numberOfPit(place);
  return { x: (column + 0.5) * PITCH, y: (below ? ROWS.bottom : ROWS.top) + PIT.h / 2, ...PIT };
}

function label(index, bottom) {
  const { x } = spot(index, bottom);
  const y = sideOfPit(index) === bottom ? HEIGHT - 6 : 22;
  return svg("text", { class: "pit-name", x, y, "text-anchor": "middle" }, String(numberOfPit(index)));
}

/** A place as two layers, its well and what is written there: arrows lie between them, and hide no number. */
function cell(place, stones, bottom, { changed = 0, tuzdyk = false, origin = false, path = 0, last = false }) {
  const { x, y, w, h } = spot(place, bottom);
  const kinds = [
    "place", place >= KAZANS ? "kazan" : "pit", changed < 0 && "gives", changed > 0 && "gets", tuzdyk && "tuzdyk",
    origin && "origin", path > 0 && "path", last && "last", stones === null && "unread",
  ];
  const kind = kinds.filter(Boolean).join(" ");
  const group = svg("g", { class: kind, "data-place": place });
  const well = svg("g", { class: kind });
  well.append(svg("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: place >= KAZANS ? 26 : 20 }));
  const shift = changed && place < KAZANS ? -13 : 0;
  group.append(svg("text", { class: "stones", x, y: y + 15 + shift, "text-anchor": "middle" }, stones === null ? "?" : String(stones)));
  if (changed) {
    const words = changed > 0 ? `+${changed}` : `−${-changed}`;
    const at = place >= KAZANS ? { x: x + 90, y: y + 13 } : { x, y: y + 34 };
    group.append(svg("text", { class: "change", ...at, "text-anchor": "middle" }, words));
  }
  if (tuzdyk) group.append(svg("text", { class: "mark", x: x - w / 2 + 8, y: y - h / 2 + 24 }, "x")); // as moves are written
  if (path > 0) group.append(svg("circle", { class: "dot", cx: x + w / 2 - 13, cy: y - h / 2 + 13, r: 6 }));
  return { well, group };
}

/** A line from one place to another for stones that have to be carried. */
function arrow([from, to], bottom) {
  if (typeof from !== "number" || typeof to !== "number") return "";
  const [a, b] = [spot(from, bottom), spot(to, bottom)];
  const x2 = to >= KAZANS ? Math.min(WIDTH - 60, Math.max(60, a.x + (a.x > WIDTH / 2 ? -46 : 46))) : b.x;
  const x1 = from >= KAZANS ? Math.min(WIDTH - 60, Math.max(60, b.x)) : a.x;
  const down = b.y > a.y ? 1 : -1;
  const y1 = a.y + (from >= KAZANS ? 0 : (down * PIT.h) / 2.6);
  const y2 = b.y - (to >= KAZANS ? down * 8 : (down * PIT.h) / 2.1);
  const flat = a.y === b.y;
  const bend = flat ? (sideOfPit(from) === bottom ? -70 : 70) : 0;
  const line = `M${x1},${flat ? a.y - Math.sign(-bend) * PIT.h * 0.45 : y1} Q${(x1 + x2) / 2 + (flat ? 0 : 26)},${(y1 + y2) / 2 + bend} ${x2},${
    flat ? b.y - Math.sign(-bend) * PIT.h * 0.45 : y2
  }`;
  return svg("path", { class: "carry", d: line, "marker-end": "url(#carried)" });
}

function markers() {
  const tip = svg("marker", { id: "carried", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 3.4, markerHeight: 3.4, orient: "auto" });
  tip.append(svg("path", { d: "M0,0 L10,5 L0,10 Z" }));
  return svg("defs", {}, tip);
}

/**
 * Draw a board.
 *
 * @param {(number|null)[]} stones of the twenty places; null where nobody can tell.
 * @param {object} more `bottom`: who sits below; `tuzdyks`: as in a position; `carries`: [from, to, stones] each;
 *   `origin` and `path`: indices of a sowing; `label`: what a screen reader says.
 */
export function diagram(stones, { bottom = SIDES[0], tuzdyks = [null, null], carries = [], origin = null, path = [], label: words = "" } = {}) {
  const changes = new Map();
  for (const [from, to, count] of carries) {
    changes.set(from, (changes.get(from) ?? 0) - count);
    changes.set(to, (changes.get(to) ?? 0) + count);
  }
  const won = tuzdyks.map((number, side) => (number ? (side === 0 ? 9 : 0) + number - 1 : null));
  const root = svg("svg", { class: "diagram", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words }, markers());
  const cells = stones.map((count, place) =>
    cell(place, count, bottom, {
      changed: changes.get(place) ?? 0,
      tuzdyk: won.includes(place),
      origin: place === origin,
      path: path.filter((index) => index === place).length,
      last: path.length > 0 && place === path.at(-1),
    }),
  );
  const labels = stones.map((_, place) => (place < KAZANS ? label(place, bottom) : ""));
  root.append(...cells.map(({ well }) => well), ...carries.map((carry) => arrow(carry, bottom)), ...cells.map(({ group }) => group), ...labels);
  return root;
}
