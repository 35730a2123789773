// The comparison, loaded when it is first asked for: pictures and pages of a PDF under a divider, video and sound in players, and
// the facts of both.
import { formatOf } from "../package.js";
import { fault } from "../errors.js";
import { openPages } from "./pages.js";
import { showFacts } from "./facts.js";
import { showPlayers } from "./players.js";
import { picture } from "./displayable.js";
import { createTable } from "./overlay.js";

const part = (id) => document.getElementById(id);
const dialog = part("compare");
/** What there is to say of the pictures, and of their score when that is all. */
const notes = { sides: "", score: "" };
const table = createTable();
/** Ends what was opened for the item that is shown. */
let leave = [];
let shown;
/** What is being fetched for the table: the last that was asked for. */
let wanted;

part("compare-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", clear);

function say(about, words) {
  notes[about] = words;
  part("compare-note").textContent = notes.sides || notes.score;
}
const note = (words) => say("sides", words);

/** Shows both sides of a finished call: the file, what is known of it, the result, and the background that was asked for. */
export async function openComparison(item) {
  const { file, result, facts } = item;
  clear();
  shown = item;
  part("compare-name").textContent = file.name;
  dialog.showModal();
  const output = await formatOf(result.type);
  if (shown !== item) return;
  leave.push(showFacts(item, output, (words) => say("score", words)));
  const plays = [facts.class, output.class].some((kind) => kind === "video" || kind === "audio");
  part("table").hidden = plays;
  part("players").hidden = !plays;
  part("zoom-tools").hidden = plays;
  part("page-tools").hidden = true;
  if (plays)
    leave.push(
      showPlayers(
        part("players"),
        [
          { blob: file, kind: facts.class },
          { blob: result.blob, kind: output.class },
        ],
        note,
      ),
    );
  else if (facts.class === "document" || output.class === "document") turnPages(item, output);
  else show(item, () => Promise.all([file, result.blob].map(picture)));
}

/** Fetches both sides, as object URLs, and lays them on the table, unless another item or page took the place meanwhile. */
async function show(item, fetch) {
  const own = {};
  wanted = own;
  note("Making the pictures ready");
  try {
    const sides = await fetch();
    const urls = sides.map((blob) => URL.createObjectURL(blob));
    const free = () => urls.forEach((url) => URL.revokeObjectURL(url));
    if (shown !== item || wanted !== own) return free();
    leave.push(free);
    await table.show(...urls);
    note("");
  } catch (error) {
    if (shown === item && wanted === own) note(`There is no preview. ${fault(error)}`);
  }
}

/** Pages are drawn by the service, which has both files already: so they lie under the divider as pictures do, on any device. */
function turnPages(item, output) {
  const both = item.facts.class === output.class;
  const pages = openPages(item.result);
  const count = both ? (item.result.pages ?? 1) : 1;
  leave.push(pages.close);
  let page = 1;
  const turn = (to) => {
    page = Math.min(Math.max(to, 1), count);
    part("page-value").textContent = `Page ${page} of ${count}`;
    part("page-prev").disabled = page === 1;
    part("page-next").disabled = page === count;
    const sides = [
      () => (item.facts.class === "document" ? pages.draw("input", page) : picture(item.file)),
      () => (output.class === "document" ? pages.draw("output", page) : picture(item.result.blob)),
    ];
    show(item, () => Promise.all(sides.map((side) => side())));
  };
  part("page-tools").hidden = count === 1;
  part("page-prev").onclick = () => turn(page - 1);
  part("page-next").onclick = () => turn(page + 1);
  turn(1);
}

function clear() {
  for (const end of leave) end();
  leave = [];
  shown = undefined;
  table.clear();
  note("");
}
