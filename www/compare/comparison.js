// The comparison dialog, loaded on first use: images and PDF pages under a divider, video and audio in players, and the properties
// of both sides.
import { formatOf } from "../package.js";
import { errorMessage } from "../errors.js";
import { openPages } from "./pages.js";
import { showFacts } from "./facts.js";
import { showPlayers } from "./players.js";
import { displayable } from "./displayable.js";
import { createOverlay } from "./overlay.js";

const part = (id) => document.getElementById(id);
const dialog = part("compare");
/** Messages about the images, and about their score if there is no other. */
const notes = { sides: "", score: "" };
const overlay = createOverlay();
/** Cleanup functions for the item that is shown. */
let cleanups = [];
let shown;
/** Identifies the latest request for images. */
let wanted;

part("compare-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", clear);

function say(about, words) {
  notes[about] = words;
  part("compare-note").textContent = notes.sides || notes.score;
}
const note = (words) => say("sides", words);

/** Shows the file and the result of a finished call: `{ file, facts, result, background }`. */
export async function openComparison(item) {
  const { file, result, facts } = item;
  clear();
  shown = item;
  part("compare-name").textContent = file.name;
  dialog.showModal();
  const output = await formatOf(result.type);
  if (shown !== item) return;
  cleanups.push(showFacts(item, output, (words) => say("score", words)));
  const plays = [facts.class, output.class].some((kind) => kind === "video" || kind === "audio");
  part("overlay").hidden = plays;
  part("players").hidden = !plays;
  part("zoom-tools").hidden = plays;
  part("page-tools").hidden = true;
  if (plays)
    cleanups.push(
      showPlayers(
        part("players"),
        [
          { blob: file, kind: facts.class },
          { blob: result.blob, kind: output.class },
        ],
        note,
      ),
    );
  else if (facts.class === "document" || output.class === "document") showPages(item, output);
  else show(item, () => Promise.all([file, result.blob].map(displayable)));
}

/** Fetches both sides and shows them, unless another item or page was requested in the meantime. */
async function show(item, fetch) {
  const own = {};
  wanted = own;
  note("Loading");
  try {
    const sides = await fetch();
    const urls = sides.map((blob) => URL.createObjectURL(blob));
    const free = () => urls.forEach((url) => URL.revokeObjectURL(url));
    if (shown !== item || wanted !== own) return free();
    cleanups.push(free);
    await overlay.show(...urls);
    note("");
  } catch (error) {
    if (shown === item && wanted === own) note(`No preview. ${errorMessage(error)}`);
  }
}

/** Shows PDF pages as images, rendered by the server, which already has both files. */
function showPages(item, output) {
  const both = item.facts.class === output.class;
  const pages = openPages(item.result);
  const count = both ? (item.result.pages ?? 1) : 1;
  cleanups.push(pages.close);
  let page = 1;
  const turn = (to) => {
    page = Math.min(Math.max(to, 1), count);
    part("page-value").textContent = `Page ${page} of ${count}`;
    part("page-prev").disabled = page === 1;
    part("page-next").disabled = page === count;
    const sides = [
      () => (item.facts.class === "document" ? pages.draw("input", page) : displayable(item.file)),
      () => (output.class === "document" ? pages.draw("output", page) : displayable(item.result.blob)),
    ];
    show(item, () => Promise.all(sides.map((side) => side())));
  };
  part("page-tools").hidden = count === 1;
  part("page-prev").onclick = () => turn(page - 1);
  part("page-next").onclick = () => turn(page + 1);
  turn(1);
}

function clear() {
  for (const end of cleanups) end();
  cleanups = [];
  shown = undefined;
  overlay.clear();
  note("");
}
