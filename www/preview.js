// The preview on a card: of the file, otherwise of its result. A PDF is rendered by the server if it already has the file; nothing
// is sent just for a preview.
import { viewable } from "./package.js";
import { frame, thumbnail } from "./thumbnail.js";

/** Resolution of the page preview: the lowest that the server renders. */
const PAGE_DPI = 36;

/**
 * Keeps the preview in `place` up to date.
 * @param {Promise<void>} arrival resolves when the place comes near the screen; nothing is drawn before.
 * @returns {(item) => void} is called on each change of the item.
 */
export function createPreview(place, file, arrival) {
  const has = () => place.querySelector("canvas") !== null;
  /** Blobs that were tried: the file and its results, once each and one at a time. */
  const tried = new WeakSet();
  let last = arrival;
  const attempt = (blob, draw) => {
    if (tried.has(blob)) return;
    tried.add(blob);
    last = last.then(async () => {
      const canvas = has() ? undefined : await draw(blob).catch(() => undefined);
      if (canvas) place.append(canvas);
    });
  };
  // Before the format is known: most files are images that the browser can decode.
  if (!/^(video|audio)\//.test(file.type)) attempt(file, thumbnail);

  return ({ facts, result, state }) => {
    if (facts?.class === "video") attempt(file, frame);
    if (state !== "done") return;
    const kind = result.type.split("/")[0];
    if (kind === "image") attempt(result.blob, drawConverted);
    else if (kind === "video") attempt(result.blob, frame);
    else if (result.type === "application/pdf") attempt(result.blob, () => drawPage(result));
  };
}

/** For formats that the browser can't decode, the package converts the image first. */
async function drawConverted(blob) {
  return (await thumbnail(blob)) ?? thumbnail(await viewable(blob, 288));
}

async function drawPage(result) {
  const { openPages } = await import("./compare/pages.js");
  return thumbnail(await openPages(result, PAGE_DPI).draw("output", 1));
}
