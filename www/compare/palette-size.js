// How many colors a PNG with a palette has, from its chunks (ISO/IEC 15948, 5.3 and 11.2.2).

/** The palette comes before the pixels, and near the beginning unless there is a large color profile. */
const SEARCHED = 65_536;
const SIGNATURE = 8;

/** Resolves to the number of colors in the palette; undefined if none is found. */
export async function paletteSize(blob) {
  if (blob.type !== "image/png") return undefined;
  const view = new DataView(await blob.slice(0, SEARCHED).arrayBuffer());
  for (let at = SIGNATURE; at + 8 <= view.byteLength; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
    if (name === "PLTE") return length / 3;
    if (name === "IDAT") return undefined;
    // Length, name and checksum take four bytes each.
    at += 12 + length;
  }
  return undefined;
}
