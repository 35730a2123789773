// The one place where the page meets the package.
import { compress, convert, formats, inspect } from "./filepress/index.browser.js";

/** What the package reads and writes on this device: { read, write }, each a list as `formats()` gives it. */
export async function localTypes() {
  const local = (await formats()).filter(({ engine }) => engine === "local");
  // An SVG is written from nothing but an SVG.
  const offered = ({ write, type }) => write && type !== "image/svg+xml";
  return { read: local.filter(({ read }) => read), write: local.filter(offered) };
}

/**
 * Runs one picture through the package.
 * @returns the package's result, with `ms`: from the call to the result.
 */
export async function press(file, { to, options }, { signal, onInspected, onProgress }) {
  onInspected(await inspect(file, { signal }));
  const settings = { ...options, signal, onProgress };
  const started = performance.now();
  const result = to ? await convert(file, to, settings) : await compress(file, settings);
  return { result, ms: performance.now() - started };
}

/** The same pixels as a BMP, which is quickly made and which every browser shows. */
export async function viewable(blob) {
  const { blob: picture } = await convert(blob, "image/bmp");
  return picture;
}
