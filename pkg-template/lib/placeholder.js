// `placeholder`: what a page can show before an image is loaded (src/image/placeholder.rs).
import { abortable } from "./abort.js";
import { settle } from "./calls.js";
import { readOptions } from "./options.js";

/** The most pixels a side that ThumbHash allows. */
const SIDE = 100;

/** The function `placeholder`, apart from the others: a page that does not use it does not load it. */
export function createPlaceholder({ dispatcher }) {
  return async (input, options) => {
    const { signal, settings } = readOptions(options, ["signal", "crop", "rotate", "flip", "fonts", "limits"]);
    return settle(signal, async () => {
      const opened = await abortable(signal, dispatcher.open(input, { settings, signal }));
      // The photo build has no placeholders. A PNG keeps transparency, and the color profile.
      const small = { ...settings, to: "image/png", animation: "first", resize: { maxWidth: SIDE, maxHeight: SIDE } };
      const described = (each) => dispatcher.planImage(each, small, signal, "described", small.to);
      const [source, plan] = await dispatcher.planReadable(opened, { settings, signal }, described);
      const { report } = await dispatcher.run(plan, source, { call: "placeholder", settings: small, signal });
      return { ...report, thumbhash: new Uint8Array(report.thumbhash) };
    });
  };
}
