// The package in workerd, the runtime of Cloudflare Workers, without Node compatibility and without network access.
import { strict as assert } from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { Response as Upstream } from "miniflare";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { encode, rasterTypes } from "./support/encode.mjs";
import { heic, jxl } from "./support/foreign.mjs";
import { residentMemory } from "./support/memory.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";
import { bundle, startWorker } from "./support/workerd.mjs";

const consumer = createConsumer();
const script = (specifier) => `
  import * as filepress from "${specifier}";
  const { compress, convert, inspect, formats, init, preload } = filepress;
  let cancelled;
  const calls = {
    compress: (request, options) => request.arrayBuffer().then((bytes) => compress(bytes, options)),
    convert: (request, { to, ...options }) => request.blob().then((blob) => convert(blob, to, options)),
    response: (request, options) => compress(new Response(request.body), options),
    endless: (request, options) => {
      const pull = (stream) => stream.enqueue(new Uint8Array(65_536));
      const body = new ReadableStream({ pull, cancel: ({ details }) => void (cancelled = details) });
      return compress(new Response(body), options);
    },
    cancelled: () => Response.json(cancelled),
    aborted: (request, options) => compress(new Uint8Array([1]), { signal: AbortSignal.abort() }),
    inspect: async (request) => Response.json(await inspect(await request.arrayBuffer())),
    variants: async (request, { list }) => {
      const found = [];
      for await (const { index, outputSize } of filepress.variants(await request.arrayBuffer(), list)) found.push([index, outputSize]);
      return Response.json(found);
    },
    formats: async () => Response.json(await formats()),
    exports: async () => Response.json(Object.keys(filepress)),
    init: async (request) => init(await request.arrayBuffer()),
    settings: async (request, options) => Response.json((await init(options)) ?? null),
    decoded: async (request, options) => {
      const decode = async (file) => ({ data: new Uint8Array(await file.slice(-32).arrayBuffer()), width: 4, height: 2 });
      await init({ decoders: { "image/heic": decode } });
      return compress(await request.blob(), options);
    },
    preload: async (request, { types }) => Response.json((await preload(types)) ?? null),
  };
  export default {
    async fetch(request) {
      const events = [];
      const options = JSON.parse(request.headers.get("x-options") ?? "{}");
      if (request.headers.has("x-progress")) options.onProgress = ({ phase }) => events.push(phase);
      try {
        const result = await calls[new URL(request.url).pathname.slice(1)](request, options);
        if (result instanceof Response) return result;
        const { type, width, height, outputSize, name } = result;
        return new Response(result.blob, { headers: { "content-type": type, "x-result": JSON.stringify({ width, height, outputSize, name, events }) } });
      } catch (error) {
        const { name, code, kind, message } = error;
        return Response.json({ name, code, kind, message, ours: error instanceof filepress.FilepressError }, { status: 422 });
      }
    },
  };`;

const { modules, inputs } = await bundle(consumer.write("worker.mjs", script("filepress")));
const worker = await startWorker(modules);
after(worker.close);
const post = (call, body, options = {}, headers = {}) => worker.post(`/${call}`, body, { "x-options": JSON.stringify(options), ...headers });
const small = await sample("baseline.jpg");

async function compressed(response) {
  assert.equal(response.status, 200, response.status === 200 ? "" : await response.clone().text());
  const bytes = Buffer.from(await response.arrayBuffer());
  return { bytes, type: response.headers.get("content-type"), ...JSON.parse(response.headers.get("x-result")) };
}

