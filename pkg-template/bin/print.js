// Prints lines of text and JSON. File names and messages of a server may contain control characters, which must not reach a terminal.
import { escapeControls } from "../lib/escape-controls.js";

export function writeLine(stream, text) {
  stream.write(`${escapeControls(text)}\n`);
}

/** A JSON document on one line. Control characters are escaped, so that names are preserved. */
export function writeJson(stream, document) {
  stream.write(`${escapeControls(JSON.stringify(document), toEscape)}\n`);
}

const toEscape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
