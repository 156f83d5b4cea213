/**
 * All boards at a glance, the one that needs somebody most first.
 */

import { remaining, spell } from "../clockwork.js";
import { SIDES } from "../seating.js";
import { age, because, text, textOf, write } from "../texts.js";
import { make } from "./dom.js";
import { sinceOf } from "./model.js";
import { faultOf, nameOf, versionOf } from "./words.js";

/** The boards in the order in which a person looks for them: `rank` is the last one of a group. */
const GROUPS = [
  { name: "now", last: 3 },
  { name: "soon", last: 7 },
  { name: "calm", last: 99 },
];

/** The one line that says why a board is where it is in the list. */
function why(view) {
  const open = view.infractions.find((each) => each.settled === null);
  if (open) return faultOf(view, open.faults[0]);
  switch (view.need) {
    case "called":
      return text("console.calls", { name: view.called.side ? nameOf(view, view.called.side) : text("console.somebody") });
    case "flag":
      return view.flag ? view.flag.sides.map((side) => nameOf(view, side)).join(", ") : "";
    case "offline":
      return textOf("link", view.presence.reason);
    case "unread":
      return textOf("watch", view.state.watch.sensed);
    case "draw":
      return text("console.offers_draw", { name: nameOf(view, view.draw.open) });
    case "result":
    case "release":
      return [view.state.result.score, because("reason", view.state.result.reason)].join(" · ");
    case "suspended":
      return because("pause", view.state.pause);
    case "adjourned":
      return view.sealed.reason;
    case "not_started":
      return readiness(view);
    default:
      return "";
  }
}

/** Whether the clock of a board can be started: nine stones are seen in each pit, whoever has not come yet. */
export const isSetUp = ({ state }) =>
  state.phase === "ready" || (state.phase === "setting_up" && state.watch.sensed === "matches");

/** Who has not yet said that he is ready. */
export function readiness(view) {
  const waiting = SIDES.filter((_, index) => !view.state.ready[index]).map((side) => nameOf(view, side));
  if (view.state.phase === "ready") return text("console.both_ready");
  return waiting.length === 2 ? text("console.none_ready") : text("console.waits_for", { name: waiting.join(", ") });
}

function card(view, model, chosen, open) {
  const { state } = view;
  const players = SIDES.map((side, index) =>
    make(
      "span.who",
      { data: { side } },
      make("b", { title: nameOf(view, side) }, nameOf(view, side)),
      make("i.kazan", {}, state ? String(state.position.kazans[index]) : ""),
      make("time", { data: { dial: view.board, index } }),
    ),
  );
  const since = sinceOf(view);
  const link = make(
    "button.card",
    { data: { board: view.board, need: view.need }, on: { click: () => open(view.board) }, aria: { current: String(view.board === chosen) } },
    make("span.id", {}, view.board, view.version ? make("abbr.version", { title: versionOf(view) }, " ≠") : null),
    since === null ? null : make("time.waits", { title: text("console.waits_since"), data: { since } }, age(model.since(since))),
    make("span.need", { data: { need: view.need } }, textOf("need", view.need)),
    make("span.pair", {}, ...players),
    make("span.why", {}, why(view)),
  );
  link.classList.toggle("loud", view.loud);
  return make("li", {}, link);
}

/** The boards of one group; the first has the head of the group above it, which says how many they are. */
function group({ name }, views, draw) {
  const items = views.map(draw);
  items[0]?.prepend(make(`div.group-head.${name}`, {}, make("h2", {}, textOf("group", name)), make("b", {}, String(views.length))));
  return items;
}

/** Draw the list anew; whatever had the focus keeps it. */
export function drawCards(list, model, chosen, open) {
  const focused = document.activeElement?.closest?.(".card")?.dataset.board;
  const boards = model.sorted();
  const groups = GROUPS.map((each, index) =>
    group(each, boards.filter(({ rank }) => rank <= each.last && rank > (GROUPS[index - 1]?.last ?? -1)), (view) => card(view, model, chosen, open)));
  list.replaceChildren(...groups.flat());
  if (boards.length === 0) list.append(make("li.none", {}, text(model.heard ? "list.none" : "link.connecting")));
  if (focused) list.querySelector(`[data-board="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/** Let all dials on the page go on. */
export function drawDials(model) {
  const now = performance.now();
  for (const dial of document.querySelectorAll("[data-dial]")) {
    const face = model.faces.get(dial.dataset.dial);
    const index = Number(dial.dataset.index);
    const words = face ? spell(remaining(face, index, now)) : "";
    write(dial, words);
    dial.classList.toggle("running", face?.running === SIDES[index]);
    dial.classList.toggle("flagged", Boolean(face?.flagged[index]));
  }
}
