// The package, imported when it is first needed: nothing of it stands between the visitor and the page.
let importing;
let known;

/** The public module of the package. */
export function filepress() {
  importing ??= import("./filepress/index.browser.js").catch((error) => {
    importing = undefined;
    throw error;
  });
  return importing;
}

/** What `formats()` tells, asked once. */
export function formats() {
  known ??= filepress()
    .then((api) => api.formats())
    .catch((error) => {
      known = undefined;
      throw error;
    });
  return known;
}

/** The row of `formats()` for a media type; undefined for a type that is not known. */
export async function formatOf(type) {
  return (await formats()).find((format) => format.type === type);
}

/**
 * What a file is, by its bytes: what `inspect` tells of an image, and of video, sound and PDF the type; with the row of
 * `formats()`. Rejects as `inspect` does.
 */
export async function recognize(file, signal) {
  const { inspect } = await filepress();
  // What it is can be told of a file that is too large to be worked on here.
  const limits = { maxInputBytes: Math.max(file.size, 1) };
  const found = await inspect(file, { signal, limits }).catch((error) => {
    if (error.code !== "needs_service") throw error;
    return { type: error.details.type };
  });
  const { name, class: kind } = await formatOf(found.type);
  return { ...found, name, class: kind };
}

/** A file in a type that every browser shows: for previews, at most `side` pixels long. Rejects where there is no picture. */
export async function viewable(blob, side = 16_383) {
  const { convert } = await filepress();
  const options = { quality: 90, resize: { maxWidth: side, maxHeight: side } };
  return (await convert(blob, "image/webp", options)).blob;
}
