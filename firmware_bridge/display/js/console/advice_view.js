/**
 * What the board proposes by the rulebook, with its articles, beside the buttons.
 */

import { text, textOf } from "../texts.js";
import { make } from "./dom.js";
import { articlesOf, nameOf } from "./words.js";

const DECIDERS = { panel: text("console.decides_panel"), arbiter_with_chief: text("console.decides_chief") };

/** One proposal as a line: what, on which articles, and who decides where that is not the arbiter at the board. */
function line(view, { code, side, articles, decider, due, made, score }) {
  const known = textOf("advice", code);
  const words = known ? text(`advice.${code}`, { name: side ? nameOf(view, side) : text("console.both"), due, made }) : code.replaceAll("_", " ");
  return [score ? `${words}: ${score}` : words, articlesOf(articles), DECIDERS[decider]].filter(Boolean).join(" · ");
}

/** What is proposed about something, the first as the proposal, the others as what else there is; null: nothing. */
export function advised(view, abouts, infraction = null) {
  const found = view.advice.filter((each) => abouts.includes(each.about) && (infraction === null || each.infraction === infraction));
  if (!found.length) return null;
  const shown = found.map((each) => (each.instead ? make("li.instead", {}, text("console.or"), " ", line(view, each)) : make("li", {}, line(view, each))));
  return make("div.advice", {}, make("p", {}, text("console.advises")), make("ul", {}, ...shown));
}

/** The code of the button that carries out the first proposal about an infraction; empty where it has none. */
export function proposedOffer(view, infraction) {
  const first = view.advice.find((each) => each.about === "infraction" && each.infraction === infraction && !each.instead);
  return { correct: "corrected", restore: "restored", let_stand: "stands" }[first?.ends] ?? "";
}
