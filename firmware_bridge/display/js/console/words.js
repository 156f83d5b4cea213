/**
 * Places, stones and faults in words.
 */

import { SIDES, numberOfPit, sideOfPit } from "../seating.js";
import { because, knows, text, textOf } from "../texts.js";

const KAZANS = 18;

/** The name of who plays a side; the side itself where nobody is named. */
export function nameOf(view, side) {
  return view.names[SIDES.indexOf(side)] || textOf("side", side);
}

/** A pit by number and owner, for a language to put where they belong. */
const pitOf = (view, index) => ({ n: numberOfPit(index), owner: nameOf(view, sideOfPit(index)) });

/** Any place, as it stands in a sentence by itself. */
export function placeOf(view, place) {
  if (place === "hand") return text("console.hand");
  if (place === "beside") return text("console.beside");
  if (place >= KAZANS) return text("console.kazan_of", { name: nameOf(view, SIDES[place - KAZANS]) });
  return text("console.pit_of", pitOf(view, place));
}

/** What somebody did, as a sentence. */
export function faultOf(view, fault) {
  if (!knows(`infraction.${fault.fault}`)) return fault.fault.replaceAll("_", " ");
  const pit = fault.pit === null || fault.pit === undefined ? "?" : fault.pit;
  const words = {
    player: nameOf(view, fault.offender),
    opponent: nameOf(view, fault.offender === SIDES[0] ? SIDES[1] : SIDES[0]),
    stones: fault.stones ?? "?",
    ...(pit === "?" || pit >= KAZANS ? { n: "?", owner: "?" } : pitOf(view, pit)),
    place: pit === "?" ? pit : placeOf(view, pit),
    places: (fault.places ?? []).map((place) => placeOf(view, place)).join(", ") || "?",
  };
  const told = text(`infraction.${fault.fault}`, words);
  return told.includes("?") ? `${nameOf(view, fault.offender)}: ${text(`fault.${fault.fault}`)}` : told;
}

/** What the board says is wrong, in words; its own where there are no others. */
export function noteOf(view, { code, pit, kazan, detail, why, values = {} }) {
  const spot = kazan ? KAZANS + SIDES.indexOf(kazan) : pit;
  const place = spot === null || spot === undefined ? "" : placeOf(view, spot);
  const cause = why ? text(`wrong.why.${why}`, values) : detail;
  const told = text(`wrong.${code}`, { detail, ...values, place, why: cause });
  const whole = knows(`wrong.${code}`) && !told.includes("{");
  return whole ? told : [place, detail].filter(Boolean).join(": ");
}

/** How a board's program differs from the hall's; empty where it does not. */
export const versionOf = ({ version }) => (version ? text(`version.${version.kind}`, version) : "");

/** One handful to be carried. */
export function carryOf(view, [from, to, stones]) {
  return text("console.carry", { n: stones, from: placeOf(view, from), to: placeOf(view, to) });
}

/** Seconds given, with their sign; of who came late what stands in the order. */
const secondsOf = ({ seconds, late }) => (seconds > 0 ? `+${seconds}` : seconds ?? `−${late}`);

/** Which articles something rests on, as `1.3.2, 2.4.5`. */
export const articlesOf = (articles) => [...new Set(articles)].join(", ");

/** What came of an order that was not carried out. */
export function refusalOf({ code = "", error = "", detail = "", message = "", phase = "" }) {
  const reason = code || error;
  const known = textOf("order", reason) || textOf("refused", reason);
  const where = phase ? `: ${textOf("phase", phase)}` : "";
  return known ? known.replace("{why}", detail).replace(": {phase}", where) : detail || message || reason;
}

/** A step of the ladder, and whose it is. */
export const warningOf = (level, name) => `${textOf("step", String(level))}: ${name}`;

/** Whose right a player's next warning is: the last step of the ladder is the chief panel's (2.4.7). */
export const rightToWarn = (view, side) => (view.ladder[SIDES.indexOf(side)].decider === "panel" ? "panel" : "rule");

/** An order in words, from its commands. */
export function orderOf(view, ruling) {
  const told = ruling.commands.map((command) => commandOf(view, command)).join(" · ");
  return ruling.undoes ? text("console.undone", { what: told }) : told;
}

function commandOf(view, command) {
  const name = command.side && command.side !== "both" ? nameOf(view, command.side) : text("console.both");
  switch (command.do) {
    case "rule":
      return textOf("offer", command.decision);
    case "close":
      return textOf("offer", command.closing);
    case "warn":
      return warningOf(command.level, name);
    case "adjust":
      return text("console.adjusted", { name, n: secondsOf(command) });
    case "end":
      return text("console.ended", { score: command.score, reason: because("reason", command.reason) });
    default:
      return textOf("console", `do_${command.do}`) || command.do;
  }
}
