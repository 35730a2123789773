// A picture that this browser shows: the file itself, or what the package makes of a type that it does not know.
import { viewable } from "../package.js";

/** Resolves to a blob for an `img`. Rejects where there is no picture. */
export async function picture(blob) {
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

/** Resolves to an `img` whose picture is decoded. */
export async function load(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}
