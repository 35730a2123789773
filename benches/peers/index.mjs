// The libraries that are compared in Node, filepress first.
import { filepress } from "./filepress.mjs";
import { jsquash } from "./jsquash.mjs";
import { optimization } from "./optimization.mjs";
import { photon } from "./photon.mjs";
import { sharpNative } from "./sharp.mjs";
import { vips, vipsPlain } from "./vips.mjs";

/**
 * @typedef {object} Peer
 * @property {string} id
 * @property {string} name as the tables have it.
 * @property {string} version
 * @property {boolean} [native] native code, which stands in no ratio.
 * @property {Record<string, string>} settings what it is told: in `all` works, and beyond that in some.
 * @property {(options?: { inlineFor?: string }) => Promise<Record<string, Run>>} start what it can do, by the ids of cases.mjs.
 * `inlineFor` matters to filepress alone: a work, which is then done in the calling thread.
 * @property {(work: string) => { scripts: (URL | string)[], wasm: URL[] }} [loads] what a page downloads for a work:
 * scripts, each with all that it imports (see download.mjs), and WebAssembly.
 */

/** @typedef {(bytes: Uint8Array, settings: { quality?: number, width?: number }) => Promise<Uint8Array>} Run */

/** @type {Peer[]} */
export const peers = [filepress, jsquash, vips, vipsPlain, photon, optimization, sharpNative];
