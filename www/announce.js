// Says to a screen reader how things go: the latest words, at most every few seconds.

const PAUSE = 3000;
const region = document.getElementById("status");
let pending;
let timer;

/** Says this now, or when the pause is over, unless something newer comes first. */
export function announce(words) {
  pending = words;
  timer ??= setTimeout(say, 0);
}

function say() {
  timer = undefined;
  if (pending === undefined) return;
  region.textContent = pending;
  pending = undefined;
  timer = setTimeout(say, PAUSE);
}
