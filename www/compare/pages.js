// Pages of a PDF, and images that only the server reads, as images: rendered by the server, which still has both files. Browsers on
// phones can't embed a PDF viewer, and two viewers can't be scrolled together.
import { service } from "../service.js";

const DPI = 110;
const PDF = "application/pdf";

/** @param result of a call that the server processed. @param dpi pixels per inch. */
export function openPages({ task, inputType, type }, dpi = DPI) {
  const controller = new AbortController();
  const { signal } = controller;
  const drawn = new Map();

  /** Page `page` of the task's "input" or "output", as a PNG. An image has one. */
  const draw = (side, page = 1) => {
    const key = `${side} ${page}`;
    if (!drawn.has(key)) {
      const from = side === "input" ? inputType : type;
      const drawing = render(task[side], from, from === PDF ? { page, dpi } : {}, signal);
      drawn.set(key, drawing);
      // A failed page is requested again.
      drawing.catch(() => drawn.delete(key));
    }
    return drawn.get(key);
  };
  return { draw, close: () => controller.abort() };
}

async function render(input, type, settings, signal) {
  const client = await service.client();
  const format = { input: type, output: "image/png" };
  const begun = await client.tasks.create({ input, format, settings }, { signal });
  const ended = await client.tasks.wait(begun, { signal });
  const file = ended.files.find(({ id }) => id === ended.output) ?? ended.output;
  return client.files.download(file, { signal });
}
