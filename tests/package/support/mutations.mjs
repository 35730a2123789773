// Truncated and damaged versions of a file, at regular positions.

/** `count` places spread evenly over `length` bytes, and all of the first `head` bytes, where the headers are; none for 0. */
function places(length, count, head) {
  if (count === 0) return [];
  const spread = Array.from({ length: count }, (_, index) => Math.floor((index * length) / count));
  const start = Array.from({ length: Math.min(head, length) }, (_, index) => index);
  return [...new Set([...start, ...spread, length - 1])].sort((one, other) => one - other);
}

/** Each cut as { what, bytes }. */
export function* cuts(bytes, count, head) {
  for (const at of places(bytes.length, count, head)) yield { what: `cut at ${at}`, bytes: bytes.subarray(0, at) };
}

/** Each damaged copy as { what, bytes }: all bits of one byte turned over, or one bit. */
export function* flips(bytes, count, head) {
  for (const at of places(bytes.length, count, head)) {
    for (const mask of [0xff, 1 << at % 8]) {
      const damaged = bytes.slice();
      damaged[at] ^= mask;
      yield { what: `byte ${at} ^ ${mask}`, bytes: damaged };
    }
  }
}
