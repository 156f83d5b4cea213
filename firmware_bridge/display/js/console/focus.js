/**
 * What a board needs now, beside infractions: one block with the next action as its first button.
 */

import { SIDES } from "../seating.js";
import { because, text, textOf } from "../texts.js";
import { adjourned, opened } from "./adjourn_view.js";
import { advised } from "./advice_view.js";
import { action, block, choice, field } from "./blocks.js";
import { isSetUp, readiness } from "./cards.js";
import { ask, refused, toast } from "./confirm.js";
import { make } from "./dom.js";
import { may } from "./model.js";
import { post } from "./send.js";
import { articlesOf, carryOf, nameOf, noteOf } from "./words.js";

const SCORES = ["1-0", "1/2-1/2", "0-1"];
const MOST_LATE_MIN = 30; // more than that loses (2.7.6)

/** A player waits. That he called for nothing the board makes an infraction of its own, if the event punishes it (2.7.15). */
function called(view) {
  const name = view.called.side ? nameOf(view, view.called.side) : text("console.somebody");
  const answer = (groundless, resumes = true) => ({ commands: [{ do: "answer_call", groundless, resumes }] });
  return block(
    "called",
    text("console.calls", { name }),
    [advised(view, ["call", "setup"])],
    action(view, text("console.do_answer_call"), "rule", answer(false), { primary: true, key: "1" }),
    action(view, text("console.stays"), "rule", answer(false, false), { key: "2" }),
    action(view, text("console.groundless"), "rule", answer(true), { key: "3" }),
  );
}

function flag(view) {
  const { flag: call } = view;
  const names = call.sides.map((side) => nameOf(view, side)).join(", ");
  const calls = call.sides.map((side) => ({ do: "call_flag", side }));
  const choices = [call, ...call.alternatives].filter((each) => each.score || each.adds_s.some(Boolean));
  const buttons = choices.map((each, index) => {
    const words = each.score ? `${each.score} · ${textOf("reason", each.reason) || textOf("proposal", each.code)}` : text("console.add_both",
      { n: each.adds_s[0] / 60 });
    const commands = each.score
      ? [...calls, { do: "end", score: each.score, reason: each.reason ?? "flag" }]
      : [{ do: "adjust", side: "both", seconds: each.adds_s[0], reason: "2.7.14" }];
    const right = each.score ? "submit" : "clock";
    const small = [text(`advice.${each.code}`, { name: each.side ? nameOf(view, each.side) : "" }), articlesOf(each.articles)];
    return action(view, words, right, { commands, danger: Boolean(each.score) },
      { primary: index === 0, key: String(index + 1), small: small.filter(Boolean).join(" · ") });
  });
  const open = [call, ...call.alternatives].find((each) => each.code === "both_flags_discretion");
  const check = call.code === "flag_check_moves" ? text("console.check_moves") : "";
  if (open) buttons.push(discretion(view, calls, open));
  return block("flag", text("console.flag_down", { name: names }), [check, advised(view, ["quota", "flag"])], ...buttons, ...(check ? [suspend(view)] : []));
}

/** Both flags are down, no order decides, and nobody gives time: the panel says how it ends (2.4.5). */
function discretion(view, calls, { articles }) {
  const score = choice(SCORES, "score");
  const fields = [field(text("console.score", { name: nameOf(view, SIDES[0]) }), score)];
  const more = () => [...calls, { do: "end", score: score.value, reason: "arbiter" }];
  const title = text("advice.both_flags_discretion");
  return action(view, text("console.decide_flags"), "submit", { title, fields, more, danger: true }, { small: [title, articlesOf(articles)].join(" · ") });
}

const suspend = (view) => action(view, text("console.do_suspend"), "rule", { commands: [{ do: "suspend", reason: "arbiter" }] });

const notesOf = (view) => (view.state?.watch.notes ?? []).map((note) => noteOf(view, note));

/** The stones that are still to be carried: as the ruling has them, else what the board says. */
function toLay(view) {
  return view.lay.length ? [make("ul.lay", {}, ...view.lay.map((carry) => make("li", {}, carryOf(view, carry))))] : notesOf(view);
}

function trouble(view) {
  const dark = view.need === "offline";
  const head = dark ? textOf("link", view.presence.reason) : textOf("watch", view.state.watch.sensed);
  const stops = view.state?.phase === "playing" ? [suspend(view)] : [];
  return block("trouble", head, [dark ? text("console.go_offline") : text("console.go_unread"), ...notesOf(view)], ...stops);
}

function resting(view) {
  const right = view.state.watch.sensed === "matches";
  const goes = action(view, text("console.do_resume"), "rule", { commands: [{ do: "resume" }] }, { primary: right, key: "1" });
  goes.disabled ||= !right;
  const why = because("pause", view.state.pause);
  const lines = right ? [text("console.lies_right")] : [text("console.put_right_first"), ...toLay(view)];
  return block("resting", textOf("need", "suspended"), [why, opened(view), advised(view, ["seal", "setup"]), ...lines], goes);
}

function puttingRight(view) {
  if (view.state.phase === "suspended") return resting(view);
  return block("resting", textOf("need", "put_right"), [text("console.put_right_first"), ...toLay(view)], suspend(view));
}

