// Options of `compress` in the query of an address, as in `?quality=60&height=300&fit=cover`. Only forms are checked here: ranges are
// checked by the call.
import { OptionsError } from "filepress";

const number = (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : undefined);
const text = (value) => value || undefined;
const flag = (value) => ({ "": true, true: true, false: false })[value];

const OPTIONS = {
  quality: (value) => (value === "auto" ? value : number(value)),
  minScore: number,
  targetSize: number,
  effort: number,
  lossless: flag,
  background: text,
  metadata: text,
  animation: text,
};
const RESIZE = { width: number, height: number, maxWidth: number, maxHeight: number, fit: text };

/**
 * The options in `params` (URLSearchParams). Members of `resize` have no prefix. Throws `unknown_option` for a name that is neither an
 * option nor in `others`, and `invalid_option` for a value of a wrong form or a name that occurs twice.
 */
export function readQuery(params, others = []) {
  const options = {};
  for (const [name, value] of params) {
    if (others.includes(name)) continue;
    const [members, readers] = Object.hasOwn(RESIZE, name) ? [(options.resize ??= {}), RESIZE] : [options, OPTIONS];
    if (!Object.hasOwn(readers, name)) throw fail("unknown_option", name, `is not one of ${[...Object.keys(OPTIONS), ...Object.keys(RESIZE), ...others].join(", ")}`);
    if (Object.hasOwn(members, name)) throw fail("invalid_option", name, "occurs twice");
    members[name] = readers[name](value);
    if (members[name] === undefined) throw fail("invalid_option", name, "has a value that cannot be read");
  }
  return options;
}

/** The list in a member of `params`, separated by semicolons or commas; undefined without the member. */
export const readList = (params, name) => params.get(name)?.split(/[;,]/).filter(Boolean);

/** The list of numbers in a member of `params`, see `readList`. Throws `invalid_option`. */
export function readNumbers(params, name) {
  return readList(params, name)?.map((item) => {
    if (number(item) > 0) return number(item);
    throw fail("invalid_option", name, `has to list integers, not ${JSON.stringify(item)}`);
  });
}

function fail(code, option, problem) {
  return new OptionsError(code, `${option} ${problem}.`, { details: { option } });
}
