// How `init` configures workers: their location, whether they are used, how long they are kept; and `preload`.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";

const consumer = createConsumer();
consumer.write("photo.jpg", await sample("baseline.jpg"));
consumer.write("picture.png", await sample("rgba.png"));

/**
 * Runs a program in a process of its own, since init is for the whole process; gives what it returned. `started` lists the builds of the
 * workers that were started, and `running()` is how many there are.
 */
async function run(body, project = consumer) {
  const program = `
    import { readFile } from "node:fs/promises";
    import { createRequire, syncBuiltinESMExports } from "node:module";
    const threads = createRequire(import.meta.url)("node:worker_threads");
    const started = [];
    let count = 0;
    const running = () => count;
    threads.Worker = class extends threads.Worker {
      constructor(url, options) {
        super(url, options);
        started.push(String(url).match(/worker-(\\w+)/)[1]);
        count++;
        this.once("exit", () => count--);
      }
    };
    syncBuiltinESMExports();
    const { compress, convert, init, inspect, preload, score, variants } = await import("filepress");
    const photo = await readFile("photo.jpg");
    const picture = await readFile("picture.png");
    const told = (promise) => promise.then(({ outputSize, warnings }) => ({ outputSize, warnings }), ({ code, message, details }) => ({ code, message, details }));
    console.log(JSON.stringify(await (async () => { ${body} })()));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: project.folder, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  const status = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(status, 0);
  return JSON.parse(output);
}

test("without workers the same bytes are made on the calling thread, of every build, with no warning", async () => {
  const calls = `[compress(photo), compress(picture), convert(photo, "avif", { effort: 0, resize: { width: 20 } })]`;
  const { inWorkers, inline, used } = await run(`
    const digest = async (call) => { const { blob, warnings } = await call; return [Buffer.from(await blob.arrayBuffer()).toString("base64"), warnings]; };
    const inWorkers = await Promise.all(${calls}.map(digest));
    const used = [started.length];
    await init({ worker: false });
    const inline = await Promise.all(${calls}.map(digest));
    used.push(started.length);
    await init({ worker: true });
    await Promise.all(${calls}.map(digest));
    return { inWorkers, inline, used };`);
  assert.deepEqual(inline, inWorkers);
  assert.deepEqual(inline.map(([, warnings]) => warnings), [[], [], []]);
  assert.ok(used[0] >= 1);
  assert.equal(used[1], used[0]);
});

test("the photo build alone is loaded on the calling thread for a JPEG", async () => {
  const moved = withFiles(createConsumer());
  rmSync(join(moved.installed, "wasm", "core"), { recursive: true });
  const [photo, picture] = await run("await init({ worker: false }); return [await told(compress(photo)), await told(compress(picture))];", moved);
  assert.ok(photo.outputSize > 0);
  assert.equal(picture.code, "engine_load");
});

test("the package's files can lie elsewhere", async () => {
  const moved = withFiles(createConsumer());
  mkdirSync(join(moved.folder, "public files"));
  cpSync(moved.installed, join(moved.folder, "public files", "filepress"), { recursive: true });
  for (const build of ["client", "photo", "photo_avif", "avif", "core", "full", "jxl"]) rmSync(join(moved.installed, "wasm", build, "filepress_bg.wasm"));
  for (const build of ["photo", "photo_avif", "avif", "core", "full", "jxl"]) rmSync(join(moved.installed, `worker-${build}.node.js`));
  const folder = ["\"public files/filepress\"", "\"./public files/filepress/\"", "new URL(`file://${process.cwd()}/public%20files/filepress`)"];
  for (const workers of folder) {
    const [photo, picture, used] = await run(`init({ workers: ${workers} }); return [await told(compress(photo)), await told(compress(picture)), started];`, moved);
    assert.ok(photo.outputSize > 0 && picture.outputSize > 0, JSON.stringify([photo, picture]));
    assert.deepEqual([photo.warnings, picture.warnings, used], [[], [], ["photo", "core"]]);
  }
});

test("an idle worker is ended, and not before its time", async () => {
  const used = await run(`
    const wait = async () => { while (running() > 0) await new Promise((resolve) => setTimeout(resolve, 5)); };
    await init({ idle: 0 });
    await compress(photo);
    await wait();
    await compress(photo);
    await wait();
    await init({ idle: 2147483647 });
    for (let call = 0; call < 3; call++) await compress(photo);
    return [started.length, running()];`);
  assert.deepEqual(used, [3, 1]);
});

