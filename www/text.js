// The texts of the page in the visitor's language: the first of the browser's languages that has a catalog, else English.
import { CATALOG as ENGLISH } from "./text/en.js";

const CATALOGS = { de: () => import("./text/de.js"), ar: () => import("./text/ar.js") };

/** The catalog. Its keys are those of text/en.js. */
export const text = await load();

async function load() {
  const wanted = (globalThis.navigator?.languages ?? []).map((tag) => tag.split("-")[0].toLowerCase());
  const language = wanted.find((name) => name === "en" || Object.hasOwn(CATALOGS, name));
  // Without a network a language may be missing that was not used before.
  return (await CATALOGS[language]?.().catch(() => undefined))?.CATALOG ?? ENGLISH;
}

/** Puts the texts into the page, which was built in English. */
export function translatePage() {
  if (text === ENGLISH) return;
  const { documentElement } = document;
  documentElement.lang = text.locale;
  documentElement.dir = text.direction;
  const roots = [document, ...[...document.querySelectorAll("template")].map(({ content }) => content)];
  const each = (name, change) => {
    for (const root of roots)
      for (const element of root.querySelectorAll(`[data-${name}]`)) change(element, text.page[element.dataset[name]]);
  };
  each("text", (element, words) => (element.textContent = words));
  each("label", (element, words) => element.setAttribute("aria-label", words));
  each("placeholder", (element, words) => element.setAttribute("placeholder", words));
}
