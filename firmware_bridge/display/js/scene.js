/**
 * The drawn layer over the wooden board: places for stones, numbers, marks, lights.
 * Built anew whenever the layout changes; told about positions by `board.js`.
 */

import { rosette, svg } from "./ornament.js";
import { SIDES } from "./seating.js";
import { text } from "./texts.js";

const TONES = [
  ["#fffaf0", "#eadfc6", "#b79f74", "#6d5534"],
  ["#fff6e6", "#e6d3b0", "#ad8c5c", "#634726"],
  ["#fffdf6", "#f0e8d6", "#c0ad88", "#756043"],
];

/** One stone: its shadow, its body, the light on it. */
function stoneSymbol(id, body, radius, light) {
  const [x, y] = [-radius * 0.3, -radius * 0.38];
  return svg(
    "g",
    { id },
    svg("circle", { cx: radius * 0.12, cy: radius * 0.3, r: radius * 1.2, fill: "url(#shadow)" }),
    svg("circle", { r: radius * 0.985, fill: `url(#${body})` }),
    svg("ellipse", {
      cx: x, cy: y, rx: radius * 0.27, ry: radius * 0.17, fill: "#ffffff", opacity: light, transform: `rotate(-32 ${x} ${y})`,
    }),
  );
}

/** Definitions that all stones share: three tones of bone, each lying free or under others. */
function definitions(radius) {
  const defs = svg("defs");
  const dark = (offset, opacity) => svg("stop", { offset, "stop-color": "#080300", "stop-opacity": opacity });
  defs.append(svg("radialGradient", { id: "shadow" }, dark(0, 0.75), dark(0.7, 0.6), dark(1, 0)));
  TONES.forEach((tone, index) => {
    for (const [depth, shift, light] of [["", 0, 0.62], ["-low", 1, 0.2]]) {
      const id = `${index}${depth}`;
      const stops = [0, 0.3, 0.74, 1].map((offset, step) => {
        const colour = tone[Math.min(3, step + (step < 3 ? shift : 0))];
        return svg("stop", { offset, "stop-color": colour });
      });
      defs.append(
        svg("radialGradient", { id: `bone-${id}`, cx: 0.5, cy: 0.5, r: 0.62, fx: 0.34, fy: 0.28 }, ...stops),
        stoneSymbol(`stone-${id}`, `bone-${id}`, radius, light),
      );
    }
  });
  return defs;
}

function pitGroup(pit) {
  const { cx, cy, w, h } = pit;
  const shape = { x: cx - w / 2, y: cy - h / 2, width: w, height: h, rx: w / 2 };
  const group = svg("g", { class: `pit ${pit.owner}`, "data-pit": pit.index, role: "img" });
  group.append(
    svg("rect", { ...shape, class: "glow" }),
    svg("g", { class: "mark", transform: `translate(${cx} ${cy})` }),
    svg("g", { class: "stones" }),
    svg("rect", { ...shape, class: "pit-light" }),
    svg("text", { class: "pit-count", x: cx, y: cy + h / 2 - w * 0.2 }),
    svg("text", { class: "pit-number", x: cx, y: pit.labelY }, String(pit.number)),
  );
  return group;
}

function kazanGroup(kazan) {
  const { cx, cy, w, h, side } = kazan;
  const shape = { x: cx - w / 2, y: cy - h / 2, width: w, height: h, rx: kazan.corner };
  return svg(
    "g",
    { class: `kazan ${side}`, "data-kazan": side, role: "img" },
    svg("rect", { ...shape, class: "glow" }),
    svg("rect", { ...shape, class: "kazan-rim" }),
    svg("g", { class: "stones" }),
    svg("rect", { ...shape, class: "kazan-light" }),
    svg("text", { class: "kazan-total", x: kazan.plaqueX, y: cy }),
  );
}

/** A thin inlay along each row in its owner's colour; it shines while he is to move. */
function rowLight(at, row, owner) {
  const y = row === "bottom" ? at.height - at.frame - 5 : at.frame + 5;
  return svg("rect", {
    class: `row-light ${owner}`, "data-row": owner,
    x: at.frame + 26, y: y - 3.5, width: at.width - 2 * at.frame - 52, height: 7, rx: 3.5,
  });
}

/**
 * Build the layer.
 *
 * @param {SVGSVGElement} root emptied and filled.
 * @param {object} at a layout.
 * @returns {{pits: SVGGElement[], kazans: Object<string, SVGGElement>, trail: SVGGElement, air: SVGGElement}}
 */
export function buildScene(root, at) {
  root.replaceChildren();
  root.setAttribute("viewBox", `0 0 ${at.width} ${at.height}`);
  root.classList.toggle("slim", at.slim);
  root.append(definitions(at.radius));
  const other = SIDES.find((side) => side !== at.bottom);
  root.append(rowLight(at, "top", other), rowLight(at, "bottom", at.bottom));
  const kazans = Object.fromEntries(SIDES.map((side) => [side, kazanGroup(at.kazans[side])]));
  const pits = at.pits.map(pitGroup);
  const trail = svg("g", { class: "trail", "aria-hidden": "true" });
  const air = svg("g", { class: "air", "aria-hidden": "true" });
  root.append(...Object.values(kazans), ...pits, trail, air);
  return { pits, kazans, trail, air };
}

/** Lay the mark of a tuzdyk into a pit, or take it away. */
export function markTuzdyk(group, pit, owner) {
  const mark = group.querySelector(".mark");
  if ((group.dataset.tuzdyk ?? "") === (owner ?? "")) return;
  mark.replaceChildren();
  if (!owner) {
    delete group.dataset.tuzdyk;
    return;
  }
  group.dataset.tuzdyk = owner;
  const size = pit.w * 0.4;
  mark.append(
    svg("rect", { class: `tuzdyk-tint ${owner}`, x: -pit.w / 2, y: -pit.h / 2, width: pit.w, height: pit.h, rx: pit.w / 2 }),
    svg("circle", { class: `tuzdyk-disc ${owner}`, r: size }),
    svg("circle", { class: `tuzdyk-ring ${owner}`, r: size * 0.88 }),
    rosette(size * 0.8, { class: `tuzdyk-rosette ${owner}` }),
  );
}

/** What a screen reader says about a pit. */
export function describePit(pit, stones, owner) {
  const values = { side: text(`side.${pit.owner}`), n: pit.number, name: text(`pit.${pit.number}`), stones };
  return owner
    ? text("aria.tuzdyk", { ...values, owner: text(`side.${owner}`) })
    : text("aria.pit", values);
}
