/**
 * How n stones lie in a pit or a kazan. Pure and deterministic: the k-th stone of a place
 * always lies in the same spot, so that stones already there never move when one is added.
 *
 * Pits fill from the middle outwards in two columns, then in further layers that rest in the
 * hollows of the layer below. Kazans fill from their left end in groups of ten that can be counted at
 * a glance; there is room for more groups than a won game needs, and only what is beyond them lies on top.
 */

const SPACING = 1.03; // stones almost touch
const LIFT = 0.3; // how much higher a layer seems, in radii
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

/**
 * How ten stones lie together, in stone radii around the middle of the group: `slots` in the order
 * they are filled, `hollows` on top of them, `reach` of the outermost stone's middle, `gap` to the next group.
 */
const TENS = {
  // Three, four and three: a low kazan.
  hexagon: {
    slots: [[-3, 0], [-2, -1], [-2, 1], [-1, 0], [0, -1], [0, 1], [1, 0], [2, -1], [2, 1], [3, 0]].map(([x, row]) => [x * SPACING, row * 1.86]),
    hollows: [[-1, -1.2], [1, 1.2], [-1, 1.2], [1, -1.2], [-2, 0.5], [2, -0.5], [0, 0.5], [0, -0.5]],
    reach: [3 * SPACING, 1.86],
    gap: 0.5,
  },
  // Five pairs: a tall kazan, two groups above each other.
  pairs: {
    slots: [-4, -2, 0, 2, 4].flatMap((x) => [[x * SPACING, -SPACING], [x * SPACING, SPACING]]),
    hollows: [[-3, 0], [3, 0], [-1, 0], [1, 0], [-2, 0.6], [2, -0.6], [0, 0.6], [0, -0.6]],
    reach: [4 * SPACING, SPACING],
    gap: 0.65,
  },
};
const EDGE = 0.45; // between a kazan's end and the first stone, in stone radii

/** How large, compared with `radius`, the stones of a kazan are: as large as all groups allow. */
export function kazanStone({ tens, across, tiers, h, heapWidth }, radius) {
  const { reach: [x, y], gap } = TENS[tens];
  const wide = across * (2 * x + 2) + (across - 1) * gap + 2 * EDGE;
  const high = tiers * (2 * y + 2) + (tiers - 1) * gap + 2 * EDGE;
  return Math.min(1, heapWidth / (wide * radius), h / (high * radius));
}

/** Where the middle of a group lies, from the kazan's centre, in stone radii: one tier after the other, then further right. */
function groupAt(group, { tens, tiers, w }, stone) {
  const { reach: [x, y], gap } = TENS[tens];
  const column = Math.floor(group / tiers);
  const tier = (group % tiers) - (tiers - 1) / 2;
  return [EDGE + 1 + x + column * (2 * x + 2 + gap) - w / 2 / stone, tier * (2 * y + 2 + gap)];
}

/**
 * Spots of `count` stones in a kazan.
 *
 * @returns {{x:number, y:number, size:number, covered:boolean}[]} offsets from the kazan's centre; `size` 1 is a stone of a pit.
 */
export function kazanHeap(count, kazan, radius) {
  const { slots, hollows } = TENS[kazan.tens];
  const groups = kazan.across * kazan.tiers;
  const size = kazanStone(kazan, radius);
  const stone = size * radius;
  const place = kazan.side === "bastaushy" ? 101 : 102;
  const laid = (salt, index) => (scatter(place, index, salt) - 0.5) * JITTER;
  return Array.from({ length: count }, (_, index) => {
    const over = index - groups * slots.length;
    const [x, y] = over < 0 ? slots[index % slots.length] : hollows[Math.floor(over / groups) % hollows.length];
    const [left, top] = groupAt(over < 0 ? Math.floor(index / slots.length) : over % groups, kazan, stone);
    return { x: (left + x + laid(1, index)) * stone, y: (top + y + laid(2, index)) * stone, size, covered: false };
  });
}
