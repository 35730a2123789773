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

input.addEventListener("change", async () => {
  const [file] = input.files;
  if (!file) return;
  // Allows the same file to be chosen again.
  input.value = "";
  chosen = file;
  const reason = await reasonAgainst(file);
  if (chosen !== file) return;
  error.textContent = reason;
  if (!reason) use(file);
});
remove.addEventListener("click", () => {
  chosen = undefined;
  error.textContent = "";
  use(undefined);
  input.focus();
});

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
