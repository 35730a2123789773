// The libraries that the bench sets side by side, each behind one function: a JPEG in, a JPEG of quality 75 out.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { importBuilt, manifest, packageFolder } from "../scripts/built.mjs";

const quality = 75;
const require = createRequire(import.meta.url);

/**
 * @typedef {object} Peer
 * @property {string} name with its version.
 * @property {(photo: Uint8Array, width?: number) => Promise<Uint8Array>} jpeg width in pixels, the aspect kept; without it, full size.
 */

/** filepress as a program uses it: through its entry for Node, in a worker thread. @returns {Promise<Peer>} */
export async function filepress() {
  const { compress } = await importBuilt("node");
  return filepressPeer(compress);
}

/** filepress in the calling thread, where its memory can be seen: the entry for browsers finds no Worker and works inline. */
export async function filepressInline() {
  const { compress, init } = await importBuilt("browser");
  const builds = ["client", "core"].map(async (build) => [build, await compiled(new URL(`wasm/${build}/filepress_bg.wasm`, packageFolder))]);
  await init(Object.fromEntries(await Promise.all(builds)));
  return filepressPeer(compress);
}

function filepressPeer(compress) {
  return {
    name: `filepress ${manifest().version}`,
    async jpeg(photo, width) {
      // The peers drop every metadata; so that bytes compare, it does too.
      const result = await compress(photo, { to: "image/jpeg", quality, metadata: "strip", ...(width && { resize: { width } }) });
      return result.bytes();
    },
  };
}

/** jSquash as it comes: it resizes in linear light and premultiplies alpha. @returns {Promise<Peer>} */
export function jsquash() {
  return jsquashPeer("", {});
}

/** jSquash told to resize the stored sRGB values, as filepress and sharp do. @returns {Promise<Peer>} */
export function jsquashStored() {
  return jsquashPeer(", sRGB resize", { linearRGB: false, premultiply: false });
}

async function jsquashPeer(suffix, light) {
  globalThis.ImageData ??= PlainImageData;
  const decoder = await import("@jsquash/jpeg/decode.js");
  const encoder = await import("@jsquash/jpeg/encode.js");
  const resizer = await import("@jsquash/resize");
  await decoder.init(await compiled(require.resolve("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm")));
  await encoder.init(await compiled(require.resolve("@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm")));
  const resizerModule = await compiled(require.resolve("@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm"));
  return {
    name: `jSquash ${version("@jsquash/jpeg")}${suffix}`,
    async jpeg(photo, width) {
      let picture = await decoder.default(photo.buffer.slice(photo.byteOffset, photo.byteOffset + photo.byteLength));
      if (width) {
        await resizer.initResize(resizerModule);
        const height = Math.round((picture.height * width) / picture.width);
        picture = await resizer.default(picture, { width, height, ...light });
      }
      return new Uint8Array(await encoder.default(picture, { quality }));
    },
  };
}

/** @returns {Promise<Peer>} */
export async function sharpNative() {
  const { default: sharp } = await import("sharp");
  return {
    name: `sharp ${version("sharp")} (native)`,
    jpeg: (photo, width) => sharp(photo).resize(width ? { width } : {}).jpeg({ quality, mozjpeg: true }).toBuffer(),
  };
}

async function compiled(file) {
  return WebAssembly.compile(await readFile(file));
}

function version(name) {
  return require(`../node_modules/${name}/package.json`).version;
}

/** jSquash's decoder and resizer construct the browser's ImageData, which Node lacks. */
class PlainImageData {
  constructor(data, width, height) {
    Object.assign(this, { data, width, height });
  }
}
