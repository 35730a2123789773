// What to say of an input that is none: what came, and the line to write instead.
import { stringTag } from "./string-tag.js";

const ADVICE = {
  Undefined: "Nothing was passed",
  Null: "Nothing was passed",
  Promise: "Got a Promise; await it first",
  FileList: "Got a FileList; pass one of its files, such as `files[0]`, or all of them to `compressAll`",
  Array: "Got an Array; pass one file, or all of them to `compressAll`",
  FormData: 'Got a FormData; pass a file of it, such as `formData.get("file")`',
  DataTransfer: "Got a DataTransfer; pass a file of it, such as `dataTransfer.files[0]`",
  DataTransferItem: "Got a DataTransferItem; pass `item.getAsFile()`",
  HTMLInputElement: "Got an HTMLInputElement; pass its file, `input.files[0]`",
  HTMLImageElement: "Got an HTMLImageElement; pass the file that it shows, `await fetch(image.src)`",
  HTMLVideoElement: "Got an HTMLVideoElement; pass a frame of it, `await createImageBitmap(video)`",
  FileSystemFileHandle: "Got a FileSystemFileHandle; pass `await handle.getFile()`",
  CanvasRenderingContext2D: "Got a CanvasRenderingContext2D; pass its `canvas`",
  ArrayBuffer: "The ArrayBuffer was transferred to another thread, or is detached; pass a copy, made by `buffer.slice()` before",
};

/** One or two sentences. Does not throw, whatever `input` is. */
export function describeWrongInput(input) {
  const tag = stringTag(input);
  return `${adviceFor(input, tag)}. An input is a File, Blob, Response, Request, stream, ArrayBuffer, view of one, canvas or ImageData.`;
}

function adviceFor(input, tag) {
  if (typeof input === "string") return adviceForText(input);
  if (Object.hasOwn(ADVICE, tag)) return ADVICE[tag];
  if (ArrayBuffer.isView(input)) return ADVICE.ArrayBuffer;
  if (tag === "URL") return "Got a URL; pass `await fetch(url)`";
  if (tag.endsWith("Event")) return `Got an ${tag}; pass a file of it, such as \`event.target.files[0]\``;
  if (hasMember(input, "buffer")) return "Got an object with a `buffer`; pass `input.buffer`";
  return `Got ${/^[AEIOU]/.test(tag) ? "an" : "a"} ${typeof input === "object" || typeof input === "function" ? tag : typeof input}`;
}

function adviceForText(text) {
  if (/^data:/i.test(text)) return "Got a data: URL; pass `await fetch(url)`";
  if (/^(https?|blob):/i.test(text)) return "Got a string; pass `await fetch(url)`";
  if (/^file:/i.test(text)) return "Got a string; in Node pass `new URL(address)`";
  return "Got a string; read a file with `await openAsBlob(path)` of node:fs, or pass `await fetch(url)`";
}

function hasMember(input, name) {
  try {
    return input[name] !== undefined;
  } catch {
    return false;
  }
}
