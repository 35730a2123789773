// What to say of an input that is none: what came, and the line to write instead.
import { stringTag } from "./string-tag.js";

/** What to pass instead of an object. */
const INSTEAD = {
  FileList: "one of its files, such as `files[0]`, or all of them to `compressAll`",
  Array: "one file, or all of them to `compressAll`",
  FormData: 'a file of it, such as `formData.get("file")`',
  DataTransfer: "a file of it, such as `dataTransfer.files[0]`",
  DataTransferItem: "`item.getAsFile()`",
  HTMLInputElement: "its file, `input.files[0]`",
  HTMLImageElement: "the file that it shows, `await fetch(image.src)`",
  HTMLVideoElement: "a frame of it, `await createImageBitmap(video)`",
  FileSystemFileHandle: "`await handle.getFile()`",
  CanvasRenderingContext2D: "its `canvas`",
  URL: "`await fetch(url)`",
};

/** One or two sentences. Does not throw, whatever `input` is. */
export function describeWrongInput(input) {
  const tag = stringTag(input);
  return `${adviceFor(input, tag)}. An input is a File, Blob, Response, Request, stream, ArrayBuffer, view of one, canvas, ImageBitmap, VideoFrame, ImageData or { data, width, height }; in Node also a file: URL.`;
}

function adviceFor(input, tag) {
  if (input === undefined || input === null) return "Nothing was passed";
  if (typeof input === "string") return adviceForText(input);
  if (tag === "ArrayBuffer" || ArrayBuffer.isView(input)) {
    return "The ArrayBuffer was transferred to another thread, or is detached; pass a copy, made by `buffer.slice()` before";
  }
  const kind = Object(input) === input ? tag : typeof input;
  const got = `Got ${/^([AEIO]|HTML)/.test(kind) ? "an" : "a"} ${kind}`;
  if (tag === "Promise") return `${got}; await it first`;
  if (Object.hasOwn(INSTEAD, tag)) return `${got}; pass ${INSTEAD[tag]}`;
  if (tag.endsWith("Event")) return `${got}; pass a file of it, such as \`event.target.files[0]\``;
  return hasMember(input, "buffer") ? "Got an object with a `buffer`; pass `input.buffer`" : got;
}

function adviceForText(text) {
  if (/^data:/i.test(text)) return "Got a data: URL; pass `await fetch(url)`";
  if (/^(https?|blob):/i.test(text)) return "Got a string; pass `await fetch(url)`";
  if (/^file:/i.test(text)) return "Got a string; in Node pass `new URL(string)`";
  return "Got a string; read a file with `await openAsBlob(path)` of node:fs, or pass `await fetch(url)`";
}

function hasMember(input, name) {
  try {
    return input[name] !== undefined;
  } catch {
    return false;
  }
}
