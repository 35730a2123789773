// The field for the watermark's file, loaded when its fold is opened. A file that is no picture is refused at once.
import { errorMessage } from "./errors.js";
import { formatName } from "./formatting.js";
import { filepress } from "./package.js";
import { text } from "./text.js";
import { setWatermark } from "./watermark.js";

const part = (id) => document.getElementById(`watermark-${id}`);
const [input, name, error, remove] = ["file", "name", "error", "remove"].map(part);
/** Identifies the latest choice. */
let chosen;

input.addEventListener("change", choose);
// A visitor may have been faster than this script.
choose();
remove.addEventListener("click", () => {
  chosen = undefined;
  error.textContent = "";
  use(undefined);
  input.focus();
});

/** Takes the file in the field, if there is one and nothing is wrong with it. */
async function choose() {
  const [file] = input.files;
  if (!file) return;
  // Allows the same file to be chosen again.
  input.value = "";
  chosen = file;
  const reason = await reasonAgainst(file);
  if (chosen !== file) return;
  error.textContent = reason;
  if (!reason) use(file);
}

/** What is wrong with a file; "" if it can be used. */
async function reasonAgainst(file) {
  try {
    const { inspect } = await filepress();
    await inspect(file);
    return "";
  } catch (failure) {
    return failure.kind === "options" ? text.errors.unknown : errorMessage(failure);
  }
}

function use(file) {
  setWatermark(file);
  name.textContent = file ? formatName(file.name) : "";
  remove.hidden = !file;
  input.form.dispatchEvent(new Event("input"));
}
