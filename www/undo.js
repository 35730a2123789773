// Offers to undo the last removal, until another one takes its place or the offer is closed.
import { announce } from "./announce.js";
import { isShown } from "./focus.js";

const part = (id) => document.getElementById(id);
let offer;
/** Where the focus was before it came to the offer. */
let from;

/**
 * @param {string} words what was done.
 * @param {{ undo(), expire() }} offered one of them is called, once.
 */
export function offerUndo(words, offered) {
  settle("expire");
  offer = offered;
  part("undo-words").textContent = words;
  part("undo").hidden = false;
  announce(words);
}

/** Takes the last removal back, if it is still offered. */
export const undo = () => settle("undo");

function settle(how) {
  const settled = offer;
  offer = undefined;
  part("undo").hidden = true;
  settled?.[how]();
}

part("undo-do").addEventListener("click", undo);
part("undo").addEventListener("focusin", ({ relatedTarget }) => {
  if (!part("undo").contains(relatedTarget)) from = relatedTarget;
});
part("undo-close").addEventListener("click", () => {
  settle("expire");
  (from && isShown(from) ? from : part("file")).focus({ preventScroll: true });
});
