// Names of results, by the pattern in the settings.
import { readSettings } from "./settings.js";

/** Characters that file systems refuse. */
const REFUSED = /[\\/:*?"<>|\u0000-\u001f]/g;

/** The name of an item's result: `{name}` is the original's without its extension, `{width}` and `{height}` are pixels. */
export function resultName({ result }) {
  const [, name, extension] = /^(.*?)(\.[^.]*)?$/s.exec(result.name);
  const values = { name, width: result.width ?? "", height: result.height ?? "" };
  const stem = readSettings().pattern.replace(/\{(name|width|height)\}/g, (_, key) => values[key]);
  return `${stem.replace(REFUSED, "_") || name}${extension ?? ""}`;
}
