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
