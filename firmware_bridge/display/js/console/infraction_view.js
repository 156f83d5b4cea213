/**
 * An infraction drawn: what lay there before, what lies there, what was due, and what can be decided.
 */

import { spell } from "../clockwork.js";
import { pitIndex } from "../seating.js";
import { age, because, text, textOf } from "../texts.js";
import { advised, proposedOffer } from "./advice_view.js";
import { ask } from "./confirm.js";
import { diagram } from "./diagram.js";
import { make } from "./dom.js";
import { may } from "./model.js";
import { articlesOf, carryOf, faultOf, nameOf } from "./words.js";

const SURE = 0.9; // below it an arbiter is told how sure the board is
const stonesOf = (position) => [...position.pits, ...position.kazans];

function picture(name, words, svg) {
  return make("figure", { data: { picture: name } }, make("figcaption", {}, words), svg);
}

/** Which stones the first button wants carried, in words. */
function carried(view, carries) {
  if (!carries.length) return "";
  const lines = carries.map((carry) => make("li", {}, carryOf(view, carry)));
  return make("div.carries", {}, make("p", {}, text("console.to_carry")), make("ul", {}, ...lines));
}

/** What lies wrongly, where the first button carries nothing: as a correction would have it, else as before. */
const amiss = ({ offers }) => ["corrected", "restored"].map((code) => offers.find((each) => each.code === code)?.carries ?? [])
  .find((carries) => carries.length) ?? [];

function pictures(view, each, carries, bottom) {
  const { before, seen, due } = each.drawn;
  const shared = { bottom, tuzdyks: before?.tuzdyks ?? view.state.position.tuzdyks };
  const made = [];
  const wrong = carries.length ? carries : amiss(each.drawn);
  if (seen.length) made.push(picture("seen", text("console.seen"), diagram(seen, { ...shared, carries: wrong, label: text("console.seen") })));
  if (before) {
    const origin = due ? pitIndex(due.side, due.number) : null;
    made.push(picture("before", text("console.before"), diagram(stonesOf(before),
      { ...shared, origin, path: due?.path ?? [], label: text("console.before") })));
  }
  if (due) {
    made.push(picture("due", text("console.due", { move: due.text }), diagram(stonesOf(due.after),
      { ...shared, tuzdyks: due.after.tuzdyks, path: due.path.slice(-1), label: text("console.due", { move: due.text }) })));
  }
  const [first, ...others] = made;
  return [make("div.shown", {}, first ?? "", carried(view, carries)), make("div.others", {}, ...others)];
}

/** The words of a button: what it does, with the move it leads to. */
function titleOf(offer, each) {
  const words = textOf("offer", offer.code);
  return offer.code === "corrected" && each.drawn.due ? `${words} · ${each.drawn.due.text}` : words;
}

function decide(view, each, offer) {
  const name = nameOf(view, each.side);
  const stops = offer.commands.some((command) => command.do === "suspend");
  const enters = offer.commands.find((command) => command.do === "enter");
  ask(view, {
    title: titleOf(offer, each),
    infraction: each.number,
    lines: [
      text(`offer.${offer.code}_means`),
      enters ? text("console.enters", { moves: enters.moves }) : "",
      ...offer.carries.map((carry) => carryOf(view, carry)),
      stops ? text("console.stops_clock") : "",
    ].filter(Boolean),
    commands: offer.commands,
    warn: { side: each.side, name, level: each.step, article: each.faults[0]?.articles?.[0] ?? "", on: offer.warns, reason: each.codes[0] },
    danger: offer.code === "dismissed",
  });
}

function button(view, each, offer, index) {
  const first = index === 0;
  const extra = offer.warns ? `+ ${textOf("step", String(each.step))}` : "";
  const made = make(
    `button.offer${first ? ".primary" : ".plain"}`,
    { data: { offer: offer.code, key: String(index + 1) }, disabled: !may("rule"), on: { click: () => decide(view, each, offer) } },
    make("b", {}, titleOf(offer, each)),
    make("small", {}, [extra, offer.articles.length ? articlesOf(offer.articles) : ""].filter(Boolean).join(" · ")),
    make("kbd", {}, String(index + 1)),
  );
  return made;
}

/** The buttons with the one that the board proposes first. */
const proposedFirst = (offers, code) => [...offers.filter((each) => each.code === code), ...offers.filter((each) => each.code !== code)];

/** The block of one open infraction. */
export function infractionBlock(view, each, model, bottom) {
  const late = each.drawn?.late ?? false; // the board counts final plies only: what it proposes is for a claim in time
  const all = proposedFirst(each.drawn?.offers ?? [], late ? "" : proposedOffer(view, each.number));
  const [offer] = all;
  const carries = offer?.carries ?? [];
  const [main, ...others] = each.faults;
  const clock = view.state?.clock;
  const unsure = each.confidence !== null && each.confidence < SURE;
  const sure = unsure ? text("console.confidence", { n: Math.round(each.confidence * 100) }) : "";
  const head = make(
    "header",
    {},
    make("p.kicker", {}, text("need.infraction"), " · ", make("time", { data: { since: each.at_ms } }, age(model.since(each.at_ms))),
      sure && ` · ${sure}`),
    make("h2", {}, faultOf(view, main)),
    ...others.map((fault) => make("p.also", {}, faultOf(view, fault))),
    make("p.facts", {}, make("span.articles", {}, articlesOf(each.faults.flatMap((fault) => fault.articles ?? []))),
      each.clock ? make("span.then", {}, dialsOf(view, each.clock)) : null,
      clock ? make("span", {}, clock.running ? text("console.clock_runs",
        { name: nameOf(view, clock.running) }) : text("console.clock_stands")) : null,
      make("span", {}, warnedSoFar(view, each.side))),
    each.second ? make("p.also", {}, text("console.or_else", { what: each.second.map((code) => because("fault", code)).join(", ") })) : null,
    each.reopened ? make("p.also", {}, text("console.reopened")) : null,
  );
  const offers = make("div.offers", {}, ...all.map((one, index) => button(view, each, one, index)));
  const advice = late ? make("div.advice", {}, make("p", {}, text("advice.sowing_claimed_late"))) : advised(view, ["infraction"], each.number);
  return make("article.case", { data: { infraction: each.number } }, head, advice, offers, ...(each.drawn ? pictures(view, each, carries, bottom) : []));
}

/** The dials as they stood when the board told of it, and whose ran. */
function dialsOf(view, { running, remaining_ms: left }) {
  const [first, second] = left.map(spell);
  const runs = running ? text("console.clock_runs", { name: nameOf(view, running) }) : text("console.clock_stands");
  return [text("console.dials_then", { first, second }), runs].join(" · ");
}

function warnedSoFar(view, side) {
  const listed = view.warned[side === "bastaushy" ? 0 : 1].filter((warned) => warned.taken_back === null);
  return listed.length ? text("console.warnings_so_far", { n: listed.length }) : text("console.no_warnings_yet");
}
