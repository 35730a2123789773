// The flags that .filepressrc sets: a JSON object with the long names of options, as the command line takes it by --config.
import { existsSync, readFileSync } from "node:fs";

/** Members that say which files are read and written, which the action decides, or what is contacted. */
const NOT_OURS = ["inputs", "out", "name", "to", "widths", "force", "skip-existing", "newer", "in-place", "dry-run", "json", "quiet", "watch", "config", "server", "engine"];

/** Options of how an image is compressed. A name that is not here could be any argument of the command line. */
const OURS = [
  "quality", "min-score", "target-size", "lossless", "effort", "colors", "dither", "chroma", "width", "height", "max-width", "max-height", "fit", "position", "crop", "rotate", "flip",
  "overlay", "overlay-position", "overlay-opacity", "overlay-margin", "overlay-width", "background", "metadata", "animation", "hdr", "font", "set", "concurrency", "no-ignore", "only-if-smaller",
];

/** The flags of the file at `path`; none if there is no file. Throws if it is not valid. */
export function readFlags(path) {
  if (!existsSync(path)) return [];
  const config = JSON.parse(readFileSync(path, "utf8"));
  if (typeof config !== "object" || config === null || Array.isArray(config)) throw new Error(`${path} must be a JSON object`);
  const own = Object.entries(config).filter(([name, value]) => !NOT_OURS.includes(name) && value !== false);
  const unknown = own.find(([name]) => !OURS.includes(name));
  if (unknown) throw new Error(`${path} has the option ${JSON.stringify(unknown[0])}, which the action does not take`);
  return own.flatMap(([name, value]) => flagsOf(name, value));
}

function flagsOf(name, value) {
  if (value === true) return [`--${name}`];
  if (name === "set") return Object.entries(value).map(([key, setting]) => `--set=${key}=${JSON.stringify(setting)}`);
  return [value].flat().map((item) => `--${name}=${item}`);
}
