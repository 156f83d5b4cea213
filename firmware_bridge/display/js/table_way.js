/**
 * What is wrong and how to put it right, pit by pit: a small board seen from one player's seat that shows
 * where stones are too many and where they are missing, and the next steps in words. No stones are counted
 * but those to be carried.
 */

import { SIDES, numberOfPit, opponent, pitIndex, sideOfPit } from "./seating.js";
import { goalOf, headOf } from "./table_words.js";
import { text } from "./texts.js";

const KAZANS = { bastaushy: 18, qostaushy: 19 };
const STEPS = 3; // told in words at once; what is done leaves the list
const CROWDED = 2; // the same in half a screen

function make(kind, name, words = "") {
  const element = document.createElement(kind);
  element.className = name;
  element.textContent = words;
  return element;
}

/** A place in words. */
function nameOf(place) {
  if (place === "hand" || place === "beside") return text(`place.${place}`);
  if (place >= 18) return text("table.kazan", { side: text(`side.${SIDES[place - 18]}`) });
  return text("table.pit", { side: text(`side.${sideOfPit(place)}`), n: numberOfPit(place) });
}

/** By how much each place has too many or too few. */
function changes(way) {
  const change = new Map();
  for (const { source, target, stones } of way) {
    change.set(source, (change.get(source) ?? 0) - stones);
    change.set(target, (change.get(target) ?? 0) + stones);
  }
  return change;
}

function cell(place, change, next) {
  const pit = make("span", place >= 18 ? "kazan" : "pit");
  pit.dataset.place = place;
  const by = change.get(place) ?? 0;
  pit.append(make("small", "", place >= 18 ? text("table.kazan_short") : String(numberOfPit(place))));
  pit.append(make("b", "", by ? `${by > 0 ? "+" : "−"}${Math.abs(by)}` : ""));
  pit.classList.toggle("less", by < 0);
  pit.classList.toggle("more", by > 0);
  pit.classList.toggle("next", next && (next.source === place || next.target === place));
  return pit;
}

/** The board with the side `bottom` below; each player's kazan lies in the other half (regulations 1.1.2). */
function boardOf(way, bottom) {
  const board = make("div", "board");
  const change = changes(way);
  const top = opponent(bottom);
  const row = (side, numbers) => numbers.map((number) => pitIndex(side, number));
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const places = [...row(top, [...numbers].reverse()), KAZANS[bottom], KAZANS[top], ...row(bottom, numbers)];
  board.append(...places.map((place) => cell(place, change, way[0])));
  board.setAttribute("aria-hidden", "true"); // the steps say the same
  return board;
}

function stepsOf(alert, most) {
  const list = make("ol", "steps");
  for (const { source, target, stones } of alert.way.slice(0, most)) {
    list.append(make("li", "", text("table.carry", { from: nameOf(source), to: nameOf(target), n: stones })));
  }
  const more = alert.way.length - most;
  if (more > 0) list.append(make("li", "more", text("table.more", { n: more })));
  if (!alert.known) list.append(make("li", "ask", text("table.ask")));
  else if (!alert.way.length) list.append(make("li", "done", text("table.done")));
  return list;
}

/** Fill a place of the page with what is to be put right, seen by the player of `bottom`; null empties it. */
export function drawWay(root, alert, bottom, { crowded = false } = {}) {
  root.hidden = !alert;
  const drawn = alert ? JSON.stringify([alert, bottom]) : "";
  if (root.dataset.drawn === drawn) return;
  root.dataset.drawn = drawn;
  if (!alert) {
    root.replaceChildren();
    return;
  }
  root.dataset.kind = alert.kind;
  const words = make("div", "words");
  words.append(make("p", "fault", headOf(alert)), make("p", "goal", goalOf(alert)), stepsOf(alert, crowded ? CROWDED : STEPS));
  root.replaceChildren(boardOf(alert.way, bottom), words);
}
