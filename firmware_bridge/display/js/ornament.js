/**
 * The ornament of this project, drawn by ourselves: a ram's horn (qoshqar muiz) as one stroke,
 * from which the frieze of the board, the rosette of a tuzdyk and the emblem are built.
 */

/** One horn, rising from (0,0) and curling to the right; about 56 wide and 54 high. */
export const HORN = "M0,0 C0,-26 8,-50 29,-50 C47,-50 55,-36 50,-25 C46,-15 31,-15 30,-25 C29.5,-31 36,-34 40,-29.5";
/** The same horn curling to the left. */
export const HORN_LEFT = "M0,0 C0,-26 -8,-50 -29,-50 C-47,-50 -55,-36 -50,-25 C-46,-15 -31,-15 -30,-25 C-29.5,-31 -36,-34 -40,-29.5";
/** The bud between two horns. */
export const BUD = "M0,-44 L9,-57 L0,-72 L-9,-57 Z";

const SVG = "http://www.w3.org/2000/svg";

/** Make an SVG element with attributes. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/** A pair of horns with a bud, standing on (0,0). */
export function horns(attributes = {}) {
  return svg(
    "g",
    attributes,
    svg("path", { d: HORN, class: "horn" }),
    svg("path", { d: HORN_LEFT, class: "horn" }),
    svg("path", { d: BUD, class: "bud" }),
  );
}

/** Four pairs of horns around a point, inside a circle of the given radius. */
export function rosette(radius, attributes = {}) {
  const scale = radius / 84;
  const group = svg("g", attributes);
  for (const turn of [0, 90, 180, 270]) {
    group.append(horns({ transform: `rotate(${turn}) scale(${scale}) translate(0,-8)` }));
  }
  group.append(svg("circle", { r: 9 * scale, class: "bud" }));
  return group;
}
