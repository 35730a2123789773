// WebAssembly sources: init() in a project whose package has no wasm files, and the error without init().
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { listen } from "./support/listen.mjs";
import { sample } from "./support/samples.mjs";

const consumer = createConsumer();
const photo = await sample("baseline.jpg");
consumer.write("photo.jpg", photo);
mkdirSync(join(consumer.folder, "assets"));
const wasm = (build) => join(consumer.installed, "wasm", build, "filepress_bg.wasm");
for (const build of ["client", "photo", "photo_avif", "avif", "core", "full", "jxl"]) renameSync(wasm(build), join(consumer.folder, "assets", `${build}.wasm`));

const { url, close } = await listen(async (request, response) => {
  const type = request.url.endsWith("?typed") ? "application/wasm" : "application/octet-stream";
  response.writeHead(200, { "content-type": type }).end(await readFile(join(consumer.folder, "assets", "core.wasm")));
});
after(close);
const address = `${url}/core.wasm`;

/** Runs a program in a process of its own, since init is for the whole process; gives what it returned. */
async function run(body) {
  const program = `
    import { readFile } from "node:fs/promises";
    import { compress, init, inspect } from "filepress";
    const photo = await readFile("photo.jpg");
    const asset = (build) => readFile(\`assets/\${build}.wasm\`);
    const told = (promise) => promise.then(({ outputSize }) => outputSize ?? "done", ({ name, code, retryable, message, details }) => ({ name, code, retryable, message, details }));
    console.log(JSON.stringify(await (async () => { ${body} })()));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: consumer.folder, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  const status = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(status, 0);
  return JSON.parse(output);
}

test("without its wasm the error says what to do, and may pass", async () => {
  const { name, code, retryable, message } = await run("return told(compress(photo));");
  assert.deepEqual([name, code, retryable], ["InternalError", "engine_load", true]);
  assert.match(message, /init\(\{ workers \}\)/);
});

const sources = {
  "a module": 'await WebAssembly.compile(await asset("core"))',
  bytes: 'await asset("core")',
  "an ArrayBuffer": 'new Uint8Array(await asset("core")).buffer',
  "a promise of bytes": 'asset("core")',
  "a path": '"assets/core.wasm"',
  "a file: URL": 'new URL(`file://${process.cwd()}/assets/core.wasm`)',
  "an address": `"${address}"`,
  "a Response": `fetch("${address}?typed")`,
  "a Response of another type": `fetch("${address}")`,
  "the full build": 'asset("full")',
  "builds by name": '{ client: asset("client"), core: asset("core") }',
  "the photo build by name": '{ client: asset("client"), photo: asset("photo") }',
};

for (const [kind, source] of Object.entries(sources)) {
  test(`init takes ${kind}`, async () => {
    const [settled, compressed, sure] = await run(`
      const initialized = init(${source});
      const early = told(compress(photo));
      return [await told(initialized.then(() => ({}))), await early, (await inspect(photo)).width];`);
    assert.deepEqual([settled, sure], ["done", 160]);
    assert.ok(compressed > 0 && compressed < photo.length, `compress came to ${JSON.stringify(compressed)}`);
  });
}

test("a build that cannot do everything serves for itself alone", async () => {
  const [photos, pictures, client, written] = await run(`
    await init({ client: asset("client") });
    await init(asset("photo"));
    const photos = await told(compress(photo));
    const pictures = await told(compress(photo, { to: "png" }));
    await init(asset("client"));
    await init(asset("avif"));
    return [photos, pictures, await told(compress(photo)), await told(compress(photo, { to: "avif", effort: 0 }))];`);
  assert.ok(photos > 0 && photos < photo.length, JSON.stringify(photos));
  assert.deepEqual([pictures.code, client], ["engine_load", photos]);
  assert.ok(written > 0 && written < photo.length, JSON.stringify(written));
});

test("what the one build given lacks is named", async () => {
  const given = (build) => run(`await init(asset("${build}")); const { score } = await import("filepress"); return told(score(photo, photo).then(({ score }) => ({ outputSize: score })));`);
  const { name, code, details } = await given("core");
  assert.deepEqual([name, code, details], ["OptionsError", "not_in_build", { build: "full" }]);
  assert.equal(await given("full"), 100);
  const drawn = await run(`await init(asset("core")); return told(compress(photo, { to: "avif" }));`);
  assert.deepEqual([drawn.code, drawn.details], ["not_in_build", { build: "photo_avif" }]);
});

