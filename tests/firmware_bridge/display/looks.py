"""Questions to a page, in its own language; each answers with plain JSON values."""

from typing import Final

BOARD: Final = """
const all = (selector) => [...document.querySelectorAll(selector)];
const drawn = (group) => group.querySelectorAll(".stone").length;
const pits = all("[data-pit]").sort((one, two) => one.dataset.pit - two.dataset.pit);
const kazans = ["bastaushy", "qostaushy"].map((side) => document.querySelector(`[data-kazan="${side}"]`));
const won = pits.filter((pit) => pit.dataset.tuzdyk);
return {
  pits: pits.map((pit) => Number(pit.dataset.stones)),
  drawn_pits: pits.map(drawn),
  kazans: kazans.map((kazan) => Number(kazan.dataset.stones)),
  drawn_kazans: kazans.map(drawn),
  totals: kazans.map((kazan) => Number(kazan.querySelector(".kazan-total").textContent)),
  tuzdyks: won.map((pit) => [Number(pit.dataset.pit), pit.dataset.tuzdyk]),
  last: document.querySelector("[data-last]")?.dataset.last ?? null,
  hops: all("[data-hop]").length,
  flying: all(".air .stone").length,
  moves: all(".moves .move").map((move) => move.textContent),
};
"""
"""What the board on show says: what is written in the page, and what is drawn."""

COUNT_FLYING: Final = """
const air = document.querySelector(".air");
window.most = 0;
const look = () => { window.most = Math.max(window.most, air.children.length); };
new MutationObserver(look).observe(air, { childList: true });
"""
"""Keeps in `window.most` how many stones were in the air at once."""

EIGHT_CHANGES: Final = """
const [selector, done] = arguments;
const clock = document.querySelector(selector);
const seen = [];
const look = () => {
  seen.push(clock.textContent);
  if (seen.length === 8) done(seen);
};
new MutationObserver(look).observe(clock, { childList: true, characterData: true, subtree: true });
"""
"""The next eight texts of an element, in order."""

SIZES: Final = """
const root = document.documentElement;
return [root.scrollWidth, root.scrollHeight, innerWidth, innerHeight];
"""
"""Width and height of the page and of the window."""

OUT_OF_SIGHT: Final = """
return [...document.querySelectorAll(arguments[0])]
  .map((element) => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()])
  .filter(([, box]) => box.left < 0 || box.top < 0 || box.width === 0
    || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
  .map(([name, box]) => `${name} ${JSON.stringify(box)}`);
"""
"""The elements of a selector that are not wholly in the window."""

SPILLED: Final = """
const middle = (element) => {
  const box = element.getBoundingClientRect();
  return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
};
const spills = (group) => {
  const room = group.querySelector(".pit-light, .kazan-light").getBoundingClientRect();
  return [...group.querySelectorAll(".stone")].map(middle)
    .some(([x, y]) => x < room.left || x > room.right || y < room.top || y > room.bottom);
};
return [...document.querySelectorAll("[data-pit], [data-kazan]")].filter(spills)
  .map((group) => group.dataset.pit ?? group.dataset.kazan);
"""
"""The pits and kazans that have a stone lying outside."""

HEIGHTS: Final = """
const heights = {};
const sides = ["bastaushy", "qostaushy"].flatMap((side) => [["kazan", side], ["clock", side]]);
for (const [kind, which] of [["pit", 0], ["pit", 9], ...sides]) {
  const element = document.querySelector(`[data-${kind}="${which}"]`);
  heights[`${kind} ${which}`] = element.getBoundingClientRect().top;
}
return heights;
"""
"""How far from the top of the window some things are."""

CONTRASTS: Final = """
const wood = document.querySelector(".slab canvas");
const copy = Object.assign(document.createElement("canvas"), { width: wood.width, height: wood.height });
const pen = copy.getContext("2d", { willReadFrequently: true });
pen.drawImage(wood, 0, 0);
const frame = wood.getBoundingClientRect();
const zoom = wood.width / frame.width;
const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const shine = (r, g, b) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
return [...document.querySelectorAll(".pit-number")].map((number) => {
  const box = number.getBoundingClientRect();
  const [x, y] = [(box.left - frame.left) * zoom, (box.top - frame.top + box.height * 0.15) * zoom];
  const { data } = pen.getImageData(x, y, Math.ceil(box.width * zoom), Math.ceil(box.height * 0.7 * zoom));
  const ink = shine(...getComputedStyle(number).fill.match(/\\d+/g).map(Number));
  let least = Infinity;
  for (let i = 0; i < data.length; i += 4) {
    const ground = shine(data[i], data[i + 1], data[i + 2]);
    least = Math.min(least, (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05));
  }
  return [least, box.height];
});
"""
"""Of each pit's number the smallest contrast with the wood behind it (WCAG 2), and its height in pixels."""

HEAPS: Final = """
return ["bastaushy", "qostaushy"].map((side) => {
  const group = document.querySelector(`[data-kazan="${side}"]`);
  const total = group.querySelector(".kazan-total").getBBox();
  const spot = (stone) => stone.style.transform.match(/-?[\\d.]+/g).map(Number);
  return {
    spots: [...group.querySelectorAll(".stone")].map(spot),
    radius: Number(document.querySelector("#stone-0 circle:nth-of-type(2)").getAttribute("r")),
    total: total.x,
  };
});
"""
"""Of each kazan: its stones as [x, y, size], the radius of size 1, and where the number begins."""

COUNT_ALONG: Final = """
const [side] = arguments;
const kazan = document.querySelector(`[data-kazan="${side}"]`);
const total = kazan.querySelector(".kazan-total");
const card = document.querySelector(`[data-side="${side}"] [data-part="stones"]`);
window.counted = [];
new MutationObserver(() => {
  window.counted.push([total.textContent, card.textContent, String(kazan.querySelectorAll(".stone").length)]);
}).observe(total, { childList: true, characterData: true, subtree: true });
"""
"""Keeps in `window.counted` the number in a kazan, that on its owner's card and the stones lying there."""

NOTICES: Final = """
const [presence, change, done] = arguments;
Promise.all([import("/static/js/notices.js"), fetch("/api/boards/b01").then((answer) => answer.json())])
  .then(([{ Notices }, message]) => {
    const notices = new Notices(document.body);
    notices.link(true);
    notices.heard({ ...message.presence, ...presence });
    notices.show({ ...message.state, ...change });
    const words = (name) => document.querySelector(`[data-part="${name}"]`).textContent;
    const { hidden } = document.querySelector("[data-part=pause]");
    const pause = hidden ? null : [words("pause-head"), words("pause-reason")];
    done({ classes: [...document.body.classList], pause });
  });
"""
"""The page's classes and the words of a pause, after notices of the hall's state with fields changed."""

ON_MOVE: Final = """
const sides = (selector, key) => [...document.querySelectorAll(selector)].map((found) => found.dataset[key]);
const cards = [...document.querySelectorAll(".player")];
const told = cards.filter((card) => card.querySelector("[data-part=turn]").textContent);
return [
  ...sides(".player.active", "side"), ...sides(".row-light.active", "row"),
  ...sides(".clock.running", "clock"), ...told.map((card) => card.dataset.side),
];
"""
"""The sides whose card is lit, whose row is, whose clock runs, and who is said to be on move."""
