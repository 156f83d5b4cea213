/**
 * What the rooms of the console are built from: a button that asks before it orders, a block with its buttons.
 */

import { because } from "../texts.js";
import { ask } from "./confirm.js";
import { make } from "./dom.js";
import { may } from "./model.js";

/** A button that asks before it gives an order. */
export function action(view, words, right, wish, { primary = false, key = "", small = "", data = {} } = {}) {
  const title = wish.title ?? words;
  return make(
    `button.offer${primary ? ".primary" : ".plain"}`,
    { disabled: !may(right), data: key ? { ...data, key } : data, on: { click: () => ask(view, { ...wish, title }) } },
    make("b", {}, words),
    small ? make("small", {}, small) : null,
    key ? make("kbd", {}, key) : null,
  );
}

/** An input with its words. */
export const field = (words, input) => make("label.field", {}, words, input);

/** A choice of values, each with its text of a family. */
export const choice = (values, family) =>
  make("select", {}, ...values.map((value) => make("option", { value }, because(family, value))));

/** A block that says what is the matter, and what can be done about it. */
export function block(kind, head, lines, ...buttons) {
  return make(
    `article.focus.${kind}`,
    {},
    make("h2", {}, head),
    ...lines.filter(Boolean).map((line) => (typeof line === "string" ? make("p", {}, line) : line)),
    make("div.offers", {}, ...buttons),
  );
}
