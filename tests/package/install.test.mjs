// The installed package: its files, the entry point of each runtime, and an import without side effects.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { createConsumer } from "./support/consumer.mjs";

const consumer = createConsumer();
const files = readdirSync(consumer.installed, { recursive: true }).filter((name) => statSync(join(consumer.installed, name)).isFile());
const scripts = files.filter((name) => name.endsWith(".js"));
const read = (name) => readFileSync(join(consumer.installed, name), "utf8");

/** The file of the package that a bundler with these settings takes for an import. */
async function entryFor(settings, specifier = "filepress") {
  const stdin = { contents: `export * from "${specifier}";`, resolveDir: consumer.folder };
  const leaveAlone = { ".wasm": "empty" };
  const { metafile } = await build({ stdin, bundle: true, write: false, metafile: true, format: "esm", loader: leaveAlone, logLevel: "silent", ...settings });
  const inputs = Object.keys(metafile.inputs).map((input) => relative(consumer.installed, join(process.cwd(), input)));
  return inputs.filter((input) => /^(index|web|avif)\./.test(input));
}

test("npm installs it without any dependency", () => {
  const { dependencies, peerDependencies, peerDependenciesMeta, optionalDependencies, scripts: hooks } = consumer.manifest;
  assert.deepEqual([dependencies, optionalDependencies, hooks], [undefined, undefined, undefined]);
  // The libraries that plug-ins are for.
  for (const name of Object.keys(peerDependencies)) assert.equal(peerDependenciesMeta[name]?.optional, true, name);
  const installed = readdirSync(join(consumer.folder, "node_modules")).filter((name) => !name.startsWith("."));
  assert.deepEqual(installed, ["filepress"]);
});

test("each runtime and bundler gets its own entry", async () => {
  const resolve = (...flags) =>
    execFileSync(process.execPath, [...flags, "--input-type=module", "-e", 'console.log(import.meta.resolve("filepress"))'], { cwd: consumer.folder, encoding: "utf8" });
  assert.match(resolve(), /filepress\/index\.node\.js\n$/);
  assert.match(resolve("--conditions=workerd"), /filepress\/index\.workerd\.js\n$/);
  assert.deepEqual(await entryFor({ platform: "node" }), ["index.node.js"]);
  assert.deepEqual(await entryFor({ platform: "browser" }), ["index.browser.js"]);
  assert.deepEqual(await entryFor({ platform: "neutral" }), ["index.browser.js"]);
  // As wrangler asks.
  assert.deepEqual(await entryFor({ conditions: ["workerd", "worker", "browser"] }), ["index.workerd.js"]);
  for (const name of ["web", "avif"]) {
    assert.deepEqual(await entryFor({ platform: "node" }, `filepress/${name}`), [`${name}.node.js`]);
    assert.deepEqual(await entryFor({ platform: "browser" }, `filepress/${name}`), [`${name}.browser.js`]);
    assert.deepEqual(await entryFor({ conditions: ["workerd", "worker", "browser"] }, `filepress/${name}`), [`${name}.workerd.js`]);
  }
});

