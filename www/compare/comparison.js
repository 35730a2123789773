// The comparison dialog, loaded on first use: original and result of a file, controls that change the result, and the way to the
// next file. The browser's Back closes it.
import { formatName } from "../formatting.js";
import { letters } from "../letters.js";
import { keepSettings } from "../settings-memory.js";
import { text } from "../text.js";
import { createControls } from "./controls.js";
import { say } from "./note.js";
import { showOffers, takeSmallest } from "./offers.js";
import { Sides } from "./sides.js";

const part = (id) => document.getElementById(id);
const dialog = part("compare");
const sides = new Sides();
let shown;
/** Whether the dialog has its own entry in the history. */
let entered = false;
/** Resolves when that entry was left. */
let left = Promise.resolve();
/** Items that can be turned to, and what else the page offers. */
let offered;
/** Ends the updates of the item that is shown. */
let watching = new AbortController();
const controls = createControls(() => offered.useForAll(shown));

/**
 * Shows an item.
 * @param {{ items(): object[], useForAll(item) }} on what the page offers: the items with a result, in their order.
 */
export async function openComparison(item, on) {
  await left;
  offered = on;
  dialog.showModal();
  // The picture comes first where there is little room.
  part("compare-fold").open = matchMedia("(min-width: 621px) and (min-height: 621px)").matches;
  if (!entered) history.pushState({ comparison: true }, "");
  entered = true;
  show(item);
}

function show(item) {
  watching.abort();
  watching = new AbortController();
  shown = item;
  say("settings", "");
  part("compare-name").textContent = formatName(item.file.name);
  const items = offered.items();
  part("file-position").textContent = text.compare.position(items.indexOf(item) + 1, items.length);
  part("file-tools").hidden = items.length < 2;
  sides.open(item);
  const { signal } = watching;
  const update = () => {
    controls.show(item);
    return sides.update();
  };
  item.addEventListener("change", update, { signal });
  // The score comes first.
  update().then(() => signal.aborted || showOffers(item, signal));
}

function turn(by) {
  const items = offered.items();
  const next = items[(items.indexOf(shown) + by + items.length) % items.length];
  if (next && next !== shown) show(next);
}

/** What letters do, except in fields that take them. */
const ACTIONS = {
  s: () => part("compare-save").click(),
  b: () => takeSmallest(),
  f: () => part("compare-to").focus(),
};

/** Arrow keys turn to another file, except where they have a meaning of their own. */
function watchKeys(event) {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || target.closest("select, input:not([type=range], [type=checkbox])")) return;
  const act = letters.on && ACTIONS[key.toLowerCase()];
  if (act) {
    event.preventDefault();
    return event.repeat || act();
  }
  if (target.closest("input, .overlay")) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (by) turn(document.documentElement.dir === "rtl" ? -by : by);
}

part("file-prev").addEventListener("click", () => turn(-1));
part("file-next").addEventListener("click", () => turn(1));
// On phones the options open below what is in sight.
part("compare-fold").addEventListener("toggle", ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }));
part("compare-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("keydown", watchKeys);
dialog.addEventListener("close", () => {
  watching.abort();
  sides.close();
  if (!entered) return;
  left = new Promise((resolve) => {
    addEventListener("popstate", resolve, { once: true });
    // Some browsers do not say so.
    setTimeout(resolve, 1000);
  });
  history.back();
});
addEventListener("popstate", () => {
  if (!entered) return;
  entered = false;
  if (dialog.open) dialog.close();
  keepSettings();
});
