// Makes the rows of `formats()` from the descriptors of the engine, which have their properties as bits.

import { invalid } from "./options.js";

/** Bits of `Traits` in `src/formats/descriptor.rs`. */
const TRAITS = { quality: 0, autoQuality: 1, lossless: 2, transcode: 13, effort: 3, colors: 15, chroma: 24, alpha: 4, animation: 8, pages: 9, vector: 10 };
const METADATA = { icc: 11, exif: 12, xmp: 12, iptc: 20 };

/** The builds that are tried first. If all types are among these, photo_avif is in place of avif. */
const FIRST = { "image/jpeg": "photo", "image/avif": "avif" };

/** JPEG XL is read by a build of its own, and by no other: they get a PNG. */
export const JXL = { type: "image/jxl", name: "JPEG XL", extensions: ["jxl"], class: "image", build: "jxl", traits: 0, maxSide: null };

/** A row of `formats()` where these `builds` are. `build` is null for a format that none of them handles. */
export function toFormat({ build: needed, traits, maxSide, ...format }, builds) {
  const read = builds.includes(needed);
  // The build avif only writes AVIF.
  const writer = format.type === "image/avif" && builds.includes("avif") ? "avif" : null;
  const build = read ? needed : writer;
  const has = (bits) => (name) => (traits >> bits[name]) & 1;
  const row = { ...format, read, write: build !== null && build !== "jxl", engine: build ? "local" : "remote", build };
  for (const name in TRAITS) row[name] = has(TRAITS)(name) > 0;
  // Scores are computed and JPEGs transcoded in the full build.
  for (const name of ["autoQuality", "transcode"]) row[name] &&= builds.includes("full");
  return { ...row, metadata: Object.keys(METADATA).filter(has(METADATA)), maxSide };
}

/** The builds that calls for these types (media types or file extensions) need first: of `rows`, those of `formats()`. */
export function buildsOf(types, rows) {
  if (!Array.isArray(types)) throw invalid("types", "must be an array of media types and file extensions");
  const named = types.map((type) => {
    const name = String(type).toLowerCase();
    const row = rows.find((row) => row.type === name || row.extensions.includes(name));
    if (!row) throw invalid("types", `names an unknown format (${name})`);
    return row;
  });
  const prefix = named.every(({ type }) => FIRST[type]) ? "photo_" : "";
  return named.filter(({ build }) => build).map(({ type, build }) => (type === "image/avif" ? `${prefix}avif` : (FIRST[type] ?? build)));
}
