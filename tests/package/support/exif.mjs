// Reads the EXIF tags that the tests need.

/** A Map from tag number to value of the first directory: text for ASCII, else a number. `exif` begins with "Exif\0\0" or "II"/"MM". */
export function readExif(exif) {
  const tiff = exif.toString("latin1", 0, 4) === "Exif" ? exif.subarray(6) : exif;
  const little = tiff.toString("latin1", 0, 2) === "II";
  const u16 = (at) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = u32(4);
  const entries = Array.from({ length: u16(directory) }, (_, index) => directory + 2 + index * 12);
  return new Map(entries.map((at) => [u16(at), value(at)]));

  function value(at) {
    const [kind, count] = [u16(at + 2), u32(at + 4)];
    if (kind === 3) return u16(at + 8);
    if (kind !== 2) return u32(at + 8);
    const start = count > 4 ? u32(at + 8) : at + 8;
    return tiff.toString("latin1", start, start + count).replace(/\0+$/, "");
  }
}

export const TAGS = { make: 0x010f, model: 0x0110, orientation: 0x0112, artist: 0x013b, copyright: 0x8298, gps: 0x8825 };
