// Names of results, by the pattern in the settings.
import { readSettings } from "./settings.js";

/** Characters that file systems refuse, and those that make a name read like another one (UAX #9). */
const REFUSED = /[\\/:*?"<>|\u0000-\u001f\u202a-\u202e\u2066-\u2069]/g;
/** Bytes that every file system takes, with room for an extension and a number. */
const MOST_BYTES = 240;

/** The name of an item's result: `{name}` is the original's without its extension, `{width}` and `{height}` are pixels. */
export function resultName({ result }) {
  const [, name, extension] = /^(.*?)(\.[^.]*)?$/s.exec(result.name);
  const values = { name, width: result.width ?? "", height: result.height ?? "" };
  const stem = readSettings().pattern.replace(/\{(name|width|height)\}/g, (_, key) => values[key]);
  return `${shortened(stem.replace(REFUSED, "_")) || name}${extension ?? ""}`;
}

/** A name without its end if it is too long. */
function shortened(name) {
  const bytes = new TextEncoder().encode(name);
  return bytes.length > MOST_BYTES ? new TextDecoder().decode(bytes.subarray(0, MOST_BYTES)).replace(/\ufffd+$/, "") : name;
}
