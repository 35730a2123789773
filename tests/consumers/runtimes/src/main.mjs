// A server for Bun and Deno that compresses a posted file and returns the result or the error.
import { createServer } from "node:http";
import { compress, init, inspect, FilepressError } from "filepress";
import { outcomeOf } from "./outcome.mjs";

const CALLS = {
  "/compress": async (bytes, options) => outcomeOf(await compress(bytes, options)),
  "/file": async (bytes, options) => {
    const result = await compress(new File([bytes], "photo.jpg", { type: "image/jpeg" }), options);
    return { name: result.name, type: result.blob.type, size: result.blob.size };
  },
  "/inspect": (bytes) => inspect(bytes),
  "/decoded": async (bytes, options) => {
    await init({ decoders: { "image/heic": async (file) => ({ data: new Uint8Array(await file.slice(-32).arrayBuffer()), width: 4, height: 2 }) } });
    return outcomeOf(await compress(bytes, options));
  },
  "/abort": (bytes, options) => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    return compress(bytes, { ...options, signal: controller.signal, onProgress });
  },
};

async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const call = CALLS[request.url];
  const outcome = await call(new Uint8Array(Buffer.concat(chunks)), JSON.parse(request.headers["x-options"])).catch((error) => ({
    error: error.name,
    code: error.code,
    ours: error instanceof FilepressError,
  }));
  response.end(JSON.stringify(outcome));
}

const server = createServer((request, response) => answer(request, response)).listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
