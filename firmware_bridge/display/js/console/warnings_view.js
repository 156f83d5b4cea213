/**
 * The list of warnings of the event, as it is announced after a round (2.4.10).
 */

import { settings, text, textOf } from "../texts.js";
import { toast } from "./confirm.js";
import { make } from "./dom.js";
import { post } from "./send.js";
import { refusalOf } from "./words.js";

async function takeBack(each) {
  const { ok, body } = await post(`/warnings/${encodeURIComponent(each.key)}/take_back`, { reason: "" });
  if (!ok) toast(text("console.refused", { why: refusalOf(body) }), { bad: true });
}

function row(each) {
  const mine = each.given_by === settings.me.name && each.taken_back === null;
  return make(
    `tr${each.taken_back === null ? "" : ".taken-back"}`,
    {},
    make("td.name", {}, each.person),
    make("td", {}, textOf("step", String(each.level))),
    make("td", {}, [each.round ? text("round.number", { n: each.round }) : "", each.board].filter(Boolean).join(" · ")),
    make("td", {}, [each.article, each.reason && (textOf("fault", each.reason) || each.reason)].filter(Boolean).join(" ")),
    make("td", {}, each.given_by),
    make("td", {}, mine ? make("button.plain", { on: { click: () => takeBack(each) } },
      text("console.take_back")) : each.taken_back === null ? "" : text("console.taken_back")),
  );
}

/** Draw the list. */
export function drawWarnings(room, model) {
  room.replaceChildren(
    make("h2", {}, text("console.warnings")),
    model.warnings.length
      ? make("table.games", {}, make("tbody", {}, ...model.warnings.map(row)))
      : make("p.none", {}, text("console.no_warnings")),
  );
}
