/**
 * The arbiter's console: joins the live line, the list of boards, the board on show and the keyboard.
 */

import { offerLanguages } from "../languages.js";
import { keepConnected, renewed } from "../link.js";
import { svg } from "../ornament.js";
import { age, fillTexts, settings, text, textOf } from "../texts.js";
import { drawBoard } from "./board_view.js";
import { drawCards, drawDials } from "./cards.js";
import { overtaken, toast } from "./confirm.js";
import { make, part, parts } from "./dom.js";
import { Model } from "./model.js";
import { drawRound } from "./round_view.js";
import { post } from "./send.js";
import { Bell } from "./sound.js";
import { drawWarnings } from "./warnings_view.js";

const TABS = { boards: text("console.boards"), round: text("console.round"), warnings: text("console.warnings") };
const DIALS_MS = 200;
const AGES_MS = 1000;
const WIDE = window.matchMedia("(min-width: 900px)");

fillTexts();
offerLanguages();
const model = new Model();
const bell = new Bell(() => model.loud > 0);
const shown = { tab: "boards", board: decodeURIComponent(location.hash.slice(1)) || null };
let late = false;
let held = false; // a finger is down: what it is on must not be drawn anew under it

function open(board) {
  shown.tab = "boards";
  shown.board = board;
  history.pushState(null, "", board ? `#${encodeURIComponent(board)}` : location.pathname + location.search);
  draw();
  part("view").scrollTop = 0;
  window.scrollTo(0, 0);
}

function show(tab) {
  shown.tab = tab;
  draw();
}

function draw() {
  drawHead();
  late = held || isTyping();
  if (late) return;
  const boards = shown.tab === "boards";
  if (boards && WIDE.matches && !model.boards.has(shown.board)) shown.board = model.sorted()[0]?.board ?? null;
  const view = boards ? model.boards.get(shown.board) : null;
  document.body.dataset.tab = shown.tab;
  document.body.classList.toggle("one", Boolean(view));
  part("back").hidden = !view || WIDE.matches;
  part("cards").hidden = !boards;
  part("view").hidden = !view;
  part("page").hidden = boards;
  if (boards) drawCards(part("cards"), model, shown.board, open);
  if (view) {
    view.now = () => model.boards.get(view.board) ?? view;
    keepingFocus(part("view"), () => drawBoard(part("view"), view, model, draw));
  } else if (shown.tab === "round") drawRound(part("page"), model, open, draw);
  else if (shown.tab === "warnings") drawWarnings(part("page"), model);
  drawDials(model);
}

/** Whether somebody is writing on the page itself: drawing it anew would take his words away. */
function isTyping() {
  const active = document.activeElement;
  return Boolean(active?.closest?.(".sheet-page")) && ["INPUT", "SELECT"].includes(active.tagName);
}

/** Draw a room anew; a button of it that had the focus has it afterwards, if there is still such a one. */
function keepingFocus(room, drawIt) {
  const words = room.contains(document.activeElement) && document.activeElement !== room ? document.activeElement.textContent : null;
  drawIt();
  if (words === null) return;
  [...room.querySelectorAll("button, summary")].find((each) => each.textContent === words)?.focus({ preventScroll: true });
}

function drawHead() {
  const { loud } = model;
  document.title = [...(loud ? [`(${loud})`] : []), text("console.title")].join(" ");
  part("tabs").replaceChildren(
    ...Object.entries(TABS).map(([tab, words]) =>
      make("button", { on: { click: () => (tab === "boards" && !WIDE.matches ? open(null) : show(tab)) }, aria: { current: String(tab === shown.tab) } },
        words, tab === "boards" && loud ? make("span.count", {}, String(loud)) : null)),
  );
  for (const me of parts("me")) me.textContent = [settings.me.name, textOf("role", settings.me.role)].join(" · ");
  part("sound").replaceChildren(bellIcon(bell.on));
  part("sound").title = bell.on ? text("console.sound_on") : text("console.sound_off");
  part("sound").setAttribute("aria-label", part("sound").title);
  part("sound").setAttribute("aria-pressed", String(bell.on));
}

/** A bell, crossed out while it is silent; no font of a hall's computer can be trusted to have one. */
function bellIcon(on) {
  const icon = svg("svg", { class: "bell", viewBox: "0 0 24 24", "aria-hidden": "true" });
  icon.append(svg("path", { d: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21a2 2 0 0 0 4 0" }));
  if (!on) icon.append(svg("path", { d: "M3 3l18 18" }));
  return icon;
}

function take(message) {
  if (message.kind === "beat") {
    for (const [board, clock] of Object.entries(message.clocks)) model.clock(board, clock);
    if (late) draw();
    return;
  }
  if (renewed(message.assets)) return;
  const rung = model.take(message);
  if (rung.length) bell.ring();
  overtaken(model.boards);
  draw();
  document.body.dataset.heard = String(Number(document.body.dataset.heard ?? 0) + 1);
}

function link(up) {
  part("lost").hidden = up;
  part("lost").textContent = up ? "" : text("link.reconnecting");
  document.body.classList.toggle("blind", !up);
  if (!up) checkLogin();
}

/** A line that is refused may mean that the session is over; then the login is due. */
async function checkLogin() {
  try {
    const answer = await fetch("/api/console/me", { cache: "no-store" });
    if (answer.status === 401) location.reload();
  } catch {
    // the hall is gone: the line tries again by itself
  }
}

function step(by) {
  const boards = model.sorted().map((view) => view.board);
  const next = boards[Math.min(boards.length - 1, Math.max(0, boards.indexOf(shown.board) + by))];
  if (next) open(next);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || part("confirm").open) return;
  if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
  const keys = { ArrowDown: () => step(1), j: () => step(1), ArrowUp: () => step(-1), k: () => step(-1), Escape: () => !WIDE.matches && open(null) };
  const offer = part("view").querySelector(`[data-key="${CSS.escape(event.key)}"]:not(:disabled)`);
  const undo = event.key.toLowerCase() === "u" ? part("toasts").querySelector(".undo") : null;
  const done = undo ? () => undo.click() : offer && shown.tab === "boards" ? () => offer.click() : keys[event.key];
  if (!done) return;
  event.preventDefault();
  done();
}

part("back").addEventListener("click", () => open(null));
part("sound").addEventListener("click", () => (bell.toggle(), drawHead()));
for (const out of parts("logout")) out.addEventListener("click", async () => ((await post("/logout")), location.reload()));
part("confirm").addEventListener("click", (event) => event.target === part("confirm") && part("confirm").close());
window.addEventListener("popstate", () => ((shown.board = decodeURIComponent(location.hash.slice(1)) || null), draw()));
window.addEventListener("keydown", key);
window.addEventListener("pointerdown", () => (held = true), true);
for (const event of ["pointerup", "pointercancel"]) {
  window.addEventListener(event, () => {
    held = false;
    if (late) setTimeout(draw); // the click comes first
  }, true);
}
WIDE.addEventListener("change", draw);
setInterval(() => drawDials(model), DIALS_MS);
setInterval(() => {
  for (const element of document.querySelectorAll("[data-since]")) element.textContent = age(model.since(Number(element.dataset.since)));
}, AGES_MS);
setInterval(() => late && draw(), AGES_MS);
window.addEventListener("unhandledrejection", () => toast(text("order.failed"), { bad: true }));
draw();
keepConnected("/ws/console", { message: take, up: () => link(true), down: () => link(false) });
