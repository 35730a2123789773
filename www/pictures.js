// The two panes: previews by object URLs, each revoked when the next takes its place; and a closer look at both at once.
import { viewable } from "./press.js";

const panes = { before: document.getElementById("before-pane"), after: document.getElementById("after-pane") };
const words = { before: "The picture as it came", after: "The picture pressed" };
/** What each pane shows, and what the download leads to. */
const urls = {};
const compare = document.getElementById("compare");
const zoom = document.getElementById("zoom");

/** Shows the picture as it came. */
export function showBefore(file) {
  show("before", file);
}

/** Shows the result; returns the URL of the download. */
export function showAfter(blob) {
  show("after", blob);
  return renew("download", blob);
}

export function clearAfter() {
  closeUp(false);
  for (const name of ["after", "download"]) renew(name, undefined);
  panes.after.replaceChildren();
  zoom.hidden = true;
}

function renew(name, blob) {
  URL.revokeObjectURL(urls[name]);
  urls[name] = blob && URL.createObjectURL(blob);
  return urls[name];
}

/** `again`: what to try when the browser cannot show the blob. */
function show(side, blob, again = showConverted) {
  const image = new Image();
  image.alt = words[side];
  image.addEventListener("load", () => {
    const [before, after] = ["before", "after"].map((name) => panes[name].querySelector("img"));
    // Where the original cannot be shown, the result gives the shape.
    fit(before ?? after);
    zoom.hidden = !(before && after);
    panes.after.scrollTo(panes.before.scrollLeft, panes.before.scrollTop);
  });
  image.addEventListener("error", () => image.isConnected && again(side, blob, image));
  image.src = renew(side, blob);
  panes[side].replaceChildren(image);
}

/** The package reads more types than a browser shows: it makes the preview as well. */
async function showConverted(side, blob, image) {
  const preview = await viewable(blob).catch(() => undefined);
  if (!image.isConnected) return;
  if (preview) show(side, preview, excuse);
  else excuse(side);
}

function excuse(side) {
  panes[side].replaceChildren(Object.assign(document.createElement("p"), { textContent: "No preview of this file." }));
  zoom.hidden = true;
}

/** Both panes take the shape of the picture, and in close-up both pictures its width: the same region stands in both. */
function fit({ naturalWidth, naturalHeight }) {
  if (!naturalWidth) return;
  const shape = Math.min(Math.max(naturalWidth / naturalHeight, 0.6), 2.2);
  compare.style.setProperty("--shape", shape);
  compare.style.setProperty("--width", `${naturalWidth / devicePixelRatio}px`);
}

zoom.addEventListener("click", () => closeUp(compare.dataset.zoom === undefined));

function closeUp(near) {
  if (near) compare.dataset.zoom = "";
  else delete compare.dataset.zoom;
  zoom.setAttribute("aria-pressed", String(near));
  for (const pane of Object.values(panes)) {
    // A pane that scrolls can be reached and moved by the keyboard.
    if (near) pane.tabIndex = 0;
    else pane.removeAttribute("tabindex");
    pane.scrollTo((pane.scrollWidth - pane.clientWidth) / 2, (pane.scrollHeight - pane.clientHeight) / 2);
  }
}

for (const [pane, other] of [[panes.before, panes.after], [panes.after, panes.before]]) {
  pane.addEventListener("scroll", () => {
    if (compare.dataset.zoom !== undefined) other.scrollTo(pane.scrollLeft, pane.scrollTop);
  });
}