test("all that the manifest names is there, and nothing that the work left over", () => {
  const { exports, types } = consumer.manifest;
  const named = [types, ...Object.values(exports).filter((entry) => typeof entry === "object").flatMap(Object.values)].map((path) => path.replace("./", ""));
  assert.deepEqual(named.filter((name) => !files.includes(name)), []);
  const expected = [
    /^types\/(plugins\/)?[a-z-]+\.d\.ts$/,
    /^(index\.d\.ts|(index|web|avif)\.(browser|node|workerd)\.js)$/,
    /^workerd?-(photo|photo_avif|avif|core|full|jxl)(\.node)?\.js$/,
    /^(lib|lib\/(client|heif|jxl)|platforms|plugins|bin)\/[a-z_-]+\.js$/,
    /^wasm\/(client|photo|photo_avif|avif|core|full|jxl)\/filepress(\.js|_bg\.wasm)$/,
    /^(package\.json|README\.md|CHANGELOG\.md|LICENSE-(MIT|APACHE)|THIRD-PARTY-LICENSES\.txt)$/,
  ];
  assert.deepEqual(files.filter((name) => !expected.some((pattern) => pattern.test(name))), []);
  for (const license of ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-LICENSES.txt"]) assert.ok(read(license).length > 500, license);
  for (const work of ["resvg 0.49.0", "ssimulacra2", "jxl 0.8.0 (BSD-3-Clause)", "brotli-decompressor", "libwebp (BSD-3-Clause)"]) assert.ok(read("THIRD-PARTY-LICENSES.txt").includes(work), work);
  for (const wasm of ["client", "photo", "photo_avif", "avif", "core", "full", "jxl"]) assert.ok(WebAssembly.validate(readFileSync(join(consumer.installed, `wasm/${wasm}/filepress_bg.wasm`))), wasm);
});

test("the documents lead nowhere but to the web and to their own headings", () => {
  const prose = (name) => read(name).replaceAll(/^```[\s\S]*?^```$/gm, "");
  const slug = (heading) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s-]/gu, "").replaceAll(" ", "-");
  const headings = [...read("README.md").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => `#${slug(heading)}`);
  const targets = ["README.md", "CHANGELOG.md"].flatMap((name) => [...prose(name).matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target));
  assert.ok(targets.some((target) => target.startsWith("#")), "the README has no links at all");
  assert.deepEqual(targets.filter((target) => !/^https:\/\//.test(target) && !headings.includes(target)), []);
  assert.doesNotMatch(prose("README.md"), /^\|[|\s:-]*\n\n/m, "an empty table");
});

test("nothing tells on which machine it was built", () => {
  for (const file of files) assert.doesNotMatch(read(file), /\.cargo\/registry|\/(home|Users)\/[a-z]/, file);
});

test("the scripts hold nothing that a strict page or a Worker refuses", () => {
  assert.ok(scripts.length >= 15, `${scripts.length} scripts`);
  const refused = {
    "eval": /\beval\s*\(/,
    "a function made from text": /\bnew\s+Function\b|(?<![\w`"'])Function\s*\(/,
    "a blob URL": /createObjectURL|["'`]blob:/,
    "shared memory": /\bnew\s+SharedArrayBuffer\b|shared:\s*true/,
    "code from elsewhere": /(?:from|import|import\s*\()\s*["'`](?:https?:)?\/\//,
    "a script put into the page": /createElement|importScripts|document\./,
    "words to the console": /\bconsole\.(?:log|error|debug|info)\b/,
  };
  const code = (name) => read(name).replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  const found = scripts.flatMap((name) => Object.entries(refused).filter(([, pattern]) => pattern.test(code(name))).map(([what]) => `${name}: ${what}`));
  assert.deepEqual(found, []);
});

test("only the Node files, plug-ins of build tools and the command line name Node's modules", () => {
  const naming = scripts.filter((name) => /["'`]node:/.test(read(name)));
  assert.ok(naming.length > 0);
  const ofNode = /\.node\.js$|^platforms\/node\.js$|^bin\/|^plugins\/(vite|webpack|picture-import|next|build-cache)\.js$/;
  assert.deepEqual(naming.filter((name) => !ofNode.test(name)), []);
});

test("importing does nothing: no request, no file, no thread, no compilation", () => {
  const program = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    import threads from "node:worker_threads";
    const seen = [];
    const spy = (object, name) => {
      const original = object[name];
      object[name] = new Proxy(original, {
        // Node reads scripts by the same function.
        apply: (target, self, args) => (/\\.m?js$/.test(args[0]) || seen.push(name), Reflect.apply(target, self, args)),
        construct: (target, args) => (seen.push(name), Reflect.construct(target, args)),
      });
    };
    for (const name of ["compile", "instantiate", "compileStreaming", "instantiateStreaming", "Module", "Instance", "Memory"]) spy(WebAssembly, name);
    for (const name of ["fetch", "setTimeout", "setInterval"]) spy(globalThis, name);
    spy(fs.promises, "readFile");
    spy(threads, "Worker");
    globalThis.Worker = class { constructor() { seen.push("Worker"); } };
    syncBuiltinESMExports();
    const before = new Set(Object.getOwnPropertyNames(globalThis));
    for (const entry of ["index.node.js", "index.browser.js"]) await import("./node_modules/filepress/" + entry);
    await new Promise((resolve) => setImmediate(resolve));
    const added = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name));
    const { compress } = await import("filepress");
    const atImport = [...seen];
    await compress(new Uint8Array([1, 2, 3])).catch(() => {});
    console.log(JSON.stringify({ atImport, added, atCall: seen }));`;
  const { atImport, added, atCall } = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: consumer.folder, encoding: "utf8" }));
  assert.deepEqual({ atImport, added }, { atImport: [], added: [] });
  assert.ok(atCall.length > 0, "the spies see nothing even of a call");
});
