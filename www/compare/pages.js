// Pages of a PDF as images, rendered by the server, which still has both files. Browsers on phones can't embed a PDF viewer, and two
// viewers can't be scrolled together.
import { service } from "../service.js";

const DPI = 110;

/** @param result of a call that the server processed. @param dpi pixels per inch. */
export function openPages({ task }, dpi = DPI) {
  const controller = new AbortController();
  const { signal } = controller;
  const drawn = new Map();

  /** Page `page` of the task's "input" or "output", as a PNG. */
  const draw = (side, page) => {
    const key = `${side} ${page}`;
    if (!drawn.has(key)) {
      const drawing = render(task[side], { page, dpi }, signal);
      drawn.set(key, drawing);
      // A failed page is requested again.
      drawing.catch(() => drawn.delete(key));
    }
    return drawn.get(key);
  };
  return { draw, close: () => controller.abort() };
}

async function render(input, settings, signal) {
  const client = await service.client();
  const format = { input: "application/pdf", output: "image/png" };
  const begun = await client.tasks.create({ input, format, settings }, { signal });
  const ended = await client.tasks.wait(begun, { signal });
  const file = ended.files.find(({ id }) => id === ended.output) ?? ended.output;
  return client.files.download(file, { signal });
}
