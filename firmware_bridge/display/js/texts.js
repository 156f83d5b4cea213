/**
 * Words of the page. All of them come from the catalogue that the hall puts into the page.
 */

const page = JSON.parse(document.getElementById("page-data").textContent);

/** What the hall says about this page: board, language, texts, show_counts, assets. */
export const settings = Object.freeze(page);

/** Whether the catalogue knows a key. */
export const knows = (key) => Object.hasOwn(page.texts, key);

/** The text of a key, with `{name}` replaced from `values`; an unknown key shows itself. */
export function text(key, values = {}) {
  const found = knows(key) ? page.texts[key] : key;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** The text of a code such as a phase; nothing for one that this page has no words for. */
export const textOf = (family, code) => (knows(`${family}.${code}`) ? text(`${family}.${code}`) : "");

/** A reason in words: a known code's own, anything else is words already. */
export const because = (family, reason) => textOf(family, reason) || (reason ?? "");

/** Write words where others stand: what is said again is not heard again. */
export function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/** Fill all elements that name their text, e.g. `<h2 data-text="moves.title">`. */
export function fillTexts(root = document) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", text(element.dataset.label));
  }
}

/** An age in words: `12 s`, `3 min`, `2 h`. */
export function age(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return text("age.seconds", { n: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return text("age.minutes", { n: minutes });
  return text("age.hours", { n: Math.round(minutes / 60) });
}
