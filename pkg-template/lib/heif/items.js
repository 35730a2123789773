// What a HEIF file says of its primary picture (ISO/IEC 23008-12): coded tiles, alpha, colors, and how it is turned and cropped.
import { Reader, bodies, boxes } from "./boxes.js";

const ALPHA = ["urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"];
const TRANSFORMATIONS = ["clap", "irot", "imir"];

/**
 * Reads a file whose pictures are coded by HEVC: `{ picture, alpha, premultiplied, transformations }`. `picture` and `alpha`, if there is
 * one, are `{ width, height, columns, tile: { width, height }, tiles, color }` with the bytes of each tile; `transformations`
 * are to be applied in their order. Throws an error if the file is damaged, or its primary picture is of another kind.
 * `check(width, height)` throws one if these are too many pixels; it is called before any bytes of a picture are gathered.
 */
export function readHeif(bytes, check) {
  const { meta } = bodies(bytes);
  if (!meta) throw new RangeError("The file has no pictures.");
  const file = new Items(bytes, bodies(meta.subarray(4)), check);
  const primary = file.primary;
  const alpha = file.alphaOf(primary);
  return {
    picture: file.picture(primary),
    alpha: alpha && file.picture(alpha),
    premultiplied: file.refers(primary, "prem").includes(alpha),
    transformations: transformationsOf(file.properties(primary)),
  };
}

/** At most one of each kind (ISO/IEC 23000-22, 7.3.6.7): each takes a canvas. */
function transformationsOf(properties) {
  const found = properties.filter(({ type }) => TRANSFORMATIONS.includes(type));
  if (new Set(found.map(({ type }) => type)).size < found.length) throw new RangeError("The picture is turned or cropped twice.");
  return found.map(readTransformation);
}

class Items {
  #file;
  #data;
  #types;
  #places;
  #properties;
  #references;
  #check;
  /** The bytes that pictures may still be made of. Tiles may share bytes, but all of them are handed to a decoder. */
  #left;
  #contents = new Map();

  constructor(file, { pitm, iinf, iloc, iprp, iref, idat = new Uint8Array() }, check) {
    if (!pitm || !iinf || !iloc || !iprp) throw new RangeError("The file lacks a list of its pictures.");
    this.#file = file;
    this.#check = check;
    this.#left = 2 * file.length;
    this.#data = idat;
    this.primary = readPrimary(pitm);
    this.#types = readTypes(iinf);
    this.#places = readPlaces(iloc);
    this.#properties = readProperties(iprp);
    this.#references = iref ? readReferences(iref) : [];
  }

  /** What an item refers to by references of a type. */
  refers(id, type) {
    return this.#references.filter((each) => each.type === type && each.from === id).flatMap(({ to }) => to);
  }

  properties(id) {
    return this.#properties.get(id) ?? [];
  }

  alphaOf(id) {
    const isAlpha = ({ type, body }) => type === "auxC" && ALPHA.includes(readText(body.subarray(4)));
    const auxiliary = this.#references.filter(({ type, to }) => type === "auxl" && to.includes(id)).map(({ from }) => from);
    return auxiliary.find((each) => this.properties(each).some(isAlpha));
  }

