// What is written for people and programs, a line at a time. Names of files and words of a service are in it, which move no cursor.
import { escapeControls } from "../lib/escape-controls.js";

export function writeLine(stream, text) {
  stream.write(`${escapeControls(text)}\n`);
}

/** A document in one line: what cannot be seen is escaped, so that names stay what they are. */
export function writeJson(stream, document) {
  stream.write(`${escapeControls(JSON.stringify(document), escaped)}\n`);
}

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
