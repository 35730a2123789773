// Boxes of ISO base media files (ISO/IEC 14496-12, 4.2). What lies beyond the end of a box is a RangeError.

/** A big-endian reader of bytes. */
export class Reader {
  #view;
  at = 0;

  constructor(bytes) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get left() {
    return this.bytes.length - this.at;
  }

  /** An unsigned number of 0, 1, 2, 4 or 8 bytes. */
  uint(size) {
    const { at } = this;
    this.at += size;
    if (size === 0) return 0;
    if (size === 8) return this.#view.getUint32(at) * 2 ** 32 + this.#view.getUint32(at + 4);
    return this.#view[`getUint${8 * size}`](at);
  }

  int32() {
    return this.uint(4) | 0;
  }

  take(length) {
    if (!(length <= this.left)) throw new RangeError("The file ends within a box.");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** Four characters. */
  code() {
    return String.fromCharCode(...this.take(4));
  }

  /** The version of a full box, and its flags. */
  full() {
    const word = this.uint(4);
    return { version: word >>> 24, flags: word & 0xffffff };
  }
}

/** The boxes of these bytes: `{ type, body }`. A size of 0 reaches to the end. */
export function* boxes(bytes) {
  const reader = new Reader(bytes);
  while (reader.left >= 8) {
    const start = reader.at;
    let size = reader.uint(4);
    const type = reader.code();
    if (size === 1) size = reader.uint(8);
    const header = reader.at - start;
    if (size !== 0 && size < header) throw new RangeError("A box is shorter than its header.");
    yield { type, body: reader.take(size === 0 ? reader.left : size - header) };
  }
}

/** The bodies of boxes by type, the first of each. */
export function bodies(bytes) {
  const found = {};
  for (const { type, body } of boxes(bytes)) found[type] ??= body;
  return found;
}
