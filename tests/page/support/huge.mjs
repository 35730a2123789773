// A PNG with more pixels than a device accepts, in a few bytes: it has a header but no pixels.
import { crc32 } from "node:zlib";

export function hugePng() {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(15_000, 0);
  header.writeUInt32BE(12_000, 4);
  // 8 bits a channel, RGB.
  header.set([8, 2], 8);
  const chunks = [chunk("IHDR", header), chunk("IDAT", Buffer.alloc(20)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
}

function chunk(name, data) {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [data.length, crc32(named)].map((number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(number);
    return bytes;
  });
  return Buffer.concat([length, named, sum]);
}
