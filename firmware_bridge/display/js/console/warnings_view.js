/**
 * The list of warnings of the event, as it is announced after a round (2.4.10), and what the chief panel imposed.
 */

import { because, settings, text, textOf } from "../texts.js";
import { refused } from "./confirm.js";
import { make } from "./dom.js";
import { may } from "./model.js";
import { post } from "./send.js";

const KINDS = ["warn_representative", "expel_player", "expel_representative", "team_loses", "arbiter"];

async function change(path, body = { reason: "" }) {
  const { ok, body: told } = await post(path, body);
  if (!ok) refused(told);
  return ok;
}

function back(each, kind, mine) {
  if (each.taken_back !== null) return text("console.taken_back_by", { name: each.taken_back_by });
  const path = `/${kind}/${encodeURIComponent(each.key)}/take_back`;
  return mine ? make("button.plain", { on: { click: () => change(path) } }, text("console.take_back")) : "";
}

function row(each) {
  const against = each.against ? `: ${each.against}` : "";
  return make(
    `tr${each.taken_back === null ? "" : ".taken-back"}`,
    {},
    make("td.name", {}, each.person),
    make("td", {}, `${textOf("step", String(each.level))}${against}`),
    make("td", {}, [each.round ? text("round.number", { n: each.round }) : "", each.board].filter(Boolean).join(" · ")),
    make("td", {}, [each.article, because("fault", each.reason)].filter(Boolean).join(" ")),
    make("td", {}, each.given_by),
    make("td", {}, back(each, "warnings", each.given_by === settings.me.name || may("panel"))),
  );
}

function penalty(each) {
  return make(
    `tr${each.taken_back === null ? "" : ".taken-back"}`,
    {},
    make("td.name", {}, each.person),
    make("td", {}, textOf("penalty", each.kind)),
    make("td", {}, each.round ? text("round.number", { n: each.round }) : ""),
    make("td", {}, `${each.articles.replaceAll(" ", ", ")} ${each.reason}`),
    make("td", {}, each.given_by),
    make("td", {}, back(each, "penalties", may(each.kind === "arbiter" ? "arbiters" : "panel"))),
  );
}

function punish() {
  const kinds = KINDS.filter((kind) => may(kind === "arbiter" ? "arbiters" : "panel"));
  const kind = make("select", { name: "kind" }, ...kinds.map((value) => make("option", { value }, textOf("penalty", value))));
  const person = make("input", { name: "person", required: true, maxLength: 80, placeholder: text("paper.person") });
  const number = make("input", { name: "round", type: "number", min: 0, max: 99, placeholder: text("paper.round") });
  const reason = make("input", { name: "reason", required: true, maxLength: 160, placeholder: text("paper.reason") });
  const send = async (event) => {
    event.preventDefault();
    const body = { kind: kind.value, person: person.value, round: Number(number.value), reason: reason.value };
    if (await change("/penalties", body)) event.target.reset();
  };
  return make("form.typed", { on: { submit: send } }, number, person, kind, reason, make("button.plain", {}, text("console.punish")));
}

const papers = (rounds) =>
  make("nav.rounds", {}, ...rounds.map((n) => make("a.quiet", { href: `/api/console/papers/warnings?round=${n}&lang=${settings.language}`,
    target: "_blank" }, text("paper.warnings", { n }))));

/** Draw the list. */
export function drawWarnings(room, model) {
  const list = (rows, none) => (rows.length ? make("table.games", {}, make("tbody", {}, ...rows)) : make("p.none", {}, none));
  room.replaceChildren(
    make("h2", {}, text("console.warnings")),
    papers(model.rounds.filter(Boolean)),
    list(model.warnings.map(row), text("console.no_warnings")),
    ...(model.watched.length ? [make("p", {}, text("paper.watched", { names: model.watched.join(", ") }))] : []),
    make("h2", {}, text("console.penalties")),
    list(model.penalties.map(penalty), text("console.no_penalties")),
    ...(may("panel") ? [punish()] : []),
  );
}
