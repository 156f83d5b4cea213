/**
 * What the console knows: every board as the hall told it last, and the games and warnings of the event.
 */

import { follow } from "../clockwork.js";
import { settings } from "../texts.js";

export class Model {
  constructor() {
    this.boards = new Map();
    this.faces = new Map();
    this.games = [];
    this.warnings = [];
    this.penalties = [];
    this.watched = [];
    this.commands = true;
    this.control = "";
    this.heard = false;
    this.lag = 0; // what the hall's clock is ahead of ours, in milliseconds
  }

  /** Take what has changed; returns the boards that newly need somebody. */
  take(message) {
    this.heard = true;
    this.lag = message.sent_ms - Date.now();
    this.commands = message.commands;
    this.control = message.control;
    if (message.games) this.games = message.games;
    if (message.warnings) this.warnings = message.warnings;
    if (message.penalties) this.penalties = message.penalties;
    if (message.watched) this.watched = message.watched;
    for (const board of [...this.boards.keys()]) if (!message.known.includes(board)) this.boards.delete(board);
    const rung = [];
    for (const view of message.boards) {
      const before = this.boards.get(view.board);
      if (view.loud && needKey(before) !== needKey(view)) rung.push(view);
      this.boards.set(view.board, view);
      this.clock(view.board, view.state?.clock ?? null);
    }
    return rung;
  }

  clock(board, clock) {
    this.faces.set(board, follow(clock, performance.now(), this.faces.get(board)));
  }

  /** The boards, the most urgent first; of equal ones who waits longest, then by name, numbers as numbers. */
  sorted() {
    const order = new Intl.Collator(settings.language, { numeric: true });
    const waits = (view) => sinceOf(view) ?? Infinity;
    const longer = (one, two) => (waits(one) === waits(two) ? 0 : waits(one) - waits(two));
    return [...this.boards.values()].sort((one, two) => one.rank - two.rank || longer(one, two) || order.compare(one.board, two.board));
  }

  /** The rounds that have games, in order; 0 where a board plays one that no pairing names. */
  get rounds() {
    return [...new Set(this.games.map((game) => game.round))].sort((a, b) => a - b);
  }

  /** How many boards need somebody now. */
  get loud() {
    return this.sorted().filter((view) => view.loud).length;
  }

  /** Milliseconds since a moment of the hall's wall clock. */
  since(ms) {
    return Math.max(0, Date.now() + this.lag - ms);
  }
}

/** Since when a board needs what it needs, by the hall's wall clock; null where nobody knows. */
export function sinceOf(view) {
  if (view.since_ms !== null) return view.since_ms;
  const { age_ms } = view.presence;
  return view.need === "offline" && age_ms !== null ? view.sent_ms - age_ms : null;
}

/** What makes a need another one than before: a second infraction rings again. */
function needKey(view) {
  if (!view) return "";
  const open = view.infractions.filter((each) => each.settled === null).map((each) => each.number);
  return `${view.need} ${open} ${view.called?.at_ms ?? ""}`;
}

/** Whether whoever uses this page may do something. */
export const may = (right) => settings.me.rights.includes(right);
