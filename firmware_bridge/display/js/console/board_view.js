/**
 * One board as an arbiter sees it: what it needs, what can be done, what was decided.
 */

import { SIDES } from "../seating.js";
import { age, text, textOf } from "../texts.js";
import { give, UNDO_MS } from "./confirm.js";
import { controls } from "./controls.js";
import { diagram } from "./diagram.js";
import { make } from "./dom.js";
import { focusBlock } from "./focus.js";
import { infractionBlock } from "./infraction_view.js";
import { lawGroups, proposalsBlock } from "./proposals_view.js";
import { orderOf, nameOf, refusalOf, versionOf } from "./words.js";

let bottom = SIDES[0];
let unfolded = false;

function player(view, side) {
  const index = SIDES.indexOf(side);
  const warned = view.warned[index].filter((each) => each.taken_back === null).length;
  return make(
    "div.player",
    { data: { side } },
    make("p.side", {}, make("span", {}, textOf("side", side)), warned ? make("span.badge", { title: text("console.warnings_so_far",
      { n: warned }) }, `⚠ ${warned}`) : null),
    make("b.name", {}, nameOf(view, side)),
    make("time.dial", { data: { dial: view.board, index } }),
    make("span.kazan", { title: text("console.kazan") }, view.state ? String(view.state.position.kazans[index]) : ""),
  );
}

function now(view, redraw) {
  const { position, last } = view.state;
  const stones = [...position.pits, ...position.kazans];
  const path = last ? last.path.slice(-1) : [];
  const turn = make("button.quiet", { on: { click: () => ((bottom = SIDES.find((side) => side !== bottom)), redraw()) } }, "⇅ ",
    text("console.turn"));
  return make(
    "figure.now",
    {},
    make("figcaption", {}, text("console.position_now", { n: view.state.ply }), turn),
    diagram(stones, { bottom, tuzdyks: position.tuzdyks, path, label: text("console.position_now", { n: view.state.ply }) }),
  );
}

/** One order in the list, with its way back while there is one. */
function ruling(view, each, model) {
  const passed = model.since(each.at_ms);
  const undone = view.rulings.some((other) => other.undoes === each.id && other.outcome === "accepted");
  const undo = each.undo && each.outcome === "accepted" && !undone && passed < UNDO_MS && each.game === (view.state?.game ?? "");
  const words = each.outcome === "accepted" ? orderOf(view, each) : `${orderOf(view, each)} — ${textOf("order",
    each.outcome)} ${each.outcome === "refused" ? refusalOf(each) : ""}`;
  return make(
    `li.${each.outcome}`,
    { data: { ruling: each.id } },
    make("time", { data: { since: each.at_ms } }, age(passed)),
    make("b", {}, each.given_by),
    make("span", {}, words),
    undo ? make("button.undo", { on: { click: () => give(view, each.undo, each.id) } }, text("console.undo")) : null,
  );
}

function decided(view) {
  return view.infractions
    .filter((each) => each.settled !== null)
    .map((each) => make("li", {}, make("b", {}, each.by || text("board.word")), make("span", {}, `${textOf("offer",
      each.settled) || each.settled} — ${each.number}`)));
}

/** Draw a board into the room for it. */
export function drawBoard(room, view, model, redraw) {
  const open = view.infractions.filter((each) => each.settled === null);
  const more = make("details.more", { open: unfolded }, make("summary", {}, text("console.more")));
  more.addEventListener("toggle", () => (unfolded = more.open));
  if (view.state) more.append(...controls(view), ...lawGroups(view));
  room.dataset.board = view.board;
  room.replaceChildren(
    make(
      "header.board-head",
      {},
      make("h1", {}, view.board),
      make("span.need", { data: { need: view.need } }, textOf("need", view.need)),
      view.fixture?.round ? make("span.round", {}, text("round.number", { n: view.fixture.round })) : null,
      make("a.watch", { href: `/board/${view.board}`, target: "_blank" }, text("console.open_page")),
    ),
    ...[versionOf(view)].filter(Boolean).map((words) => make("p.other-version", {}, words)),
    model.commands ? "" : make("p.no-keys", {}, text("order.no_keys")),
    view.state ? make("div.players", {}, ...SIDES.map((side) => player(view, side))) : "",
    ...open.map((each) => infractionBlock(view, each, model, bottom)),
    ...(open.length ? [] : [focusBlock(view)].filter(Boolean)),
    ...[proposalsBlock(view)].filter(Boolean),
    ...(view.state && !open.length ? [now(view, redraw)] : []),
    more,
    make("section.log", {}, make("h3", {}, text("console.rulings")), make("ol", {}, ...view.rulings.map((each) => ruling(view, each, model)),
      ...(view.rulings.length ? [] : decided(view)))),
  );
}
