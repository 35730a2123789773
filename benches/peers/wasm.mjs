// Support for WebAssembly libraries in Node: compiled modules, versions, and a class that only browsers have.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The file of an installed package, by the package's name and the file's path inside it, whatever its `exports` say. */
export function installed(path) {
  return new URL(`../../node_modules/${path}`, import.meta.url);
}

export async function compiled(file) {
  return WebAssembly.compile(await readFile(file));
}

export function version(name) {
  return require(installed(`${name}/package.json`).pathname).version;
}

/** Bytes with a buffer of their own, for what takes an ArrayBuffer. */
export function buffer(bytes) {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

/** jSquash's decoders and its resizer construct the browser's ImageData, which Node lacks. */
export function provideImageData() {
  globalThis.ImageData ??= class ImageData {
    constructor(data, width, height) {
      Object.assign(this, { data, width, height });
    }
  };
}
