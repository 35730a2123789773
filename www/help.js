// What explains the page: the proof that nothing is uploaded, and the keys.
import { formatSize } from "./formatting.js";
import { letters, turnLetters } from "./letters.js";
import { service } from "./service.js";
import { text } from "./text.js";

const part = (id) => document.getElementById(id);

/** @param {Record<string, () => void>} actions by the key that calls them, as in "o", "Shift+o"; some browsers lack those with Shift. */
export function watchHelp(actions) {
  part("pledge").addEventListener("click", () => {
    const uploaded = text.service.uploaded(formatSize(service.uploaded));
    part("privacy-title").textContent = service.uploaded > 0 ? uploaded : text.page.privacyTitle;
    part("privacy-bytes").textContent = uploaded;
    part("privacy").showModal();
  });
  part("privacy-server").addEventListener("click", () => part("privacy").close());
  const help = () => part("keys").showModal();
  part("show-keys").addEventListener("click", help);
  for (const id of ["privacy", "keys"]) part(`${id}-close`).addEventListener("click", () => part(id).close());
  const isThere = ([key]) => !key.startsWith("⇧ ") || `Shift+${key.at(-1).toLowerCase()}` in actions;
  part("keys-list").replaceChildren(...Object.entries(text.keys).filter(isThere).flatMap(([key, words]) => line(key, words)));
  part("letters").checked = letters.on;
  part("letters").addEventListener("change", ({ target }) => turnLetters(target.checked));
  watchKeys({ ...actions, "?": help });
}

function line(key, words) {
  const term = document.createElement("dt");
  term.append(Object.assign(document.createElement("kbd"), { textContent: key }));
  return [term, Object.assign(document.createElement("dd"), { textContent: words })];
}

/** Single keys would get in the way of typing, and of a dialog's own keys. */
function watchKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const { target, ctrlKey, metaKey, altKey, repeat, defaultPrevented } = event;
    if (ctrlKey || metaKey || altKey || repeat || defaultPrevented || !letters.on || document.querySelector("dialog[open]")) return;
    if (target.closest?.("input:not([type=radio], [type=checkbox], [type=range], [type=file]), select, textarea")) return;
    const act = actions[nameOf(event)];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** A letter with Shift is another key than without; other keys are what they type. */
const nameOf = ({ key, shiftKey }) => (shiftKey && /^\p{L}$/u.test(key) ? `Shift+${key.toLowerCase()}` : key.toLowerCase());