test("init refuses what is no source, and names it", async () => {
  const outcomes = await run('return Promise.all([42, null, { wasm: {} }, { cores: asset("core") }, { "": 1 }, { wasm: { "": asset("core") } }].map((source) => told(init(source))));');
  assert.deepEqual(outcomes.map(({ name, code }) => [name, code]), [
    ["OptionsError", "invalid_option"],
    ["OptionsError", "invalid_option"],
    ["OptionsError", "invalid_option"],
    ...Array.from({ length: 3 }, () => ["OptionsError", "unknown_option"]),
  ]);
});

test("init with what is no module, or with nothing there, can be repeated", async () => {
  const [broken, missing, third, compressed] = await run(`
    return [await told(init(new Uint8Array([0, 97, 115, 109, 9]))), await told(init("assets/none.wasm")), await told(init(asset("core")).then(() => ({}))), await told(compress(photo))];`);
  assert.deepEqual([broken.code, broken.retryable, missing.code, third], ["engine_load", true, "engine_load", "done"]);
  assert.ok(compressed > 0);
});

test("init refuses another build than its name says, and leaves all as it was", async () => {
  const [{ refused, early }, outcomes] = await run(`
    await init({ client: asset("client"), core: asset("core") });
    const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    const wrong = [{ client: asset("core") }, { core: asset("photo") }, { photo: asset("full") }, { full: asset("core") }, { client: empty }, { core: empty }, empty];
    const refused = [];
    const early = [];
    for (const source of wrong) {
      const call = init(source);
      early.push(told(compress(photo, { to: "png" })));
      refused.push(await told(call));
    }
    const outcomes = [await told(compress(photo)), await told(compress(photo, { to: "png" })), await told(inspect(photo).then(() => ({})))];
    await init({ full: asset("full") });
    outcomes.push(await told(compress(photo, { to: "avif", effort: 0, resize: { width: 20 } })));
    return [{ refused, early: await Promise.all(early) }, outcomes];`);
  assert.deepEqual(refused.map(({ name, code, details }) => [name, code, details?.option]), [
    ...["client", "core", "photo", "full", "client", "core"].map((build) => ["OptionsError", "invalid_option", `wasm.${build}`]),
    ["OptionsError", "invalid_option", "wasm"],
  ]);
  assert.match(refused[1].message, /"photo" build, not "core"/);
  for (const outcome of [...early, ...outcomes]) assert.ok(outcome > 0 || outcome === "done", JSON.stringify(outcome));
});

test("a module that turns out not to fit makes way for one that does", async () => {
  const outcomes = await run(`
    // An export by which a build is known, and an import that nobody has.
    const foreign = (name) => new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 120, 1, 121, 0, 0, 7, 4 + name.length, 1, name.length, ...Buffer.from(name), 0, 0]);
    await init({ client: foreign("begin"), core: foreign("is_core") });
    const outcomes = [await told(compress(photo, { to: "png" }))];
    await init({ client: asset("client") });
    outcomes.push(await told(compress(photo, { to: "png" })));
    await init({ core: asset("core") });
    outcomes.push(await told(compress(photo, { to: "png" })));
    return outcomes;`);
  assert.deepEqual(outcomes.map(({ code }) => code), ["engine_load", "engine_load", undefined]);
  assert.ok(outcomes[2] > 0);
});

test("init with what throws at a touch is refused", async () => {
  const outcomes = await run(`
    const fail = () => { throw new Error("no"); };
    const sources = [{ get core() { return fail(); } }, new Proxy({}, { ownKeys: fail }), new Proxy({}, { getPrototypeOf: fail }), { wasm: { get core() { return fail(); } } }];
    return Promise.all(sources.map((source) => told(init(source))));`);
  assert.deepEqual(outcomes.map(({ code, details }) => [code, details?.option]), [...Array(3).fill(["invalid_option", "options"]), ["invalid_option", "wasm"]]);
});

test("sources are the same in `wasm`, together with other options", async () => {
  const [first, second] = await run(`
    await init({ wasm: asset("core"), worker: false });
    const first = await told(compress(photo));
    await init({ wasm: { client: asset("client"), photo: asset("photo") }, worker: true });
    return [first, await told(compress(photo))];`);
  assert.ok(first > 0 && first < photo.length, JSON.stringify(first));
  assert.equal(second, first);
});
