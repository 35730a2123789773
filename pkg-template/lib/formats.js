// Makes the rows of `formats()` from the descriptors of the engine, which have their properties as bits.

/** Bits of `Traits` in `src/formats/descriptor.rs`. */
const TRAITS = { quality: 0, autoQuality: 1, lossless: 2, transcode: 13, effort: 3, alpha: 4, animation: 8, pages: 9, vector: 10 };
const METADATA = { icc: 11, exif: 12, xmp: 12, iptc: 20 };

/** A row of `formats()`. `build` is null for a format that only a service handles. */
export function toFormat({ build, traits, maxSide, ...format }) {
  const read = build !== null;
  const has = (bits) => (name) => (traits >> bits[name]) & 1;
  const row = { ...format, read, write: read, engine: read ? "local" : "remote", build };
  for (const name in TRAITS) row[name] = has(TRAITS)(name) > 0;
  return { ...row, metadata: Object.keys(METADATA).filter(has(METADATA)), maxSide };
}
