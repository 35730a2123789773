// Images that this browser can show: the file itself, or a conversion if the browser can't decode its format.
import { viewable } from "../package.js";

/** Resolves to a blob for an `img`. Rejects if it can't be decoded. */
export async function displayable(blob) {
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
