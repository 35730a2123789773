// Gives a result to other programs: the share sheet of the system, the clipboard, and a drag to a folder or another window.
import { toPng } from "./package.js";

/** Whether the system has a share sheet that takes files. */
export const canShare = () => Boolean(navigator.canShare?.({ files: [new File([""], "image.png", { type: "image/png" })] }));

/** Opens the share sheet, which on phones also saves to Photos. Closing it is no error. */
export async function share(blob, name) {
  const files = [new File([blob], name, { type: blob.type })];
  await navigator.share({ files }).catch((error) => {
    if (error.name !== "AbortError") throw error;
  });
}

/** Whether pictures can be copied. */
export const canCopy = () => typeof ClipboardItem === "function" && Boolean(navigator.clipboard?.write);

/** Copies the picture. Clipboards take PNG only. */
export async function copy(blob) {
  // A promise, because some browsers only accept a write that begins within the click. Not drawn on a canvas: some browsers alter what
  // is read of one, and none draws every format.
  await navigator.clipboard.write([new ClipboardItem({ "image/png": blob.type === "image/png" ? blob : toPng(blob) })]);
}

/**
 * Makes a drag of an element carry a file. Chromium saves it where it is dropped; other browsers drop the link.
 * @param {() => { url, type, name } | undefined} describe the file, at the time of the drag
 */
export function dragOut(element, describe) {
  element.addEventListener("dragstart", (event) => {
    const file = describe();
    if (!file) return event.preventDefault();
    event.dataTransfer.effectAllowed = "copy";
    event.dataTransfer.setData("DownloadURL", `${file.type}:${file.name}:${file.url}`);
    event.dataTransfer.setData("text/uri-list", file.url);
  });
}
