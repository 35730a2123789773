// Strict TypeScript accepts what filepress/uppy is used for, and refuses what it is not. Compiled, never run.
import Uppy from "@uppy/core";
import Compressor, { UppyCompressor, type UppyCompressorOptions } from "filepress/uppy";

const options: UppyCompressorOptions = { id: "Small", to: "webp", resize: { maxWidth: 1600 }, filter: ({ size }) => size > 100_000 };
new Uppy().use(UppyCompressor, options).use(Compressor);

// @ts-expect-error: Uppy aborts
new Uppy().use(UppyCompressor, { signal: new AbortController().signal });
// @ts-expect-error: no such option
new Uppy().use(UppyCompressor, { qualty: 80 });