test("preload starts one worker of the build that is needed, which the first call takes", async () => {
  const used = await run(`
    const used = [];
    for (const types of [["image/jpeg"], ["JPG"], ["image/png", "jpeg"], ["video/mp4"], [], ["avif"]]) {
      await preload(types);
      used.push(started.join());
      await (types[0] === "avif" ? convert(photo, "avif", { effort: 0, resize: { width: 20 } }) : compress(photo));
      used.push(started.join());
    }
    return used;`);
  const [jpeg, png, avif] = ["photo", "photo,core", "photo,core,photo_avif"];
  assert.deepEqual(used, [jpeg, jpeg, jpeg, jpeg, png, png, png, png, png, png, avif, avif]);
});

test("preload without workers loads the build on the calling thread", async () => {
  const outcomes = await run(`
    await init({ worker: false });
    await preload(["image/png"]);
    await import("node:fs").then(({ rmSync }) => rmSync("node_modules/filepress/wasm/core/filepress_bg.wasm"));
    return [await told(compress(picture)), started.length];`, withFiles(createConsumer()));
  assert.ok(outcomes[0].outputSize > 0, JSON.stringify(outcomes));
  assert.equal(outcomes[1], 0);
});

test("a program that preloads ends by itself", async () => {
  assert.deepEqual((await run("await preload(['png', 'avif']); return started;")).sort(), ["avif", "core"]);
});

test("wrong options are refused by name, and nothing changes", async () => {
  const outcomes = await run(`
    const wrong = [{ worker: 0 }, { idle: -1 }, { idle: 1.5 }, { idle: 2 ** 31 }, { idle: "1" }, { workers: 1 }, { workers: {} }, { workers: "https://example.com/" },
      { worker: false, idle: NaN }, { worker: false, wasm: {} }, { worker: false, wasm: { cores: photo } }];
    const refused = await Promise.all([...wrong.map((options) => told(init(options))), told(init({ pool: 3 })), told(preload("jpeg")), told(preload(["jpgg"])), told(preload([null]))]);
    await init({ worker: undefined, workers: undefined, idle: undefined });
    await init({});
    await compress(photo);
    return [refused, started];`);
  const [refused, started] = outcomes;
  assert.deepEqual(refused.map(({ code, details }) => `${code} ${details.option}`), [
    ...["worker", "idle", "idle", "idle", "idle", "workers", "workers", "workers", "idle", "wasm"].map((option) => `invalid_option ${option}`),
    ...["wasm.cores", "pool"].map((option) => `unknown_option ${option}`),
    ...Array(3).fill("invalid_option types"),
  ]);
  assert.deepEqual(started, ["photo"], "workers are still used");
});

test("where no worker can be started the calling thread does the work, and the warning says why", async () => {
  const broken = withFiles(createConsumer());
  renameSync(join(broken.installed, "worker-photo.node.js"), join(broken.installed, "gone.js"));
  const [one, many, picture, found, outputs] = await run(`
    await preload(["jpeg"]);
    const one = await told(compress(photo));
    const many = await Promise.all(Array.from({ length: 10 }, () => told(compress(photo))));
    const outputs = [];
    for await (const { warnings } of variants(photo, [{}, { quality: 50 }, { to: "webp" }])) outputs.push(warnings.map(({ code }) => code).join());
    return [one, many, await told(compress(picture)), (await inspect(photo)).width, outputs];`, broken);
  assert.ok(one.outputSize > 0);
  assert.deepEqual(one.warnings.map(({ code }) => code), ["worker_unavailable"]);
  assert.match(one.warnings[0].message, /worker-photo\.node\.js.*init\(\{ workers \}\)/s);
  for (const { outputSize, warnings } of many) assert.deepEqual([outputSize, warnings.length], [one.outputSize, 1]);
  assert.deepEqual([picture.warnings, found], [[], 160]);
  assert.deepEqual(outputs, Array(3).fill("worker_unavailable"));
});

function withFiles(project) {
  for (const name of ["photo.jpg", "picture.png"]) cpSync(join(consumer.folder, name), join(project.folder, name));
  return project;
}
