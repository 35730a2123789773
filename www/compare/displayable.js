// Images that this browser can show: the file itself, or a conversion if the browser can't decode its format.
import { viewable } from "../package.js";

/** Blobs for an `img`, by the blob that they show. */
const known = new WeakMap();

/** Resolves to a blob for an `img`. Rejects if it can't be decoded. */
export function displayable(blob) {
  if (!known.has(blob)) {
    const found = find(blob);
    known.set(blob, found);
    found.catch(() => known.delete(blob));
  }
  return known.get(blob);
}

async function find(blob) {
  const url = URL.createObjectURL(blob);
  try {
    await load(url);
    return blob;
  } catch {
    return await viewable(blob);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Resolves to a decoded `img`. */
export async function load(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}
