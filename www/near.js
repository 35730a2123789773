// Tells when elements come near the screen, and when scrolling rests, because what is shown of thousands of files takes memory and time.

/** Pixels around the screen that count as near. */
const AROUND = 600;
/** Milliseconds without an event of scrolling after which it rests. */
const REST = 150;

const arrivals = new WeakMap();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      arrivals.get(target)();
    }
  },
  { rootMargin: `${AROUND}px 0px` },
);

/** Resolves when an element comes near the screen for the first time. */
export function near(element) {
  return new Promise((resolve) => {
    arrivals.set(element, resolve);
    observer.observe(element);
  });
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
