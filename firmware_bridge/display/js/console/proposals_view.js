/**
 * What the law proposes at a board beside its rulings: warnings that are due, time for an offence, a game postponed.
 */

import { SIDES } from "../seating.js";
import { text, textOf } from "../texts.js";
import { action, field } from "./blocks.js";
import { refused } from "./confirm.js";
import { make } from "./dom.js";
import { post } from "./send.js";
import { articlesOf, nameOf, rightToWarn, warningOf } from "./words.js";

const NOT_BEGUN = ["assigned", "setting_up", "ready"];
const NOT_SIGNED = "sheet_not_signed";

/** Write something down that no board is told. */
const write = (path, body) => async () => {
  const { ok, body: told } = await post(path, body());
  if (!ok) refused(told, { stays: true });
};

const words = () => make("input", { type: "text", maxLength: 160, required: true });

/** A warning that is due, with what may stand against it: a signature on paper, a protest (2.10.9). */
function proposed(view, each) {
  const level = view.steps[SIDES.indexOf(each.side)];
  const head = [textOf("proposal", each.code), each.person].join(": ");
  const lines = [warningOf(level, each.person), articlesOf(each.articles)];
  const warn = action(view, head, rightToWarn(view, each.side), { lines, commands: each.commands, danger: true },
    { primary: each.warns, small: lines.join(" · "), data: { proposal: `${each.code}-${each.side}` } });
  if (each.code !== NOT_SIGNED) return [warn];
  const game = `/games/${encodeURIComponent(view.fixture.key)}`;
  const signed = { run: write(`${game}/sign`, () => ({ side: each.side })) };
  const [who, why] = [words(), words()];
  const protest = {
    fields: [field(text("console.filed_by"), who), field(text("console.reason"), why)],
    run: write(`${game}/protest`, () => ({ filed_by: who.value, reason: why.value })),
  };
  return [
    warn,
    action(view, text("console.has_signed", { name: each.person }), "submit", signed, { small: "2.10.2" }),
    action(view, text("console.protest"), "submit", protest, { small: "2.10.1" }),
  ];
}

/** The block of what is proposed; null where nothing is. */
export function proposalsBlock(view) {
  const found = view.proposals ?? [];
  if (!found.length) return null;
  return make("article.focus.proposed", {}, make("h2", {}, text("console.proposed")),
    make("div.offers", {}, ...found.flatMap((each) => proposed(view, each))));
}

const minutesOf = (seconds) => `${seconds > 0 ? "+" : "−"}${Math.round((Math.abs(seconds) / 60) * 100) / 100}`;

/** What the event takes from an offender and gives to his opponent (2.4.8); [] where it names no amount. */
function penalties(view) {
  return SIDES.filter((side) => view.penalty?.[side]?.commands.length).map((side) => {
    const { commands, articles, decider } = view.penalty[side];
    const title = text("console.time_penalty", { name: nameOf(view, side) });
    const lines = commands.map((each) => text("console.penalty_minutes", { name: nameOf(view, each.side), n: minutesOf(each.seconds) }));
    const asked = decider === "arbiter_with_chief" ? [text("console.ask_chief")] : [];
    const small = [...lines, articlesOf(articles)].join(" · ");
    return action(view, title, "clock", { lines: [...lines, ...asked], commands }, { small });
  });
}

/** A game that has not begun is postponed by the chief panel (2.8.1). */
function postponing(view) {
  const game = NOT_BEGUN.includes(view.state?.phase) ? view.fixture : view.planned;
  if (!game || (game === view.planned && game.key === view.state?.game) || game.postponed !== null || game.score !== null) return [];
  const why = words();
  const title = text("console.postpone", { one: game.bastaushy, other: game.qostaushy });
  const wish = {
    fields: [field(text("console.reason"), why)],
    run: write(`/games/${encodeURIComponent(game.key)}/postpone`, () => ({ reason: why.value })),
  };
  return [action(view, title, "panel", wish, { small: "2.8.1" })];
}

/** Groups for what is possible at any time: the event's amounts of time, a game postponed; who writes. */
export function lawGroups(view) {
  const groups = [
    [text("console.penalties_of_time"), penalties(view)],
    [text("console.postponing"), postponing(view)],
  ].filter(([, buttons]) => buttons.length);
  const sheets = view.sheets ? [make("p.sheets", {}, `${text(view.sheets.written ? "paper.sheets" : "paper.no_sheets")} (${articlesOf(view.sheets.articles)})`)] : [];
  return [
    ...groups.map(([head, buttons]) => make("section.group", {}, make("h3", {}, head), make("div.offers", {}, ...buttons))),
    ...sheets,
  ];
}
