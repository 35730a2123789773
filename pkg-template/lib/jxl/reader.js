// Reads JPEG XL: the build jxl makes a PNG of it, without loss, which is the input of the other builds (src/jxl.rs). Loaded when such a file
// comes.

const TYPE = "image/jxl";

/** Bytes that a pixel of a file of one frame takes: what `Reader::memory` of codecs/jxl says of 16 bits per channel with alpha, 42, and the PNG, 8. */
const BYTES_PER_PIXEL = 50;
/** Where the size of the picture is not in the first bytes: a photo of a phone. */
const USUAL_PIXELS = 12e6;

/**
 * Resolves to the source of the PNG, to which the name of `source` is handed on; without pixels if `inspects`. `head` are the first bytes, and `run(job)`
 * runs a job of the build.
 */
export async function readJxl(source, { head, inspects, run }) {
  const need = BYTES_PER_PIXEL * (pixelsOf(head) ?? USUAL_PIXELS) + source.size;
  // Bytes go to the worker that decodes them. The call may still need them, for a server.
  const own = { ...source, bytes: source.bytes?.slice() };
  const { bytes, report } = await run({ call: inspects ? "inspect" : "process", source: own, type: TYPE, need });
  const png = inspects ? report : bytes;
  const { name, lastModified, size } = source;
  const defaultType = report.opaque && report.frames === 1 ? "image/jpeg" : "image/webp";
  return { bytes: png, size: png.length, type: "image/png", defaultType, name, lastModified, original: { type: TYPE, size, build: "jxl" } };
}

/** Width × height by the first bytes of a file; undefined if they do not reach to it. */
export function pixelsOf(head) {
  const codestream = head[0] === 0xff ? head : findCodestream(head);
  // The size takes at most 9 bytes after the signature.
  return codestream?.length >= 11 ? readSize(codestream.subarray(2)) : undefined;
}

/** The codestream in a container (ISO/IEC 18181-2): the contents of the box jxlc, or of the first jxlp, which begins with a number. */
function findCodestream(head) {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  for (let at = 0, length; at + 16 <= head.length; at += length) {
    const isLong = (length = view.getUint32(at)) === 1;
    if (isLong) length = Number(view.getBigUint64(at + 8));
    const kind = String.fromCharCode(...head.subarray(at + 4, at + 8));
    if (kind === "jxlc" || kind === "jxlp") return head.subarray(at + (isLong ? 16 : 8) + (kind === "jxlp" ? 4 : 0));
    if (length < 8) return undefined;
  }
}

/** Width : height for each ratio, 0 for sizes that are told apart (ISO/IEC 18181-1, table of SizeHeader). */
const RATIOS = [0, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2];

function readSize(bytes) {
  let at = 0;
  const bits = (count) => {
    let value = 0;
    for (let index = 0; index < count; index++, at++) value += ((bytes[at >> 3] >> (at & 7)) & 1) * 2 ** index;
    return value;
  };
  const isSmall = bits(1);
  const side = () => (isSmall ? 8 * (bits(5) + 1) : bits([9, 13, 18, 30][bits(2)]) + 1);
  const height = side();
  const ratio = bits(3);
  return height * (ratio ? Math.floor(height * RATIOS[ratio]) : side());
}
