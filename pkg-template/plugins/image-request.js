// What the URL of an image requests: `<prefix>400/avif/photo.jpg?quality=60`, with a signature or from lists of what is allowed.
import { isName, readSegments } from "./image-path.js";
import { isSigned } from "./image-signature.js";
import { readQuery } from "./query.js";
import { refuse } from "./refusal.js";

/** `400`, `400x300` or `x300`. */
const SIZE = /^([1-9]\d{0,4})?(?:x([1-9]\d{0,4}))?$/;

/**
 * Resolves to `{ path, format, asked, options }`: the path of the source, the format's name in the URL, what the rest of the URL asks for, as
 * short as that, and the options of `compress` apart from `to`. Rejects with a refusal. `settings` are those of the handler.
 */
export async function readImageRequest(url, settings) {
  const { key, allow, defaults, maxSide, prefix } = settings;
  const { search } = url;
  const segments = decode(url.pathname);
  const [size, format, ...names] = segments?.slice(prefix.split("/").length - 1) ?? [];
  if (!segments || !names.every(isName)) throw refuse(400, "invalid_path", "The path has a wrong name.");
  const signed = key !== undefined && (await isSigned(segments, search, key));
  // A wrong signature is refused even if the rest is allowed: each would be another URL of the same image for a CDN.
  if (key !== undefined && !signed && (!allow || url.searchParams.has("s"))) throw refuse(403, "bad_signature", "The signature is wrong.");
  const resize = readSize(size);
  if (!resize || !format || !names.length || names.includes("")) throw refuse(404, "not_found", `A URL is ${prefix}SIZE/FORMAT/PATH.`);
  // Addresses that differ only in the order of options are the same image.
  url.searchParams.sort();
  const query = readQuery(url.searchParams, signed ? ["s"] : []);
  if (!signed) checkAllowed({ size, format, query, search }, allow);
  for (const sides of [resize, query.resize]) checkSides(sides ?? {}, maxSide);
  const options = { ...defaults, ...query, resize: mergeResize(resize, query.resize ?? {}, defaults.resize) };
  return { path: names.join("/"), format, asked: [size, query], options };
}

/** The members of `resize`; undefined if there is no size. A picture is not enlarged, unless it has to fill both sides. */
export function readSize(size) {
  if (size === "full") return {};
  const [, width, height] = SIZE.exec(size) ?? [];
  if (!width && !height) return undefined;
  if (width && height) return { width: +width, height: +height };
  return width ? { maxWidth: +width } : { maxHeight: +height };
}

/** `resize` of the URL's size and query, over that of the defaults. Undefined if nothing is resized, as `lossless` of a JPEG needs it. */
function mergeResize(size, asked, defaults) {
  for (const name in size) {
    if (name in asked && asked[name] !== size[name]) throw refuse(400, "invalid_option", `${name} differs from the size in the path.`);
  }
  const merged = { ...(size.height && size.width && { fit: "cover" }), ...defaults, ...asked, ...size };
  // A default is for images that are cropped or padded. For others, `compress` would refuse some positions.
  if (!("position" in asked) && !["cover", "contain"].includes(merged.fit)) delete merged.position;
  return Object.keys(merged).length > 0 ? merged : undefined;
}

function checkSides(sides, maxSide) {
  for (const name of ["width", "height", "maxWidth", "maxHeight"]) {
    if (sides[name] > maxSide) throw refuse(400, "size_not_allowed", `A side has at most ${maxSide} pixels.`);
  }
}

function decode(path) {
  try {
    return readSegments(path);
  } catch {
    return undefined;
  }
}

function checkAllowed({ size, format, query, search }, { sizes, formats, qualities }) {
  if (!sizes.map(String).includes(size)) throw refuse(403, "size_not_allowed", `Sizes: ${sizes}.`);
  if (!formats.includes(format)) throw refuse(403, "format_not_allowed", `Formats: ${formats}.`);
  const { quality, ...others } = query;
  if (Object.keys(others).length > 0 || (quality !== undefined && !qualities.includes(quality))) {
    throw refuse(403, "option_not_allowed", "Options need a signature.");
  }
  // `?&` and `?quality=050` would be further URLs of the same image, without end.
  if (search !== (quality === undefined ? "" : `?quality=${quality}`)) throw refuse(403, "option_not_allowed", "The query has another spelling.");
}
