// Announces progress to screen readers by a live region: the latest message, at most every few seconds.

const PAUSE = 3000;
const region = document.getElementById("status");
let pending;
let timer;

/** Announces a message now, or after the pause unless a newer one replaces it. */
export function announce(message) {
  pending = message;
  timer ??= setTimeout(publish, 0);
}

function publish() {
  timer = undefined;
  if (pending === undefined) return;
  region.textContent = pending;
  pending = undefined;
  timer = setTimeout(publish, PAUSE);
}
