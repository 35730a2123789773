// Offers on the cards: the formats that suit most pictures with their sizes, first estimated, then exact where that takes little. They are
// computed one after another when no file is processed and the browser is idle, for the cards on the screen.
import { callOf, canEstimate, createSizing, EXACT_PIXELS, knownBytes, offersFor, pixelsOf } from "./measure.js";
import { areFormatsOffered } from "./offered.js";
import { OfferRow } from "./row.js";

/** Milliseconds without work before sizes are computed. */
const PAUSE = 1000;
/** As `EXACT_PIXELS` for AVIF, whose encoder takes several times as long. */
const EXACT_AVIF_PIXELS = 1e6;
const AVIF = "image/avif";

/** @param {(item) => Card} card the card of an item. */
export function offerOnCards(list, card) {
  const rows = new WeakMap();
  let [timer, controller] = [];

  const plan = () => {
    clearTimeout(timer);
    const { open, done } = list.totals();
    // Files come first.
    if (open > 0) controller?.abort();
    else if (done > 0) timer = setTimeout(whenIdle, PAUSE, work);
  };
  for (const event of ["change", "members"]) list.addEventListener(event, plan);
  document.addEventListener("scroll", plan, { passive: true });
  // What was measured there is known here.
  document.getElementById("compare").addEventListener("close", plan);
  plan();

  async function work() {
    // The comparison has offers of its own.
    if ((controller && !controller.signal.aborted) || document.querySelector("dialog[open]")) return plan();
    controller = new AbortController();
    const { signal } = controller;
    // A card that is not in the list would be made, and never freed.
    const isOnScreen = (item) => list.has(item) && onScreen(card(item).element);
    const items = list.in("done").filter(isOnScreen);
    try {
      for (const exact of [false, true])
        for (const item of items) if (isOnScreen(item)) await fill(rowOf(item), item, exact, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      controller.abort();
    }
  }

  /** The row on the card of an item; undefined if there is nothing to offer. */
  function rowOf(item) {
    const known = rows.get(item);
    if (known?.holds) return known;
    const offers = candidates(item);
    if (offers.length === 0) return undefined;
    const row = new OfferRow(card(item).offers, item, offers, false);
    rows.set(item, row);
    if (!known) follow(item);
    return row;
  }

  /** Keeps the row of an item as the item is. */
  function follow(item) {
    let begun;
    item.addEventListener("change", () => {
      // Progress changes nothing here.
      if (item.state === "working" && item.call === begun) return;
      begun = item.call;
      rows.get(item).refresh();
    });
  }
}

/** Shows sizes that are missing: at first what is known or estimated, then what is `exact`. */
async function fill(row, item, exact, signal) {
  const size = createSizing(item, signal);
  for (const entry of [...(row?.entries ?? [])]) {
    const { call } = entry;
    if (entry.exact) continue;
    const known = knownBytes(item, call);
    const estimated = known === undefined && canEstimate(item, call);
    if (estimated && (exact ? !isCheap(item, call) : entry.bytes !== undefined)) continue;
    const isExact = exact || !estimated;
    const bytes = await size(call, isExact).catch(() => undefined);
    signal.throwIfAborted();
    if (bytes === undefined) row.drop(entry);
    else row.show(entry, bytes, isExact);
  }
}

const isCheap = (item, call) => pixelsOf(item, call) <= (call.to === AVIF ? EXACT_AVIF_PIXELS : EXACT_PIXELS);

/** The offers for a file. */
function candidates(item) {
  const { facts, call } = item;
  if (!areFormatsOffered() || call.remote || facts.class !== "image" || !(facts.width > 0)) return [];
  const planned = offersFor(facts).map((offer) => [offer, callOf(item, offer)]);
  return planned.filter(([, call]) => isCheap(item, call) || canEstimate(item, call)).map(([offer]) => offer);
}

function onScreen(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return element.isConnected && bottom > 0 && top < innerHeight;
}

/** WebKit does not tell when it is idle. */
function whenIdle(work) {
  if (globalThis.requestIdleCallback) requestIdleCallback(work);
  else work();
}
