/**
 * How n stones lie in a pit or a kazan. Pure and deterministic: the k-th stone of a place
 * always lies in the same spot, so that stones already there never move when one is added.
 *
 * Pits fill from the middle outwards in two columns, then in further layers that rest in the
 * hollows of the layer below; kazans from their left end in blocks of five columns (ten stones, or twenty in a tall kazan).
 */

const SPACING = 1.03; // stones almost touch
const LIFT = 0.3; // how much higher a layer seems, in radii
const BLOCK_GAP = 0.5; // between blocks of five columns, in radii
const EDGE = 1.5; // from a kazan's end to the first stone's middle, in radii
const JITTER = 0.07; // stones are laid by hand, in radii

/** A number in 0..1 that looks random and depends on its arguments only. */
export function scatter(place, stone, salt = 0) {
  let hash = (place * 374761393 + stone * 668265263 + salt * 2147483647) | 0;
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

/** Pile up layers until `count` stones lie; tells which lie under others. */
function pile(count, layerOf, place, radius) {
  const layers = [];
  for (let left = count; left > 0; left -= layers.at(-1).length) {
    layers.push(layerOf(layers.length).slice(0, left));
  }
  return layers.flatMap((slots, layer) => {
    const above = layers[layer + 1]?.length ?? 0;
    return slots.map(({ x, y }, slot) => ({ x, y, layer, covered: slot < above }));
  }).map((slot, stone) => ({
    ...slot,
    x: slot.x + (scatter(place, stone, 1) - 0.5) * 2 * JITTER * radius,
    y: slot.y + (scatter(place, stone, 2) - 0.5) * 2 * JITTER * radius,
  }));
}

/**
 * Spots of one layer of a pit, from the middle outwards, relative to its centre: two columns,
 * and in every second layer three, which rest in the hollows and against the walls.
 */
function pitLayer(layer, rows, radius, place) {
  const step = 2 * radius * SPACING;
  const wide = layer % 2 === 1;
  const columns = wide ? [0, -1.42, 1.42] : [-SPACING, SPACING];
  const inLayer = wide ? rows - 1 : rows;
  const middles = Array.from({ length: inLayer }, (_, row) => (row - (inLayer - 1) / 2) * step);
  middles.sort((one, two) => Math.abs(one) - Math.abs(two) || one - two);
  return middles.flatMap((y, row) => {
    const mirror = scatter(place, row, 9 + layer) < 0.5 ? -1 : 1;
    return columns.map((x) => ({ x: x * radius * mirror, y: y - layer * LIFT * radius }));
  });
}

/**
 * Spots of `count` stones in a pit.
 *
 * @returns {{x:number, y:number, layer:number, covered:boolean}[]} offsets from the pit's centre, lowest first.
 */
export function pitHeap(count, { index, w, h }, radius) {
  // How far two stones side by side reach into the rounded ends.
  const cap = Math.sqrt(Math.max(0, (w / 2 - radius) ** 2 - radius ** 2));
  const rows = Math.max(2, Math.floor((h - w + 2 * cap) / (2 * radius * SPACING)) + 1);
  return pile(count, (layer) => pitLayer(layer, rows, radius, index), index, radius);
}

/** Spots of one layer of a kazan, from its left end, in blocks of five columns. */
function kazanLayer(layer, columns, { rows, w }, radius) {
  const step = 2 * radius * SPACING;
  const shifted = layer % 2 === 1;
  const slots = [];
  for (let column = 0; column < columns - (shifted ? 1 : 0); column += 1) {
    const gap = Math.floor(column / 5) * radius * BLOCK_GAP;
    const x = radius * EDGE + column * step + gap + (shifted ? radius : 0) - w / 2;
    for (let row = 0; row < rows; row += 1) {
      const y = (row - (rows - 1) / 2) * step * (shifted ? 0.84 : 1);
      slots.push({ x, y: y - layer * LIFT * radius });
    }
  }
  return slots;
}

/**
 * Spots of `count` stones in a kazan.
 *
 * @returns {{x:number, y:number, layer:number, covered:boolean}[]} offsets from the kazan's centre.
 */
export function kazanHeap(count, kazan, radius) {
  const block = radius * (10 * SPACING + BLOCK_GAP);
  const blocks = Math.max(1, Math.floor((kazan.heapWidth - radius * (EDGE - 1 - BLOCK_GAP)) / block));
  const place = kazan.side === "bastaushy" ? 101 : 102;
  return pile(count, (layer) => kazanLayer(layer, blocks * 5, kazan, radius), place, radius);
}
