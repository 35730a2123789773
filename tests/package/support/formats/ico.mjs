// ICO (Windows icon) with PNG pictures inside.
import { strict as assert } from "node:assert";
import { readWithSharp } from "./sharp.mjs";

/** An icon of pictures that are coded already (PNG), each { width, height, bytes }. */
export function write(entries) {
  const directory = Buffer.alloc(6 + 16 * entries.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(entries.length, 4);
  let offset = directory.length;
  entries.forEach(({ width, height, bytes }, index) => {
    const at = 6 + 16 * index;
    directory.set([width % 256, height % 256, 0, 0, 1, 0, 32, 0], at);
    directory.writeUInt32LE(bytes.length, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += bytes.length;
  });
  return Buffer.concat([directory, ...entries.map(({ bytes }) => bytes)]);
}

/** The largest picture of an icon; they have to be PNG, which is what filepress writes. */
export async function read(file) {
  assert.equal(file.readUInt32LE(0), 0x00010000);
  const entries = Array.from({ length: file.readUInt16LE(4) }, (_, index) => file.subarray(6 + index * 16, 22 + index * 16));
  const [largest] = entries.sort((one, other) => (other[0] || 256) - (one[0] || 256));
  const picture = await readWithSharp(file.subarray(largest.readUInt32LE(12), largest.readUInt32LE(12) + largest.readUInt32LE(8)));
  assert.deepEqual([picture.width % 256, picture.height % 256], [largest[0], largest[1]]);
  return picture;
}
