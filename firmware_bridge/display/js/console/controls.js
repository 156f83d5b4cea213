/**
 * What an arbiter may do at any time: clocks, warnings, calls, the end of a game, moves nobody saw.
 */

import { SIDES } from "../seating.js";
import { text } from "../texts.js";
import { adjourn } from "./adjourn_view.js";
import { action, choice, field } from "./blocks.js";
import { make } from "./dom.js";
import { nameOf, rightToWarn, warningOf } from "./words.js";

const EARLY = 4; // plies in which a wrong set-up still shows
const REASONS = ["resignation", "agreement", "flag", "forfeit", "arbiter"];
const SCORES = ["1-0", "1/2-1/2", "0-1", "0-0"];

function clocks(view) {
  const { phase } = view.state;
  const inPlay = phase === "playing" || phase === "suspended";
  if (!inPlay || !view.state.clock) return [];
  const stands = phase === "suspended";
  const stop = stands
    ? action(view, text("console.do_resume"), "rule", { commands: [{ do: "resume" }] })
    : action(view, text("console.do_suspend"), "rule", { commands: [{ do: "suspend", reason: "arbiter" }] });
  return [stop, adjust(view), set(view)];
}

function adjust(view) {
  const whose = choice(["bastaushy", "qostaushy", "both"], "side");
  [...whose.options].forEach((option) => (option.textContent = option.value === "both" ? text("console.both") : nameOf(view, option.value)));
  const minutes = make("input", { type: "number", step: 0.5, value: 1, min: -600, max: 600, inputMode: "decimal" });
  const fields = [field(text("console.whose"), whose), field(text("console.minutes"), minutes)];
  const more = () => [{ do: "adjust", side: whose.value, seconds: Math.round(Number(minutes.value) * 60), reason: "2.4.8" }];
  return action(view, text("console.do_adjust"), "clock", { fields, more });
}

function set(view) {
  const dials = SIDES.map((side) => {
    const input = make("input", { type: "text", placeholder: "12m30s", pattern: "([0-9]+h)?([0-9]+m)?([0-9]+s)?", autocapitalize: "none" });
    return [side, input];
  });
  const fields = dials.map(([side, input]) => field(nameOf(view, side), input));
  const more = () => [
    { do: "clock", reason: "arbiter", ...Object.fromEntries(dials.filter(([, input]) => input.value).map(([side, input]) => [side, input.value])) },
  ];
  return action(view, text("console.do_clock"), "clock", { fields, more });
}

function warn(view, side) {
  const name = nameOf(view, side);
  const article = make("input", { type: "text", placeholder: "2.3.9", maxLength: 20 });
  const reason = make("input", { type: "text", maxLength: 160 });
  const level = view.steps[SIDES.indexOf(side)];
  const more = () => [{ do: "warn", side, article: article.value.trim(), reason: reason.value.trim() }];
  const fields = [field(text("console.article"), article), field(text("console.reason"), reason)];
  const title = warningOf(level, name);
  return action(view, text("console.warn", { name }), rightToWarn(view, side), { title, fields, more, danger: true });
}

function end(view) {
  const score = choice(SCORES, "score");
  const reason = choice(REASONS, "reason");
  const fields = [field(text("console.score", { name: nameOf(view, SIDES[0]) }), score), field(text("console.reason"), reason)];
  const more = () => [{ do: "end", score: score.value, reason: reason.value }];
  return action(view, text("console.do_end"), "submit", { fields, more, danger: true });
}

function enter(view) {
  const moves = make("input", { type: "text", placeholder: "7:6 9-8", maxLength: 200, autocapitalize: "none" });
  const more = () => [{ do: "enter", moves: moves.value.trim() }];
  return action(view, text("console.do_enter"), "rule", { fields: [field(text("console.moves"), moves)], more });
}

function takeBack(view) {
  const count = make("input", { type: "number", min: 1, max: Math.max(1, view.state.ply), value: 1, inputMode: "numeric" });
  const more = () => [{ do: "rule", decision: "taken_back", take_back: Number(count.value), reason: "arbiter" }];
  return action(view, text("console.do_take_back"), "rule", { fields: [field(text("console.plies"), count)], more });
}

function offer(view, side) {
  return action(view, text("console.do_offer_draw", { name: nameOf(view, side) }), "rule", { commands: [{ do: "offer_draw", side, heard: true }] });
}

/** A player says that the stones did not lie right at the start (2.9.5); a game of many moves began right. */
function complain(view, side) {
  const title = text("console.complain", { name: nameOf(view, side) });
  const lines = view.state.phase === "playing" ? [text("console.complain_means")] : [];
  return action(view, title, "rule", { title, lines, commands: [{ do: "complain", side }] });
}

/** Everything that is possible in the phase of the table, folded away until it is wanted. */
export function controls(view) {
  const { phase, ply } = view.state;
  const inPlay = phase === "playing" || phase === "suspended";
  const setUp = inPlay || phase === "setting_up" || phase === "ready";
  const groups = [
    [text("console.clocks"), clocks(view)],
    [text("console.warnings"), phase === "unassigned" || phase === "released" ? [] : SIDES.map((side) => warn(view, side))],
    [text("console.game"), inPlay ? [...SIDES.map((side) => offer(view, side)), end(view), ...(view.sealed ? [] : [adjourn(view)])] : []],
    [text("console.set_up"), setUp && ply <= EARLY ? SIDES.map((side) => complain(view, side)) : []],
    [text("console.position"), inPlay ? [enter(view), ...(ply > 0 ? [takeBack(view)] : [])] : []],
  ].filter(([, buttons]) => buttons.length);
  return groups.map(([head, buttons]) => make("section.group", {}, make("h3", {}, head), make("div.offers", {}, ...buttons)));
}
