// Receives files and folders: dropped anywhere on the page, chosen, or pasted.
import { inNextTask } from "./slices.js";
import { text } from "./text.js";

/** A folder may have a type by an ending of its name. Only as many items are each asked whether they are one. */
const MANY = 100;

/** Files that systems leave in folders. */
const HIDDEN = /^(?:\.|Thumbs\.db$|desktop\.ini$)/i;

/** Whether this browser lets a visitor choose a folder. */
export const canChooseFolder = "webkitdirectory" in HTMLInputElement.prototype;

/**
 * @param {(files: { file: File, path: string }[]) => void} take receives the files; `path` begins with the folder that one came in.
 * @param {(words: string) => void} say shows a message; "" clears it.
 */
export function watchFiles(take, say) {
  const receive = (found, none = text.input.noFile) => {
    if (found.length === 0) return say(none);
    say("");
    // To hand over a thousand files, browsers need a long task already.
    inNextTask(() => take(found));
  };
  watchDrops(receive);
  watchInput("file", receive);
  watchInput("folder", (found) => receive(visible(found), text.input.emptyFolder));
  document.getElementById("choose-folder").hidden = !canChooseFolder;

  document.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length > 0) receive(files.map(alone));
  });
}

const alone = (file) => ({ file, path: file.webkitRelativePath || file.name });
const visible = (found) => found.filter(({ file }) => !HIDDEN.test(file.name));

function watchInput(id, receive) {
  const input = document.getElementById(id);
  input.addEventListener("change", () => {
    if (input.files.length === 0) return;
    receive([...input.files].map(alone));
    // Allows the same file to be chosen again.
    input.value = "";
  });
}

const carriesFiles = ({ dataTransfer }) => dataTransfer.types.includes("Files");
const FIELDS = "input:is([type=text], [type=number], [type=url], [type=password])";
/** Whether text is dragged to a field, where the browser puts it. */
const isForField = (event) => !carriesFiles(event) && event.target.closest?.(FIELDS) instanceof HTMLInputElement;
/** Whether a result is dragged, as handover.js lets it. */
const isResult = ({ dataTransfer }) => dataTransfer.types.includes("downloadurl");

function watchDrops(receive) {
  const { body } = document;
  document.addEventListener("dragover", (event) => {
    if (isForField(event)) return;
    // Otherwise the browser would open what is dropped in place of the page.
    event.preventDefault();
    if (carriesFiles(event)) body.dataset.drag = "";
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) delete body.dataset.drag;
  });
  document.addEventListener("drop", async (event) => {
    if (isForField(event)) return;
    event.preventDefault();
    delete body.dataset.drag;
    if (isResult(event)) return;
    // Has to be read before the first await: the transfer is emptied then.
    const entries = entriesIn([...event.dataTransfer.items]);
    const files = [...event.dataTransfer.files];
    const folders = entries.filter((entry) => entry?.isDirectory);
    if (folders.length === 0) return receive(files.map(alone));
    const names = new Set(folders.map(({ name }) => name));
    const inside = await Promise.all(folders.map(filesIn));
    receive([...files.filter(({ name }) => !names.has(name)).map(alone), ...inside.flat()], text.input.emptyFolder);
  });
}

/** The entries of items among which the folders are. To get one takes half a millisecond, so of many only what has no type is asked. */
function entriesIn(items) {
  const asked = items.length > MANY ? items.filter(({ type }) => type === "") : items;
  return asked.map((item) => item.webkitGetAsEntry?.());
}

/** All files in a folder that was dropped. What cannot be read is left out. */
async function filesIn(folder) {
  const found = [];
  for (const entry of await entriesOf(folder)) {
    if (entry.isDirectory) found.push(...(await filesIn(entry)));
    else {
      const file = await new Promise((resolve) => entry.file(resolve, () => resolve(undefined)));
      if (file) found.push({ file, path: entry.fullPath.replace(/^\//, "") });
    }
  }
  return visible(found);
}

/** A reader gives up to a hundred entries at a time. */
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