function draw(view) {
  const name = nameOf(view, view.draw.open);
  const other = SIDES.find((side) => side !== view.draw.open);
  const answer = (accepted) => ({ commands: [{ do: "answer_draw", side: other, accepted }], danger: accepted });
  return block(
    "draw",
    text("console.offers_draw", { name }),
    [text("console.asks", { name: nameOf(view, other) }), advised(view, ["draw"])],
    action(view, text("console.draw_agreed"), "rule", answer(true), { key: "1" }),
    action(view, text("console.draw_declined"), "rule", answer(false), { key: "2" }),
  );
}

async function settle(fixture, body) {
  const { ok, body: told } = await post(`/games/${encodeURIComponent(fixture.key)}/result`, body);
  if (ok) toast(`${told.score}: ${textOf("standing", told.status)}`);
  else refused(told);
}

function result(view) {
  const { score, reason } = view.state.result;
  const { fixture } = view;
  const signed = SIDES.filter((_, index) => view.confirmed[index]).map((side) => nameOf(view, side));
  const lines = [
    because("reason", reason),
    signed.length ? text("console.confirmed_by", { name: signed.join(", ") }) : text("console.nobody_confirmed"),
    fixture ? textOf("standing", fixture.status) : "",
  ];
  const buttons = [];
  const settled = (words, body) => ask(view, { title: words, lines: [`${nameOf(view, SIDES[0])} – ${nameOf(view, SIDES[1])}`], run: () => settle(fixture, body) });
  const press = (words, right, body, primary) =>
    make(`button.offer${primary ? ".primary" : ".plain"}`, { disabled: !may(right), on: { click: () => settled(words, body) } },
      make("b", {}, words));
  if (fixture?.status === "proposed") buttons.push(press(text("console.confirm_result"), "submit", { status: "confirmed" }, !may("accept")));
  if (fixture) buttons.push(press(text("console.make_official", { score: fixture.score ?? score }), "accept",
    { status: "official", score: fixture.score ?? score }, may("accept")));
  return block("result", score, lines, ...buttons, release(view, !fixture));
}

const release = (view, primary) =>
  action(view, text("console.do_release"), "release", { commands: [{ do: "release" }], danger: true }, { primary });

function beforePlay(view) {
  const ready = view.state.phase === "ready";
  const begin = action(view, text("console.do_start"), "start_one", { commands: [{ do: "start" }] }, { primary: ready, key: "1" });
  begin.disabled ||= !isSetUp(view);
  const flip = make("button.offer.plain", { disabled: !may("pair") || !view.fixture, on: { click: () => turn(view) } }, make("b", {},
    text("console.flip")));
  return block("waiting", textOf("phase", view.state.phase), [readiness(view), ...notesOf(view)], begin, ...assign(view), flip,
    ...SIDES.map((side) => late(view, side)));
}

/** The button that gives a board the game planned for it; none where there is none. */
function assign(view) {
  const { planned } = view;
  if (!planned) return [];
  const give = async () => {
    const { ok, body } = await post(`/games/${encodeURIComponent(planned.key)}/assign`);
    if (!ok) refused(body);
  };
  const words = text("list.versus", { first: planned.bastaushy, second: planned.qostaushy });
  return [
    make("button.offer.primary", { disabled: !may("pair"), data: { key: "2" }, on: { click: give } }, make("b", {}, text("round.assign_one")),
      make("small", {}, `${text("round.number", { n: planned.round })} · ${words}`), make("kbd", {}, "2")),
  ];
}

async function turn(view) {
  const { ok, body } = await post(`/games/${encodeURIComponent(view.fixture.key)}/flip`);
  if (ok) toast(text("console.flipped", { name: body.bastaushy }));
  else refused(body);
}

/** A player who comes late is charged the time; more than thirty minutes lose, and the question says so (2.7.6). */
function late(view, side) {
  const name = nameOf(view, side);
  const score = side === SIDES[0] ? "0-1" : "1-0";
  const loses = make("p.danger", { hidden: true }, text("console.late_loses", { name, score }));
  const gone = () => absent.checked || Number(minutes.value) > MOST_LATE_MIN;
  const shown = { input: () => (loses.hidden = !gone()) };
  const minutes = make("input", { type: "number", min: 1, max: 120, value: 5, inputMode: "numeric", on: shown });
  const absent = make("input", { type: "checkbox", on: shown });
  const fields = [
    field(text("console.minutes_late"), minutes),
    make("label.warn", {}, absent, make("span", {}, text("console.absent"))),
    loses,
  ];
  const more = () => (gone() ? [{ do: "end", score, reason: "forfeit" }] : [{ do: "adjust", side, late: `${minutes.value || 1}m` }]);
  return action(view, text("console.late", { name }), "clock", { fields, more });
}

const FOCUS = {
  called,
  flag,
  offline: trouble,
  unread: trouble,
  put_right: puttingRight,
  suspended: resting,
  adjourned,
  draw,
  result,
  release: (view) => block("result", view.state.result?.score ?? "", [text("console.official_now")], release(view, true)),
  not_started: beforePlay,
  idle: (view) => (view.planned ? block("waiting", textOf("need", "idle"), [], ...assign(view)) : null),
};

/** The block of what a board needs; null where it needs nothing beside its infractions. */
export const focusBlock = (view) => (view.need in FOCUS ? FOCUS[view.need](view) : null);
