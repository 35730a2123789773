// Tells when elements come near the screen, and when scrolling rests, because what is shown of thousands of files takes memory and time.

/** Milliseconds without an event of scrolling after which it rests. */
const REST = 150;
/** Pixels around the screen that count as near where the browser does not tell which elements it skips. */
const AROUND = 600;

/**
 * Resolves when an element of `content-visibility: auto` comes near the screen for the first time. The browser looks for that with each
 * frame anyway; an observer of our own would look at each of a thousand cards once more.
 */
export const near = "ContentVisibilityAutoStateChangeEvent" in globalThis ? shown : observed;

function shown(element) {
  return new Promise((resolve) => {
    const note = ({ skipped }) => {
      if (skipped) return;
      element.removeEventListener("contentvisibilityautostatechange", note);
      resolve();
    };
    element.addEventListener("contentvisibilityautostatechange", note);
  });
}

/** What waits for elements, by the element. One observer looks at all of them. */
const waitingFor = new WeakMap();
let observer;

function observed(element) {
  observer ??= new IntersectionObserver(arrive, { rootMargin: `${AROUND}px 0px` });
  observer.observe(element);
  return new Promise((resolve) => waitingFor.set(element, resolve));
}

function arrive(entries) {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    waitingFor.get(target)();
  }
}

let scrolling;
let waiting = [];
document.addEventListener("scroll", () => {
  clearTimeout(scrolling);
  scrolling = setTimeout(rest, REST);
}, { passive: true });

function rest() {
  scrolling = undefined;
  for (const resolve of waiting) resolve();
  waiting = [];
}

/** Resolves when the page is not scrolled. */
export const atRest = () => new Promise((resolve) => (scrolling === undefined ? resolve() : waiting.push(resolve)));
