// wasm-image-optimization: libjpeg-turbo, libwebp, libavif and libpng in one module. It has no lossy PNG.
import { installed, version } from "./wasm.mjs";

/** @type {import("./index.mjs").Peer} */
export const optimization = {
  id: "optimization",
  name: "wasm-image-optimization",
  version: version("wasm-image-optimization"),
  settings: { all: "its defaults", avif: "its defaults (speed 6)" },

  async start() {
    const { optimizeImage } = await import(installed("wasm-image-optimization/dist/single.js"));
    const to = (format) => async (image, { quality, width }) => (await optimizeImage({ image, format, quality, width })).data;
    return { jpeg: to("jpeg"), webp: to("webp"), avif: to("avif"), png: to("png"), thumbnail: to("jpeg") };
  },

  // What a page imports by the package's name has the module inside, as text.
  loads() {
    return { scripts: [installed("wasm-image-optimization/dist/single.js")], wasm: [] };
  },
};
