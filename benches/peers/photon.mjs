// @cf-wasm/photon: the codecs of the Rust crate `image`. Its WebP is lossless only and it writes no AVIF, so it is absent there.
import { installed, version } from "./wasm.mjs";

/** @type {import("./index.mjs").Peer} */
export const photon = {
  id: "photon",
  name: "photon",
  version: version("@cf-wasm/photon"),
  settings: { all: "quality is its only option; thumbnails by Lanczos3" },

  async start() {
    const { PhotonImage, SamplingFilter, resize } = await import(installed("@cf-wasm/photon/dist/node.js"));
    const written = (image, write) => {
      const bytes = write(image);
      image.free();
      return bytes;
    };
    return {
      jpeg: async (bytes, { quality }) => written(PhotonImage.new_from_byteslice(bytes), (image) => image.get_bytes_jpeg(quality)),
      png: async (bytes) => written(PhotonImage.new_from_byteslice(bytes), (image) => image.get_bytes()),
      async thumbnail(bytes, { quality, width }) {
        const image = PhotonImage.new_from_byteslice(bytes);
        const height = Math.round((image.get_height() * width) / image.get_width());
        const small = resize(image, width, height, SamplingFilter.Lanczos3);
        image.free();
        return written(small, (image) => image.get_bytes_jpeg(quality));
      },
    };
  },

  loads() {
    const names = "PhotonImage, SamplingFilter, resize, initPhoton";
    return {
      scripts: [`export { ${names} } from ${JSON.stringify(installed("@cf-wasm/photon/dist/others.js").pathname)};`],
      wasm: [installed("@cf-wasm/photon/dist/lib/photon_rs_bg.wasm")],
    };
  },
};