test("wrangler's way of bundling takes the workerd entry and nothing of Node or the browser", () => {
  const used = inputs.filter((input) => input.includes("filepress/")).map((input) => relative(consumer.installed, join(process.cwd(), input)));
  assert.ok(used.includes("index.workerd.js"));
  assert.deepEqual(used.filter((name) => /node\.js|browser\.js|worker-/.test(name)), []);
  const [{ contents }] = modules;
  assert.deepEqual(contents.match(/["'`]node:\w+|new Worker\(|WebAssembly\.compile\w*/g), null);
});

test("compress makes a photo smaller", async () => {
  const { bytes, type, ...result } = await compressed(await post("compress", small));
  assert.deepEqual(result, { width: 160, height: 104, outputSize: bytes.length, name: "image.jpg", events: [] });
  const { format, width, height } = await sharp(bytes).metadata();
  assert.deepEqual([type, `image/${format}`, width, height], ["image/jpeg", "image/jpeg", 160, 104]);
  assert.ok(bytes.length < small.length);
});

test("convert takes a Blob, a Response streams in, progress is told", async () => {
  const converted = await compressed(await post("convert", small, { to: "webp", resize: { width: 50 } }, { "x-progress": "1" }));
  assert.deepEqual([converted.type, converted.width], ["image/webp", 50]);
  assert.deepEqual(converted.events, ["load", "decode", "resize", "encode", "done"]);
  const streamed = await compressed(await post("response", small));
  assert.ok(streamed.bytes.equals((await compressed(await post("compress", small))).bytes));
});

test("variants are made on the calling thread, the smallest first", async () => {
  const list = [{ to: "webp", resize: { width: 80 } }, { to: "jpeg", resize: { width: 40 } }];
  const found = await (await post("variants", small, { list })).json();
  assert.deepEqual(found.map(([index]) => index), [1, 0]);
  for (const [index, size] of found) assert.equal((await compressed(await post("compress", small, list[index]))).bytes.length, size);
});

test("inspect and formats", async () => {
  const { type, width, height } = await (await post("inspect", small)).json();
  assert.deepEqual([type, width, height], ["image/jpeg", 160, 104]);
  assert.equal((await (await post("formats", "")).json()).length, 41);
});

test("errors carry their class and code, and the next call succeeds", async () => {
  const cases = [
    ["compress", "words, not a picture", {}, "InputError", "unsupported_type"],
    ["compress", small.subarray(0, 2000), { to: "png" }, "InputError", "corrupt"],
    ["compress", small, { quality: 0 }, "OptionsError", "invalid_option"],
    ["convert", small, { to: "svg" }, "OptionsError", "unsupported_output"],
    ["compress", small, { limits: { maxPixels: 5 } }, "LimitError", "too_many_pixels"],
    ["init", small, {}, "OptionsError", "invalid_option"],
  ];
  for (const [call, body, options, name, code] of cases) {
    const response = await post(call, body, options);
    const error = await response.json();
    assert.deepEqual([response.status, error.name, error.code, error.ours], [422, name, code, true]);
    await compressed(await post("compress", small));
  }
  assert.equal((await (await post("aborted", small)).json()).name, "AbortError");
});

test("a decoder of init reads what filepress does not", async () => {
  const pixels = Buffer.from(Array.from({ length: 32 }, (_, at) => (at % 4 === 3 ? 255 : 7 * at)));
  const { bytes, name, width } = await compressed(await post("decoded", heic(pixels), { to: "png" }));
  assert.deepEqual([name, width], ["image.png", 4]);
  assert.deepEqual(await sharp(bytes).ensureAlpha().raw().toBuffer(), pixels);
});

test("JPEG XL is read by the build of its own, as in Node", async () => {
  const inNode = await consumer.import();
  for (const options of [{}, { to: "png" }, { to: "avif", resize: { maxWidth: 12 } }]) {
    const { bytes, type, name } = await compressed(await post("compress", jxl, options));
    const expected = await inNode.compress(jxl, options);
    assert.deepEqual([type, name], [expected.type, expected.name]);
    assert.ok(bytes.equals(Buffer.from(await expected.bytes())), type);
  }
  const { type, width, height, build } = await (await post("inspect", jxl)).json();
  assert.deepEqual([type, width, height, build], ["image/jxl", 24, 16, "jxl"]);
  const damaged = await post("compress", jxl.subarray(0, 90));
  assert.deepEqual([damaged.status, (await damaged.json()).code], [422, "corrupt"]);
  await compressed(await post("compress", jxl));
});

test("of a Response no more is read than the limit allows, and its download ends", async () => {
  const response = await post("endless", "", { limits: { maxInputBytes: 100_000 } });
  assert.deepEqual([response.status, (await response.json()).code], [422, "input_too_large"]);
  assert.deepEqual(await (await post("cancelled", "")).json(), { actual: 131_072, limit: 100_000 });
});

test("the Worker of the README presses what is within its limits, and passes on what is over them", async () => {
  const [, code] = /```js worker\n([\s\S]*?)^```$/m.exec(readFileSync(new URL("../../README.md", import.meta.url), "utf8"));
  const over = Buffer.concat([small, Buffer.alloc(20e6)]);
  const files = { "/small.jpg": small, "/over.jpg": over };
  const outboundService = ({ url }) => new Upstream(files[new URL(url).pathname], { headers: { "content-type": "image/jpeg" } });
  const edge = await startWorker((await bundle(consumer.write("readme.mjs", code))).modules, { outboundService });
  try {
    const get = async (path) => {
      const response = await fetch(`${edge.url}${path}`, { headers: { accept: "image/webp" } });
      return [response.headers.get("content-type"), Buffer.from(await response.arrayBuffer())];
    };
    const [type, bytes] = await get("/small.jpg");
    assert.deepEqual([type, (await sharp(bytes).metadata()).format], ["image/webp", "webp"]);
    const [kept, passed] = await get("/over.jpg");
    assert.ok(kept === "image/jpeg" && passed.equals(over), `${kept}, ${passed.length} bytes`);
  } finally {
    await edge.close();
  }
});

test("the Worker of the recipe converts what is sent, and refuses what is no image", async () => {
  const [, code] = /```js worker\n([\s\S]*?)^```$/m.exec(readFileSync(new URL("../../docs/recipes/cloudflare-worker.md", import.meta.url), "utf8"));
  const edge = await startWorker((await bundle(consumer.write("recipe.mjs", code))).modules);
  try {
    const made = await fetch(edge.url, { method: "POST", body: small });
    assert.deepEqual([made.status, (await sharp(Buffer.from(await made.arrayBuffer())).metadata()).format], [200, "webp"]);
    const refused = await fetch(edge.url, { method: "POST", body: "just some words" });
    assert.deepEqual([refused.status, (await refused.json()).code], [400, "unsupported_type"]);
    assert.equal((await fetch(edge.url)).status, 405);
  } finally {
    await edge.close();
  }
});

test("requests at once do not mix", async () => {
  const large = await toSharp(photo(900, 600)).removeAlpha().jpeg().toBuffer();
  const jobs = [[large, {}], [small, {}], [large, { to: "webp" }], [small, { to: "png" }], [small, { quality: 0 }], [large, { resize: { width: 90 } }]];
  const answer = async ([body, options]) => Buffer.from(await (await post("compress", body, options)).arrayBuffer());
  const together = await Promise.all([...jobs, ...jobs].map(answer));
  for (const [index, job] of jobs.entries()) {
    const alone = await answer(job);
    assert.ok(alone.equals(together[index]) && alone.equals(together[index + jobs.length]), `job ${index}`);
  }
});

test("memory is given back after large jobs", async () => {
  const large = await toSharp(photo(3000, 2000)).removeAlpha().jpeg({ quality: 85 }).toBuffer();
  const compressFile = () => post("compress", large, { resize: { maxWidth: 1200 } }).then(compressed);
  await compressFile();
  const first = residentMemory("workerd");
  for (let round = 0; round < 6; round++) await compressFile();
  const last = residentMemory("workerd");
  assert.ok(first > 10e6, `${first} bytes`);
  assert.ok(last < first + 60e6, `${first} bytes became ${last}`);
});

test("every type goes into another one, again and again, in the same memory", async () => {
  const types = rasterTypes(await (await post("formats", "")).json());
  const inputs = await Promise.all(types.map((type) => encode(photo(160, 104), type)));
  const round = async (shift) => {
    for (const [index, input] of inputs.entries()) {
      const to = types[(index + shift) % types.length];
      const { type } = await compressed(await post("convert", input, { to }));
      assert.equal(type, to);
    }
  };
  for (let shift = 0; shift < 3; shift++) await round(shift);
  const first = residentMemory("workerd");
  for (let shift = 0; shift < 6; shift++) await round(shift);
  const last = residentMemory("workerd");
  assert.ok(last < first + 40e6, `${first} bytes became ${last}`);
});

test("the files work unbundled as well", async () => {
  const files = readdirSync(consumer.installed, { recursive: true }).filter((name) => /(^index\.workerd|workerd-(full|jxl)|platforms\/workerd|lib\/.*|wasm\/.*)\.(js|wasm)$/.test(name));
  const read = (name) => readFileSync(join(consumer.installed, name));
  const unbundled = files.map((name) => (name.endsWith(".wasm") ? { type: "CompiledWasm", path: `filepress/${name}`, contents: read(name) } : { type: "ESModule", path: `filepress/${name}`, contents: read(name).toString() }));
  const plain = await startWorker([{ type: "ESModule", path: "worker.mjs", contents: script("./filepress/index.workerd.js") }, ...unbundled]);
  try {
    const { bytes } = await compressed(await plain.post("/compress", small));
    assert.ok(bytes.equals((await compressed(await post("compress", small))).bytes));
    assert.deepEqual((await (await plain.post("/exports", "")).json()).sort(), Object.keys(await consumer.import()).sort());
  } finally {
    await plain.close();
  }
});

test("there are no workers to be set, and a build can be preloaded", async () => {
  const { code, message } = await (await post("settings", small, { workers: "/filepress/" })).json();
  assert.equal(code, "invalid_option");
  assert.match(message, /no workers/);
  for (const options of [{ worker: false }, { worker: true, idle: 10 }]) assert.equal(await (await post("settings", small, options)).json(), null);
  assert.equal(await (await post("preload", small, { types: ["image/jpeg", "avif"] })).json(), null);
  assert.equal((await compressed(await post("compress", small))).type, "image/jpeg");
});
