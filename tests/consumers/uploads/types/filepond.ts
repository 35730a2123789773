// Strict TypeScript accepts what filepress/filepond is used for, and refuses what it is not. Compiled, never run.
import { create, registerPlugin } from "filepond";
import Compressor, { FilePondCompressor, type FilePondCompressOptions } from "filepress/filepond";

const compress: FilePondCompressOptions = { to: "webp", resize: { maxWidth: 1600 }, filter: ({ size }) => size > 100_000 };
registerPlugin(FilePondCompressor, Compressor);
create(document.createElement("input"), { allowCompress: true, compress, server: "/api/photos" });

// @ts-expect-error: no such option
create(document.createElement("input"), { compress: { qualty: 80 } });
