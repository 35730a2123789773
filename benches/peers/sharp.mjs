// sharp: native libvips on all cores. It does not run in a page; it shows what the machine can do.
import { version } from "./wasm.mjs";

/** @type {import("./index.mjs").Peer} */
export const sharpNative = {
  id: "sharp",
  name: "sharp (native)",
  version: version("sharp"),
  native: true,
  settings: {
    jpeg: "mozjpeg: true",
    thumbnail: "mozjpeg: true",
    webp: "its defaults",
    avif: "effort 3, which is libaom's speed 6",
    png: "compressionLevel 9, adaptiveFiltering",
    "png-lossy": "palette, effort 7",
  },

  async start() {
    const { default: sharp } = await import("sharp");
    // Each call is a new one.
    sharp.cache(false);
    const to = (write) => async (bytes, { quality, width }) => write(sharp(bytes).resize(width ? { width } : {}), quality).toBuffer();
    const jpeg = to((image, quality) => image.jpeg({ quality, mozjpeg: true }));
    return {
      jpeg,
      thumbnail: jpeg,
      webp: to((image, quality) => image.webp({ quality })),
      avif: to((image, quality) => image.avif({ quality, effort: 3 })),
      png: to((image) => image.png({ compressionLevel: 9, adaptiveFiltering: true })),
      "png-lossy": to((image, quality) => image.png({ compressionLevel: 9, palette: true, quality, effort: 7 })),
    };
  },
};
