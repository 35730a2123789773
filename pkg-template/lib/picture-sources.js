// What the markup of a `<picture>` needs, from the outputs of `variants`.
import { invalid } from "./options.js";

/**
 * `{ sources, img }` for outputs in any order. The fallback, `img`, is the type of the output with the last index; the other types are
 * `sources`, in the order of their first index.
 */
export function pictureSources(outputs, url = ({ name }) => name) {
  const sorted = outputs?.[Symbol.iterator] ? [...outputs] : [];
  if (!sorted.length || !sorted.every((output) => output?.type)) throw invalid("outputs", "must be outputs of variants");
  sorted.sort((one, other) => one.index - other.index);
  const types = [...new Set(sorted.map(({ type }) => type))];
  const fallback = sorted.at(-1).type;
  const ofType = (type) => {
    const byWidth = new Map(sorted.filter((output) => output.type === type).map((output) => [output.width, output]));
    return [...byWidth.values()].sort((one, other) => one.width - other.width);
  };
  const srcset = (list) => list.map((output) => `${address(url(output))} ${output.width}w`).join(", ");
  const own = ofType(fallback);
  const largest = own.at(-1);
  return {
    sources: types.filter((type) => type !== fallback).map((type) => ({ type, srcset: srcset(ofType(type)) })),
    img: { src: address(url(largest)), srcset: srcset(own), width: largest.width, height: largest.height },
  };
}

/** An address as `srcset` takes it: white space would end it, and a comma at its end too. */
const address = (url) => String(url).replace(/[\s,]/g, (character) => `%${character.codePointAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