  picture(id) {
    const size = this.#sizeOf(id);
    this.#check(size.width, size.height);
    const color = this.#colorOf(id);
    if (this.#types.get(id) === "hvc1") return { ...size, columns: 1, tile: size, tiles: [this.#tile(id)], color };
    if (this.#types.get(id) !== "grid") throw new TypeError(`Items of type ${this.#types.get(id)} are not read.`);
    const { columns, rows, width, height } = readGrid(this.#content(id));
    this.#check(width, height);
    const parts = this.refers(id, "dimg");
    if (parts.length !== columns * rows) throw new RangeError("The grid lacks tiles.");
    const tile = this.#sizeOf(parts[0]);
    this.#check(tile.width, tile.height);
    const covers = (count, side, whole) => count * side >= whole && (count - 1) * side < whole;
    if (!covers(columns, tile.width, width) || !covers(rows, tile.height, height)) throw new RangeError("The tiles do not make the picture.");
    return { width, height, columns, tile, tiles: parts.map((part) => this.#tile(part)), color: color ?? this.#colorOf(parts[0]) };
  }

  #tile(id) {
    const [configuration] = this.#bodiesOf(id, "hvcC");
    if (this.#types.get(id) !== "hvc1" || !configuration) throw new TypeError("A tile is not coded by HEVC.");
    const data = this.#content(id);
    this.#left -= data.length;
    if (this.#left < 0) throw new RangeError("The pictures are longer than the file.");
    return { configuration, data };
  }

  #bodiesOf(id, wanted) {
    return this.properties(id).filter(({ type }) => type === wanted).map(({ body }) => body);
  }

  #sizeOf(id) {
    const [body] = this.#bodiesOf(id, "ispe");
    if (!body) throw new RangeError("A picture has no size.");
    const reader = new Reader(body.subarray(4));
    const size = { width: reader.uint(4), height: reader.uint(4) };
    if (size.width === 0 || size.height === 0) throw new RangeError("A picture has no pixels.");
    return size;
  }

  #colorOf(id) {
    const colors = this.#bodiesOf(id, "colr").map(readColor);
    return colors.length > 0 ? Object.assign({}, ...colors) : undefined;
  }

  /** The bytes of an item, its extents joined. */
  #content(id) {
    if (!this.#contents.has(id)) this.#contents.set(id, this.#gather(id));
    return this.#contents.get(id);
  }

  #gather(id) {
    const place = this.#places.get(id);
    if (!place) throw new RangeError("A picture has no place in the file.");
    const source = [this.#file, this.#data][place.method];
    if (!source) throw new TypeError("A picture is made of other items.");
    const parts = place.extents.map(({ offset, length }) => {
      const end = length === 0 ? source.length : offset + length;
      if (!(offset <= end && end <= source.length)) throw new RangeError("A picture lies outside of the file.");
      return source.subarray(offset, end);
    });
    if (parts.length === 1) return parts[0];
    const total = parts.reduce((sum, part) => sum + part.length, 0);
    // Extents may overlap, and so be more than the file.
    if (total > this.#file.length) throw new RangeError("A picture is longer than the file.");
    const joined = new Uint8Array(total);
    parts.reduce((at, part) => (joined.set(part, at), at + part.length), 0);
    return joined;
  }
}

function readPrimary(body) {
  const reader = new Reader(body);
  return reader.uint(reader.full().version === 0 ? 2 : 4);
}

function readTypes(body) {
  const reader = new Reader(body);
  reader.take(reader.full().version === 0 ? 2 : 4);
  const types = new Map();
  for (const entry of boxes(reader.take(reader.left))) {
    const item = new Reader(entry.body);
    const { version } = item.full();
    // Older versions have no type.
    if (version < 2) continue;
    const id = item.uint(version === 2 ? 2 : 4);
    item.take(2);
    types.set(id, item.code());
  }
  return types;
}

/** ISO/IEC 14496-12, 8.11.3. */
function readPlaces(body) {
  const reader = new Reader(body);
  const { version } = reader.full();
  const [sizes, more] = [reader.uint(1), reader.uint(1)];
  const [offsetSize, lengthSize, baseSize, indexSize] = [sizes >> 4, sizes & 15, more >> 4, version > 0 ? more & 15 : 0];
  if (![offsetSize, lengthSize, baseSize, indexSize].every((size) => [0, 4, 8].includes(size))) throw new RangeError("Sizes of places are wrong.");
  const wide = version < 2 ? 2 : 4;
  const places = new Map();
  for (let count = reader.uint(wide); count > 0; count--) {
    const id = reader.uint(wide);
    const method = version > 0 ? reader.uint(2) & 15 : 0;
    reader.take(2);
    const base = reader.uint(baseSize);
    const extents = [];
    let extent = reader.uint(2);
    // Without an offset and a length it is the whole file, which is no reason to have more of them.
    if (offsetSize + lengthSize === 0 && extent > 1) throw new RangeError("A picture has extents without a place.");
    for (; extent > 0; extent--) {
      reader.uint(indexSize);
      extents.push({ offset: base + reader.uint(offsetSize), length: reader.uint(lengthSize) });
    }
    places.set(id, { method, extents });
  }
  return places;
}

/** The properties of each item, in their order: `{ type, body }`. */
function readProperties(body) {
  const { ipco, ipma } = bodies(body);
  if (!ipco || !ipma) throw new RangeError("The file lacks properties of its pictures.");
  const all = [...boxes(ipco)];
  const reader = new Reader(ipma);
  const { version, flags } = reader.full();
  const properties = new Map();
  for (let count = reader.uint(4); count > 0; count--) {
    const id = reader.uint(version < 1 ? 2 : 4);
    const own = [];
    for (let index = reader.uint(1); index > 0; index--) {
      const number = flags & 1 ? reader.uint(2) & 0x7fff : reader.uint(1) & 0x7f;
      if (all[number - 1]) own.push(all[number - 1]);
    }
    properties.set(id, own);
  }
  return properties;
}

function readReferences(body) {
  const reader = new Reader(body);
  const wide = reader.full().version === 0 ? 2 : 4;
  return [...boxes(reader.take(reader.left))].map(({ type, body: content }) => {
    const list = new Reader(content);
    const from = list.uint(wide);
    return { type, from, to: Array.from({ length: list.uint(2) }, () => list.uint(wide)) };
  });
}

/** ISO/IEC 23008-12, 6.6.2.3. */
function readGrid(bytes) {
  const reader = new Reader(bytes);
  reader.take(1);
  const size = reader.uint(1) & 1 ? 4 : 2;
  const [rows, columns] = [reader.uint(1) + 1, reader.uint(1) + 1];
  return { rows, columns, width: reader.uint(size), height: reader.uint(size) };
}

/** `{ profile }`, or code points of ITU-T H.273. */
function readColor(body) {
  const reader = new Reader(body);
  const type = reader.code();
  if (type === "prof" || type === "rICC") return { profile: reader.take(reader.left) };
  if (type !== "nclx") return {};
  return { primaries: reader.uint(2), transfer: reader.uint(2), matrix: reader.uint(2), fullRange: reader.uint(1) >> 7 === 1 };
}

/** `clap` by sizes and the offset of its center, `irot` by quarter turns counterclockwise, `imir` by what is swapped. */
function readTransformation({ type, body }) {
  const reader = new Reader(body);
  if (type === "irot") return { type, turns: reader.uint(1) & 3 };
  if (type === "imir") return { type, swaps: reader.uint(1) & 1 ? "sides" : "top and bottom" };
  const number = () => reader.int32() / reader.int32();
  return { type, width: number(), height: number(), right: number(), down: number() };
}

function readText(bytes) {
  const end = bytes.indexOf(0);
  return String.fromCharCode(...bytes.subarray(0, Math.min(end < 0 ? bytes.length : end, 100)));
}
