/**
 * The last move, drawn as a line of stitches along the inner ends of the pits: it grows
 * stronger from the first stone to the last, and bends into the kazan when stones are taken.
 */

import { svg } from "./ornament.js";
import { pitIndex, sideOfPit } from "./seating.js";

const point = (x, y) => `${x.toFixed(1)},${y.toFixed(1)}`;

/** One stitch from pit to pit. */
function stitch(from, to, at, lap) {
  const { rails } = at;
  const y = { top: rails.top, bottom: rails.bottom };
  const inward = { top: 1, bottom: -1 };
  if (from.row === to.row) {
    const height = rails.arc * (1 + 0.22 * lap) * inward[from.row];
    const base = y[from.row];
    return `M${point(from.cx, base)} C${point(from.cx, base + height)} ${point(to.cx, base + height)} ${point(to.cx, base)}`;
  }
  const edge = from.cx > at.width / 2 ? at.width - rails.turn + lap * 6 : rails.turn - lap * 6;
  return `M${point(from.cx, y[from.row])} C${point(edge, y[from.row])} ${point(edge, y[from.row])} ${point(edge, (y.top + y.bottom) / 2)} `
    + `S${point(edge, y[to.row])} ${point(to.cx, y[to.row])}`;
}

function arrow(pit, at, side) {
  const outward = pit.row === "bottom" ? 1 : -1;
  const y = at.rails[pit.row];
  const size = at.radius * 0.5;
  return svg("path", {
    class: `trail-end ${side}`,
    d: `M${point(pit.cx - size, y - outward * size * 0.5)} L${point(pit.cx + size, y - outward * size * 0.5)} L${point(pit.cx, y + outward * size * 0.9)} Z`,
  });
}

/** The line from the last pit into the mover's kazan. */
function taking(pit, kazan, at, side) {
  const y = at.rails[pit.row];
  const edge = kazan.cy + (pit.row === "bottom" ? 1 : -1) * kazan.h * 0.5;
  return svg("path", { class: `trail-take ${side}`, d: `M${point(pit.cx, y)} L${point(pit.cx, edge)}` });
}

/**
 * Draw a move into the trail layer and light its pits.
 *
 * @param {object} scene of `buildScene`.
 * @param {object} at the layout.
 * @param {object|null} last the snapshot's last move; null draws nothing.
 */
export function drawTrail(scene, at, last) {
  scene.trail.replaceChildren();
  delete scene.trail.dataset.last;
  for (const group of scene.pits) {
    group.classList.remove("origin", "target", "took", "bastaushy-move", "qostaushy-move");
  }
  for (const group of Object.values(scene.kazans)) group.classList.remove("took");
  if (!last || last.path.length === 0) return;
  const { side, path } = last;
  const origin = pitIndex(side, last.number);
  const stops = path[0] === origin ? path : [origin, ...path];
  const hops = stops.length - 1;
  for (let hop = 0; hop < hops; hop += 1) {
    const [from, to] = [at.pits[stops[hop]], at.pits[stops[hop + 1]]];
    scene.trail.append(svg("path", {
      class: `trail-hop ${side}`, "data-hop": hop + 1, d: stitch(from, to, at, Math.floor(hop / 18)),
      "stroke-opacity": (0.3 + (0.7 * (hop + 1)) / hops).toFixed(2),
    }));
  }
  const end = at.pits[path.at(-1)];
  const took = last.captured > 0 || last.tuzdyk !== null;
  if (took) scene.trail.append(taking(end, at.kazans[side], at, side));
  scene.trail.append(arrow(end, at, side));
  scene.trail.dataset.last = `${side}:${last.number}`;
  scene.pits[origin].classList.add("origin", `${side}-move`);
  scene.pits[end.index].classList.add(took ? "took" : "target", `${side}-move`);
  if (took && sideOfPit(end.index) !== side) scene.kazans[side].classList.add("took");
}
