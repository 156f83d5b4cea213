/**
 * The step between a tap and an order, what came of it, and the way back.
 */

import { text } from "../texts.js";
import { make, part } from "./dom.js";
import { order } from "./send.js";
import { orderOf, refusalOf, warningOf } from "./words.js";

const STAYS_MS = 9000;
/** How long an undo is offered: long enough to see that it was the wrong button, too short for a reply. */
export const UNDO_MS = 20_000;

/**
 * Ask before an order is given.
 *
 * @param {object|null} view the board as it is on show; null: it is about no single board, and `where` says about what.
 * @param {object} wish `title` and `lines` say what will happen; `commands`; `warn`: null or
 *   `{side, name, level, article, on}`, a warning that goes with it unless it is taken off; `danger`: it cannot be undone;
 *   `fields`: more elements, `more`: a function that gives the commands they mean; `run`: what is done instead of
 *   telling the board something.
 */
export function ask(view, wish) {
  const dialog = part("confirm");
  const warn = wish.warn ? warning(wish.warn) : null;
  const commands = () => [
    ...(wish.more ? wish.more() : wish.commands),
    ...(warn?.box.checked ? [{ do: "warn", side: wish.warn.side, article: wish.warn.article, reason: wish.warn.reason ?? "" }] : []),
  ];
  const go = make("button.primary", { type: "submit", autofocus: true }, text("console.confirm"), make("kbd", {}, "Enter"));
  const form = make(
    "form",
    { method: "dialog", on: { submit: () => (wish.run ? wish.run() : give(view, commands())) } },
    make("p.where", {}, view ? `${text("board.word")} ${view.board}` : wish.where),
    make("h2", {}, wish.title),
    ...(wish.lines ?? []).map((line) => make("p.line", {}, line)),
    ...(wish.fields ?? []),
    warn?.row,
    wish.danger ? make("p.danger", {}, text("console.no_undo")) : null,
    make("div.choices", {}, make("button.plain", { type: "button", on: { click: () => dialog.close() } }, text("console.cancel")), go),
  );
  form.classList.toggle("dangerous", Boolean(wish.danger));
  dialog.dataset.board = view?.board ?? "";
  dialog.dataset.infraction = wish.infraction ?? "";
  dialog.replaceChildren(form);
  dialog.showModal();
}

function warning({ name, level, on }) {
  const box = make("input", { type: "checkbox", checked: on });
  return { box, row: make("label.warn", {}, box, make("span", {}, warningOf(level, name))) };
}

/** Close a question that another arbiter has answered meanwhile. */
export function overtaken(views) {
  const dialog = part("confirm");
  const { board, infraction } = dialog.dataset;
  if (!dialog.open || !infraction) return;
  const view = views.get(board);
  const open = view?.infractions.some((each) => String(each.number) === infraction && each.settled === null);
  if (open) return;
  const by = view?.infractions.find((each) => String(each.number) === infraction)?.by;
  dialog.close();
  toast(text("console.overtaken", { name: by || text("board.word") }), { bad: true });
}

/** Give an order and say what came of it. */
export async function give(view, commands, undoes = null) {
  const sending = toast(text("console.sending"), { stays: true });
  const { ok, status, body } = await order(view, commands, undoes);
  sending.remove();
  if (ok) {
    const undo = body.undo && !undoes ? () => give(view.now?.() ?? view, body.undo, body.id) : null;
    toast(`${view.board}: ${orderOf(view, body)}`, { undo });
  } else if (status === 0 || body.outcome === "unknown") {
    toast(text("order.unknown"), { bad: true, stays: true });
  } else refused(body);
}

/** Say why the hall or a board did not do something. */
export const refused = (body, { stays = false } = {}) => toast(text("console.refused", { why: refusalOf(body) }), { bad: true, stays });

/** Say something at the edge of the page for a while; with `undo` as long as it can be taken back. */
export function toast(words, { bad = false, stays = false, undo = null } = {}) {
  const note = make("div.toast", { role: bad ? "alert" : "status" }, make("span", {}, words));
  note.classList.toggle("bad", bad);
  if (undo) note.append(make("button.undo", { on: { click: () => (note.remove(), undo()) } }, text("console.undo"), make("kbd", {}, "U")),
    make("i.sand"));
  if (stays) note.append(make("button.close", { on: { click: () => note.remove() }, aria: { label: text("console.close") } }, "×"));
  part("toasts").append(note);
  if (!stays) setTimeout(() => note.remove(), undo ? UNDO_MS : STAYS_MS);
  return note;
}
