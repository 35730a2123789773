// Offers on the cards: the format that makes a picture much smaller than its result is. They are computed one after another when no file
// is processed and the browser is idle, for small pictures on the screen whose format and quality the visitor left to the page.
import { EXACT_PIXELS, measure, offersFor } from "./measure.js";

/** Milliseconds without work before the first offer is computed. */
const PAUSE = 1000;
/** An offer has at most so many of the bytes of the result. */
const MOST = 0.8;
/** Its encoder takes seconds, and is a download of its own. */
const COSTLY = "image/avif";

/** @param {(item) => Card} card the card of an item. */
export function offerOnCards(list, card) {
  /** The result for which the offers of an item were computed. */
  const known = new WeakMap();
  let [timer, controller] = [];

  const plan = () => {
    clearTimeout(timer);
    controller?.abort();
    const { open, done } = list.totals();
    if (open === 0 && done > 0) timer = setTimeout(whenIdle, PAUSE, offer);
  };
  for (const event of ["change", "members"]) list.addEventListener(event, plan);
  document.addEventListener("scroll", plan, { passive: true });
  plan();

  async function offer() {
    controller = new AbortController();
    const { signal } = controller;
    for (const item of list.in("done")) {
      if (known.get(item) === item.result || !isOnScreen(card(item).element)) continue;
      const best = await bestOffer(item, signal);
      if (signal.aborted) return;
      known.set(item, item.result);
      card(item).offer(best);
    }
  }
}

/** The offer with the fewest bytes, `{ name, own, bytes }`; undefined if there is none that is worth the words. */
async function bestOffer(item, signal) {
  const { result } = item;
  let best;
  for (const offer of candidates(item)) {
    const { bytes } = await measure(item, offer, signal).catch(() => ({ bytes: Infinity }));
    if (signal.aborted) return undefined;
    if (bytes <= (best?.bytes ?? result.outputSize * MOST)) best = { name: offer.name, own: offer.own, bytes };
  }
  return best;
}

function candidates({ facts, call }) {
  const { quality, targetSize, lossless } = call.options;
  const chosen = quality !== undefined || targetSize !== undefined || lossless;
  if (call.remote || chosen || facts.class !== "image" || !(facts.width * facts.height <= EXACT_PIXELS)) return [];
  const output = call.to ?? facts.type;
  const isOther = ({ own }) => own.to !== COSTLY && (own.aim ? own.to === output : own.to !== output && !call.to);
  return offersFor(facts).filter(isOther);
}

function isOnScreen(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return element.isConnected && bottom > 0 && top < innerHeight;
}

/** WebKit does not tell when it is idle. */
function whenIdle(work) {
  if (globalThis.requestIdleCallback) requestIdleCallback(work);
  else work();
}
