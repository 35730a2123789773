// filepress itself, from dist/package as `make package` built it.
import { importBuilt, manifest, packageFolder } from "../../scripts/built.mjs";
import { compiled } from "./wasm.mjs";

export const outputs = {
  jpeg: { to: "image/jpeg" },
  webp: { to: "image/webp" },
  avif: { to: "image/avif" },
  png: { to: "image/png" },
  "png-lossy": { to: "image/png" },
  thumbnail: { to: "image/jpeg" },
};

/** @type {import("./index.mjs").Peer} */
export const filepress = {
  id: "filepress",
  name: "filepress",
  version: manifest().version,
  settings: { all: 'all defaults except `metadata: "strip"` and the measured quality' },

  async start({ inlineFor } = {}) {
    const { compress } = inlineFor ? await importInline(inlineFor) : await importBuilt("node");
    const run = (to) => async (bytes, { quality, width }) => {
      // The peers drop all metadata; so that bytes compare, it does too.
      const options = { ...to, quality, metadata: "strip", ...(width && { resize: { width } }) };
      return (await compress(bytes, options)).bytes();
    };
    return Object.fromEntries(Object.entries(outputs).map(([work, to]) => [work, run(to)]));
  },

  loads(work) {
    return {
      scripts: ["index.browser.js", `worker-${buildOf(work)}.js`].map((name) => new URL(name, packageFolder)),
      wasm: ["client", buildOf(work)].map(module),
    };
  },
};

/** In the calling thread, where its memory can be seen: the entry for browsers finds no Worker and works inline. */
async function importInline(work) {
  const { compress, init } = await importBuilt("browser");
  // There is no photo build without workers: core does its work, with the same codecs.
  const builds = ["client", work === "avif" ? "avif" : "core"].map(async (name) => [name, await compiled(module(name))]);
  await init(Object.fromEntries(await Promise.all(builds)));
  return { compress };
}

/** The build that a work needs, beside the `client`. */
export function buildOf(work) {
  if (work === "avif") return "avif";
  return work.startsWith("png") ? "core" : "photo";
}

function module(name) {
  return new URL(`wasm/${name}/filepress_bg.wasm`, packageFolder);
}
