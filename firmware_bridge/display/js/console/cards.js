/**
 * All boards at a glance, the one that needs somebody most first.
 */

import { remaining, spell } from "../clockwork.js";
import { SIDES } from "../seating.js";
import { age, text, textOf } from "../texts.js";
import { make } from "./dom.js";
import { faultOf, nameOf } from "./words.js";

/** The one line that says why a board is where it is in the list. */
function why(view, model) {
  const open = view.infractions.find((each) => each.settled === null);
  if (open) return `${faultOf(view, open.faults[0])} · ${age(model.since(open.at_ms))}`;
  if (view.called) {
    const who = view.called.side ? nameOf(view, view.called.side) : text("console.somebody");
    return `${text("console.calls", { name: who })} · ${age(model.since(view.called.at_ms))}`;
  }
  if (view.need === "flag") return view.flag ? view.flag.sides.map((side) => nameOf(view, side)).join(", ") : "";
  if (view.need === "offline") return textOf("link", view.presence.reason);
  if (view.need === "unread") return textOf("watch", view.state.watch.sensed);
  if (view.need === "draw") return text("console.offers_draw", { name: nameOf(view, view.draw.open) });
  if (view.need === "result") return `${view.state.result.score} · ${textOf("reason", view.state.result.reason) || view.state.result.reason}`;
  if (view.need === "not_started") return readiness(view);
  return "";
}

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
      make("b", {}, nameOf(view, side)),
      make("i.kazan", {}, state ? String(state.position.kazans[index]) : ""),
      make("time", { data: { dial: view.board, index } }),
    ),
  );
  const link = make(
    "button.card",
    { data: { board: view.board, need: view.need }, on: { click: () => open(view.board) }, aria: { current: String(view.board === chosen) } },
    make("span.id", {}, view.board),
    make("span.need", { data: { need: view.need } }, textOf("need", view.need)),
    make("span.pair", {}, ...players),
    make("span.why", {}, why(view, model)),
  );
  link.classList.toggle("loud", view.loud);
  return make("li", {}, link);
}

/** Draw the list anew; whatever had the focus keeps it. */
export function drawCards(list, model, chosen, open) {
  const focused = document.activeElement?.closest?.(".card")?.dataset.board;
  const boards = model.sorted();
  list.replaceChildren(...boards.map((view) => card(view, model, chosen, open)));
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
    if (dial.textContent !== words) dial.textContent = words;
    dial.classList.toggle("running", face?.running === SIDES[index]);
    dial.classList.toggle("flagged", Boolean(face?.flagged[index]));
  }
}
