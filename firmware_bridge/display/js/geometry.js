/**
 * Where everything lies, in board units. Pure.
 *
 * The board is always 1600 units wide; its height follows the room there is, so that the
 * same board fills a hall screen and a telephone held upright.
 */

import { SIDES, kazanHalf, numberOfPit } from "./seating.js";

export const WIDTH = 1600;
const HEIGHT_RANGE = { wide: [800, 1180], slim: [1100, 2140] };
const SLIM_BELOW_PX = 640;

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** Sizes that differ between a large and a small picture. */
function sizes(slim) {
  return slim
    ? { frame: 34, corner: 26, side: 8, fill: 0.86, stone: 0.2, label: 80, rail: 34, middle: 28, edge: 8, kazanSide: 44, kazanRows: 3.4, plaque: 186,
      tens: "pairs", across: 5, tiers: 2 }
    : { frame: 60, corner: 34, side: 18, fill: 0.76, stone: 0.187, label: 54, rail: 38, middle: 40, edge: 10, kazanSide: 40, kazanRows: 2, plaque: 142,
      tens: "hexagon", across: 9, tiers: 1 };
}

/**
 * Lay out the board.
 *
 * @param {number} boxWidth room in CSS pixels.
 * @param {number} boxHeight room in CSS pixels.
 * @param {string} bottom the side at the lower edge.
 */
export function layout(boxWidth, boxHeight, bottom) {
  const slim = boxWidth < SLIM_BELOW_PX && boxHeight > boxWidth * 0.8;
  const size = sizes(slim);
  const [low, high] = HEIGHT_RANGE[slim ? "slim" : "wide"];
  const height = clamp((WIDTH * boxHeight) / boxWidth, low, high);
  const pitch = (WIDTH - 2 * (size.frame + size.side)) / 9;
  const pitWidth = pitch * size.fill;
  const radius = pitWidth * size.stone;
  const kazanHeight = radius * (2.06 * size.kazanRows + 1.1);
  const fixed = 2 * (size.frame + size.edge + size.label + size.rail + kazanHeight) + size.middle;
  const pitHeight = (height - fixed) / 2;
  const place = { ...size, slim, height, pitch, pitWidth, pitHeight, kazanHeight, radius, bottom };
  return {
    ...place,
    width: WIDTH,
    pits: Array.from({ length: 18 }, (_, index) => placePit(index, place)),
    kazans: Object.fromEntries(SIDES.map((side) => [side, placeKazan(side, place)])),
    rails: rails(place),
    scale: Math.min(boxWidth / WIDTH, boxHeight / height),
  };
}

function placePit(index, at) {
  const owner = SIDES[index < 9 ? 0 : 1];
  const row = owner === at.bottom ? "bottom" : "top";
  const number = numberOfPit(index);
  const column = row === "bottom" ? number - 1 : 9 - number;
  const cx = at.frame + at.side + (column + 0.5) * at.pitch;
  const outer = at.frame + at.edge + at.label;
  const cy = row === "bottom" ? at.height - outer - at.pitHeight / 2 : outer + at.pitHeight / 2;
  const labelShift = at.pitHeight / 2 + at.label / 2 + 1;
  const labelY = row === "bottom" ? cy + labelShift : cy - labelShift;
  return { index, owner, row, number, cx, cy, w: at.pitWidth, h: at.pitHeight, labelY };
}

function placeKazan(side, at) {
  const half = kazanHalf(side, at.bottom);
  const shift = (at.kazanHeight + at.middle) / 2;
  const left = at.frame + at.kazanSide;
  const w = WIDTH - 2 * left;
  const cy = at.height / 2 + (half === "top" ? -shift : shift);
  const plaqueX = WIDTH - left - at.plaque * 0.56;
  const corner = Math.min(at.kazanHeight / 2, at.radius * 2.6);
  const heap = { tens: at.tens, across: at.across, tiers: at.tiers, heapWidth: w - at.plaque };
  return { side, half, cx: WIDTH / 2, cy, w, h: at.kazanHeight, corner, left, plaqueX, ...heap };
}

/** The two lines between pits and kazans along which the trail of a move runs. */
function rails(at) {
  const outer = at.frame + at.edge + at.label + at.pitHeight;
  return {
    top: outer + at.rail * 0.3,
    bottom: at.height - outer - at.rail * 0.3,
    arc: at.rail * 0.85,
    turn: at.frame + at.kazanSide * 0.45,
  };
}
