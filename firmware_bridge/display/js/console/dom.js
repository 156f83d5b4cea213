/**
 * Making elements without a library: `make("p.note", { title: "…" }, "words", child)`.
 */

/**
 * @param {string} kind tag with classes, as `button.primary.wide`.
 * @param {object} facts properties; `data` goes into `dataset`, `on` are listeners by event.
 * @param {...(Node|string|null|false)} children what is null or false is left out.
 */
export function make(kind, facts = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  element.className = classes.join(" ");
  const { data = {}, on = {}, aria = {}, ...properties } = facts;
  Object.assign(element, properties);
  Object.assign(element.dataset, data);
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(`aria-${name}`, value);
  element.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** All parts of the page of this name: a telephone has some of them elsewhere. */
export const parts = (name) => document.querySelectorAll(`[data-part="${name}"]`);

/** The part of the page of this name. */
export const part = (name) => document.querySelector(`[data-part="${name}"]`);
