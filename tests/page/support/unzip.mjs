// Reads a ZIP file of stored entries (APPNOTE.TXT 6.3) by its central directory, as unpackers do, and verifies the
// checksums.
import { strict as assert } from "node:assert";
import { crc32 } from "node:zlib";

/** The entries as a Map from name to bytes. */
export function unzip(bytes) {
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  assert.ok(end >= 0, "no end of the central directory");
  const files = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    assert.equal(bytes.toString("latin1", at, at + 4), "PK\x01\x02");
    assert.equal(bytes.readUInt16LE(at + 10), 0, "an entry is compressed");
    const [sum, size] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const header = bytes.readUInt32LE(at + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const contents = bytes.subarray(start, start + size);
    assert.equal(crc32(contents), sum, "a checksum does not hold");
    files.set(bytes.toString("utf8", at + 46, at + 46 + name), contents);
    at += 46 + name + extra + comment;
  }
  return files;
}
