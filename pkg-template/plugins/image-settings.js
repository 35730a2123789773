// The options of the image server, checked when it is created, so that no mistake in them waits for the first visitor.
import { isPlainObject, members } from "../lib/options.js";
import { readSize } from "./image-request.js";
import { checkKey } from "./image-signature.js";

const DEFAULTS = {
  prefix: "/_img/",
  auto: ["avif", "webp"],
  maxSide: 4096,
  cacheControl: "public, max-age=86400, stale-while-revalidate=604800",
  cacheBytes: 32 * 2 ** 20,
  freshFor: 60_000,
  maxPending: 64,
  timeout: 60_000,
};
/** With `cacheKey`. Images differ by visitor, so no cache of many visitors keeps them, and that of a browser asks each time. */
const PRIVATE = { cacheControl: "private, no-cache", vary: "cookie, authorization" };
const LIMITS = { maxInputBytes: 32 * 2 ** 20, maxPixels: 50_000_000 };
const FORMATS = ["auto", "avif", "webp", "jpeg", "png", "original"];

/** What follows `image/` in the media types of `OutputType`, where it is not the file extension. */
const SUBTYPES = {
  jpg: "jpeg", tif: "tiff", svg: "svg+xml", ico: "x-icon", pnm: "x-portable-anymap", tga: "x-tga", ff: "x-farbfeld",
  exr: "x-exr", hdr: "vnd.radiance", dds: "vnd.ms-dds",
};
const TYPES = ["jpeg", "png", "webp", "gif", "bmp", "qoi", "avif", ...Object.values(SUBTYPES)].map((subtype) => `image/${subtype}`);

/** The longest delay of a timer. A longer one would end at once. */
const MOST_DELAY = 2 ** 31 - 1;

const isFunction = [(value) => typeof value === "function", "must be a function"];
const isObject = [isPlainObject, "must be a plain object"];
const isCount = [(value) => Number.isSafeInteger(value) && value > 0, "must be a positive integer"];
const from = (least, most = Infinity) => [(value) => value >= least && value <= most && typeof value === "number", `must be a number from ${least}${most < Infinity ? ` to ${most}` : ""}`];
const isHeader = [(value) => typeof value === "string" && /^[\t -~]*$/.test(value), "must be the value of a header, in ASCII"];
const list = (isItem, of) => [(value) => Array.isArray(value) && value.every(isItem), `must be a list of ${of}`];

const RULES = {
  compress: isFunction,
  source: isFunction,
  onError: isFunction,
  cacheKey: isFunction,
  prefix: [(value) => /^\/[^?#]*$/.test(value), "must be a path that begins with a slash"],
  key: [checkKey],
  allow: isObject,
  auto: list((name) => TYPES.includes(toType(name)), "formats that filepress writes"),
  defaults: [(value) => isPlainObject(value) && isPlainObject(value.resize ?? {}), "must be a plain object, and so must its resize"],
  limits: isObject,
  maxSide: isCount,
  maxPending: from(1),
  timeout: from(1, MOST_DELAY),
  cacheBytes: from(0),
  freshFor: from(0),
  cacheControl: isHeader,
  vary: isHeader,
};
const ALLOW_RULES = {
  sizes: list((size) => readSize(`${size}`), "sizes, such as 400 and \"400x300\""),
  formats: list((format) => typeof format === "string", "formats"),
  qualities: list((quality) => ["number", "string"].includes(typeof quality), "qualities"),
};
const LIMIT_RULES = { maxInputBytes: isCount, maxPixels: isCount, maxMemoryBytes: isCount };

/** The options with all defaults. Members that are `undefined` count as absent. Throws a TypeError that names what is wrong. */
export function readSettings(options) {
  const { compress, source, key, allow, defaults, limits, ...given } = check(options, RULES);
  if (!compress || !source) throw new TypeError("compress and source must be functions");
  const allowed = allow && { formats: FORMATS, qualities: [], ...check(allow, ALLOW_RULES, "allow.") };
  // Without one of these, anyone could have any work done.
  if (allow ? !allowed.sizes : key === undefined) throw new TypeError("key or allow.sizes is required");
  const settings = { ...DEFAULTS, ...(given.cacheKey && PRIVATE), ...given, compress, source, key, allow: allowed, limits: { ...LIMITS, ...check(limits ?? {}, LIMIT_RULES, "limits.") } };
  // As the paths of URLs are: with a slash at its end, and what no URL can contain encoded.
  const prefix = new URL(`http://localhost${settings.prefix.replace(/\/?$/, "/")}`).pathname;
  return { ...settings, prefix, auto: settings.auto.map(toType), defaults: { ...defaults, resize: Object.fromEntries(members(defaults?.resize ?? {})) } };
}

function check(options, rules, path = "") {
  const given = members(options ?? {});
  for (const [name, value] of given) {
    if (!Object.hasOwn(rules, name)) throw new TypeError(`${path}${name} is no option of the image server`);
    const [isRight, problem] = rules[name];
    if (!isRight(value)) throw new TypeError(`${path}${name} ${problem}`);
  }
  return Object.fromEntries(given);
}

/** The media type of a format that is named by it or by a file extension. */
function toType(name) {
  const format = `${name}`.toLowerCase();
  return format.startsWith("image/") ? format : `image/${Object.hasOwn(SUBTYPES, format) ? SUBTYPES[format] : format}`;
}
