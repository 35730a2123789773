// The small picture on a card: of the file, else of what became of it. A PDF is drawn by the service once that has it; nothing
// is sent for the sake of a picture.
import { viewable } from "./package.js";
import { frame, thumbnail } from "./thumbnail.js";

/** As few pixels an inch as a service draws: enough for a small picture. */
const PAGE_DPI = 36;

/**
 * Keeps the picture in `place` up to date.
 * @returns {(item) => void} is told of each change of the item.
 */
export function createSketch(place, file) {
  const has = () => place.querySelector("canvas") !== null;
  /** What was tried: a file and its results, once each and one after the other. */
  const tried = new Set();
  let last;
  const attempt = (blob, draw) => {
    if (tried.has(blob)) return;
    tried.add(blob);
    last = Promise.resolve(last).then(async () => {
      const canvas = has() ? undefined : await draw(blob).catch(() => undefined);
      if (canvas) place.append(canvas);
    });
  };
  // Before it is known what the file is: most are pictures that the browser reads.
  if (!/^(video|audio)\//.test(file.type)) attempt(file, thumbnail);

  return ({ facts, result, state }) => {
    if (facts?.class === "video") attempt(file, frame);
    if (state !== "done") return;
    const kind = result.type.split("/")[0];
    if (kind === "image") attempt(result.blob, drawAgain);
    else if (kind === "video") attempt(result.blob, frame);
    else if (result.type === "application/pdf") attempt(result.blob, () => drawPage(result));
  };
}

/** Of a type that the browser does not show, what the package makes of it. */
async function drawAgain(blob) {
  return (await thumbnail(blob)) ?? thumbnail(await viewable(blob, 288));
}

async function drawPage(result) {
  const { openPages } = await import("./compare/pages.js");
  return thumbnail(await openPages(result, PAGE_DPI).draw("output", 1));
}
