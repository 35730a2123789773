// wasm-vips: libvips with mozjpeg, libwebp, libaom and a quantizer. It uses threads, also in Node.
import { installed, version } from "./wasm.mjs";

/** What sharp calls `mozjpeg: true`: all that mozjpeg's own program has on. */
const mozjpeg = { trellis_quant: true, overshoot_deringing: true, optimize_scans: true, interlace: true, quant_table: 3 };

/** @type {import("./index.mjs").Peer} */
export const vips = {
  id: "vips",
  name: "wasm-vips",
  version: version("wasm-vips"),
  settings: {
    jpeg: "with the options that cjpeg of mozjpeg has by default (trellis, progressive scans)",
    thumbnail: "with the options that cjpeg of mozjpeg has by default (trellis, progressive scans)",
    webp: "its defaults",
    avif: "effort 3, which is libaom's speed 6",
    png: "compression 9, all filters",
    "png-lossy": "palette, effort 7",
  },
  start: () => start(mozjpeg),
  loads,
};

/** The same with its defaults, which most programs use. @type {import("./index.mjs").Peer} */
export const vipsPlain = {
  id: "vipsPlain",
  name: "wasm-vips, plain JPEG",
  version: version("wasm-vips"),
  settings: { all: "its defaults: sequential scans, no trellis" },
  async start() {
    const { jpeg, thumbnail } = await start({});
    return { jpeg, thumbnail };
  },
  loads,
};

async function start(jpegSettings) {
  const { default: Vips } = await import(installed("wasm-vips/lib/vips-node.mjs"));
  const library = await Vips({ dynamicLibraries: ["vips-heif.wasm"] });
  // Each call is a new one.
  library.Cache.max(0);

  const saved = (image, save, settings) => {
    const bytes = image[save]({ keep: "none", ...settings });
    image.delete();
    return bytes;
  };
  const from = (save, settings) => async (bytes, { quality }) =>
    saved(library.Image.newFromBuffer(bytes), save, { ...(quality && { Q: quality }), ...settings });
  return {
    jpeg: from("jpegsaveBuffer", jpegSettings),
    webp: from("webpsaveBuffer", {}),
    avif: from("heifsaveBuffer", { compression: "av1", effort: 3 }),
    png: from("pngsaveBuffer", { compression: 9, filter: "all" }),
    "png-lossy": from("pngsaveBuffer", { compression: 9, palette: true, effort: 7 }),
    async thumbnail(bytes, { quality, width }) {
      // The height must not bound it.
      const image = library.Image.thumbnailBuffer(bytes, width, { height: 1e7 });
      return saved(image, "jpegsaveBuffer", { Q: quality, ...jpegSettings });
    },
  };
}

function loads(work) {
  const wasm = ["vips.wasm", ...(work === "avif" ? ["vips-heif.wasm"] : [])];
  return {
    scripts: [installed("wasm-vips/lib/vips-es6.js")],
    wasm: wasm.map((file) => installed(`wasm-vips/lib/${file}`)),
  };
}
