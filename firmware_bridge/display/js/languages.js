/**
 * The small switch between the languages that the hall has catalogues for.
 */

import { settings } from "./texts.js";

/** The address of this very page in another language; whatever else was asked for stays. */
function address(language) {
  const query = new URLSearchParams(location.search);
  query.set("lang", language);
  return `${location.pathname}?${query}`;
}

/** Fill every `[data-part=languages]` of the page with a link for each language. */
export function offerLanguages() {
  for (const nav of document.querySelectorAll("[data-part=languages]")) {
    nav.replaceChildren(...Object.entries(settings.languages).map(([code, name]) => {
      const link = document.createElement("a");
      Object.assign(link, { href: address(code), hreflang: code, lang: code, title: name, textContent: code });
      link.setAttribute("aria-label", name);
      if (code === settings.language) link.setAttribute("aria-current", "true");
      return link;
    }));
  }
}
