/**
 * The page of the small screen at one board: two large dials, whose turn it is, and what players are told.
 */

import { follow, remaining, spell } from "./clockwork.js";
import { offerLanguages } from "./languages.js";
import { keepConnected, renewed } from "./link.js";
import { SIDES, onMove, opponent } from "./seating.js";
import { drawWay } from "./table_way.js";
import { drawGone, noticeOf, urgent, wordOf } from "./table_words.js";
import { fillTexts, settings, text, write } from "./texts.js";

const SHORT_MS = 60_000;

fillTexts();
offerLanguages();
document.body.classList.toggle("turned", settings.turned);

const part = (name, root = document) => root.querySelector(`[data-part="${name}"]`);
const halves = { near: part("half-near"), far: part("half-far") };
let face = null;
let bySide = {};

/** Whether the program behind the page answers, and what it said last. */
const link = { up: false, since: performance.now(), told: null };

function show(told) {
  const { view } = told;
  document.body.classList.toggle("waiting", !view);
  if (!view) return;
  const near = view.starter_seat === settings.near ? SIDES[0] : SIDES[1];
  bySide = { [near]: halves.near, [opponent(near)]: halves.far };
  face = follow(view.clock, performance.now() - told.age_ms, face);
  const active = onMove({ phase: view.phase, clock: view.clock, position: { to_move: view.to_move } });
  const won = { "1-0": 0, "0-1": 1 }[view.result?.score];
  SIDES.forEach((side, index) => {
    const half = bySide[side];
    half.className = `half ${side}`;
    half.dataset.side = side;
    half.classList.toggle("active", active === side);
    half.classList.toggle("winner", won === index);
    half.querySelector("[role=timer]").dataset.clock = side;
    write(part("name", half), view.names[index]);
    write(part("side", half), text(`side.${side}`));
    write(part("word", half), wordOf(view, index, active === side));
  });
  document.body.dataset.phase = view.phase;
  write(part("notice"), noticeOf(view));
  part("notice").classList.toggle("plain", !urgent(view).length);
  write(part("last"), view.last ? text("table.last", { n: view.ply, move: view.last }) : "");
  ways(view, near);
  tick();
}

/** Show what to put right, to both from where they sit; it leaves only when the board says so. */
function ways(view, near) {
  const alert = view.alerts.find(({ goal }) => goal) ?? null;
  document.body.classList.toggle("wrong", Boolean(alert));
  drawWay(part("way-shared"), settings.turned ? null : alert, near);
  for (const side of SIDES) drawWay(part("way", bySide[side]), settings.turned ? alert : null, side, { crowded: true });
}

function tick() {
  const now = performance.now();
  const sure = link.up && link.told?.gone_ms === null && link.told.view?.sensed !== "no_device";
  document.body.classList.toggle("unsure", Boolean(face) && !sure);
  SIDES.forEach((side, index) => {
    const dial = bySide[side]?.querySelector("[role=timer]");
    if (!dial) return;
    const ms = face ? remaining(face, index, now) : null;
    const words = ms === null ? "" : spell(ms);
    dial.classList.toggle("flagged", Boolean(face?.flagged[index]));
    dial.classList.toggle("short", ms !== null && ms < SHORT_MS);
    dial.classList.toggle("running", face?.running === side);
    write(dial, words);
    dial.dataset.length = words.length;
  });
}

function drawLink() {
  const gone = link.up ? link.told?.gone_ms ?? null : performance.now() - link.since;
  drawGone(part("gone"), { program: !link.up, gone_ms: gone, seen: Boolean(link.told?.view) });
}

function linked(up) {
  if (up !== link.up) link.since = performance.now();
  link.up = up;
  drawLink();
}

keepConnected("/ws/table", {
  up: () => linked(true),
  down: () => linked(false),
  message: (told) => {
    renewed(told.assets);
    link.told = told;
    show(told);
    drawLink();
  },
});

setInterval(drawLink, 500);
const frame = () => {
  tick();
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
