// The buttons of the comparison that copy and share the result, where the browser can.
import { canCopy, canShare, copy, share } from "../handover.js";
import { resultName } from "../result-name.js";
import { text } from "../text.js";
import { say } from "./note.js";

const [copyButton, shareButton] = ["copy", "share"].map((name) => document.getElementById(`compare-${name}`));

/** @param {() => object} current the item that is shown. Returns a function that shows the buttons for its result. */
export function createHandoverButtons(current) {
  copyButton.title = text.page.copy;
  shareButton.title = text.page.share;
  copyButton.addEventListener("click", () => handOver(copy, { during: text.compare.copying, done: text.compare.copied }));
  shareButton.addEventListener("click", () => handOver((blob) => share(blob, resultName(current()))));

  /** Gives the result away; a failure is told in the dialog. */
  async function handOver(give, { during = "", done = "" } = {}) {
    const item = current();
    const { result } = item;
    const tell = (words) => item === current() && say("handover", words);
    say("settings", "");
    tell(during);
    const isGiven = await give(result.blob).then(
      () => true,
      () => false,
    );
    if (isGiven) item.markSaved(result);
    tell(isGiven ? done : text.compare.notHandedOver);
  }

  return ({ result }) => {
    copyButton.hidden = !(canCopy() && result.type.startsWith("image/"));
    shareButton.hidden = !canShare();
  };
}
