// @jsquash/*: the codecs of Squoosh (mozjpeg, libwebp, libaom, oxipng), a package each. In Node none of them has threads.
import { buffer, compiled, installed, provideImageData, version } from "./wasm.mjs";

const jpegDecoderWasm = "jpeg/codec/dec/mozjpeg_dec.wasm";
const jpegEncoderWasm = "jpeg/codec/enc/mozjpeg_enc.wasm";

/** What one work imports, and the modules that it needs. */
const parts = {
  jpeg: { scripts: ["jpeg/decode.js", "jpeg/encode.js"], wasm: [jpegDecoderWasm, jpegEncoderWasm] },
  webp: { scripts: ["jpeg/decode.js", "webp/encode.js"], wasm: [jpegDecoderWasm, "webp/codec/enc/webp_enc_simd.wasm"] },
  avif: { scripts: ["jpeg/decode.js", "avif/encode.js"], wasm: [jpegDecoderWasm, "avif/codec/enc/avif_enc.wasm"] },
  png: { scripts: ["oxipng/optimise.js"], wasm: ["oxipng/codec/pkg/squoosh_oxipng_bg.wasm"] },
  thumbnail: {
    scripts: ["jpeg/decode.js", "jpeg/encode.js", "resize/index.js"],
    wasm: [jpegDecoderWasm, jpegEncoderWasm, "resize/lib/resize/pkg/squoosh_resize_bg.wasm"],
  },
};

/** @type {import("./index.mjs").Peer} */
export const jsquash = {
  id: "jsquash",
  name: "jSquash",
  version: ["jpeg", "webp", "avif", "oxipng", "resize"].map((part) => `${part} ${version(`@jsquash/${part}`)}`).join(", "),
  settings: {
    jpeg: "its defaults (mozjpeg with trellis and progressive scans)",
    webp: "its defaults (libwebp's method 4)",
    avif: "its defaults (libaom's speed 6)",
    png: "its defaults (oxipng's level 2)",
    thumbnail: "mozjpeg with its defaults; resizes the stored sRGB values without premultiplying, in half the time of its default",
  },

  async start() {
    provideImageData();
    const jpegDecoder = lazily("jpeg/decode.js", jpegDecoderWasm);
    const jpeg = lazily("jpeg/encode.js", jpegEncoderWasm);
    const webp = lazily("webp/encode.js", "webp/codec/enc/webp_enc_simd.wasm");
    const avif = lazily("avif/encode.js", "avif/codec/enc/avif_enc.wasm");
    const oxipng = lazily("oxipng/optimise.js", "oxipng/codec/pkg/squoosh_oxipng_bg.wasm");
    const resizer = lazily("resize/index.js", "resize/lib/resize/pkg/squoosh_resize_bg.wasm", "initResize");

    const decoded = async (bytes) => (await jpegDecoder())(buffer(bytes));
    const encoded = async (encoder, picture, quality) => new Uint8Array(await (await encoder())(picture, { quality }));
    const from = (encoder) => async (bytes, { quality }) => encoded(encoder, await decoded(bytes), quality);
    return {
      jpeg: from(jpeg),
      webp: from(webp),
      avif: from(avif),
      png: async (bytes) => new Uint8Array(await (await oxipng())(buffer(bytes))),
      async thumbnail(bytes, { quality, width }) {
        const picture = await decoded(bytes);
        const height = Math.round((picture.height * width) / picture.width);
        const light = { linearRGB: false, premultiply: false };
        return encoded(jpeg, await (await resizer())(picture, { width, height, ...light }), quality);
      },
    };
  },

  loads(work) {
    const path = (file) => installed(`@jsquash/${file}`);
    const lines = parts[work].scripts.map((file, index) => `export * as part${index} from ${JSON.stringify(path(file).pathname)};`);
    return { scripts: [lines.join("\n")], wasm: parts[work].wasm.map(path) };
  },
};

/** A part that is started by its first call, so that a work has the memory of what it uses alone. */
function lazily(script, wasm, start = "init") {
  let ready;
  return () => {
    ready ??= (async () => {
      const part = await import(installed(`@jsquash/${script}`));
      await part[start](await compiled(installed(`@jsquash/${wasm}`)));
      return part.default;
    })();
    return ready;
  };
}
