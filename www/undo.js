// Offers to undo the last removal, until another one takes its place or the offer is closed.
import { announce } from "./announce.js";

const part = (id) => document.getElementById(id);
let offer;

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
part("undo-close").addEventListener("click", () => settle("expire"));
