// The examples of README.md and docs/. The info string of each selects how it is tested, as in ```js node.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { env, execPath } from "node:process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import sharp from "sharp";
import { launchChromium, openPage } from "./support/chromium.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { listen } from "./support/listen.mjs";
import { photo } from "./support/pictures.mjs";
import { toSharp } from "./support/samples.mjs";

const root = new URL("../../", import.meta.url);
const names = ["README.md", ...readdirSync(new URL("docs/", root), { recursive: true }).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`).sort()];

/**
 * What is done with a block: `in` names its file in tests/consumers/, whose tests run it; `node` and `browser` run it; `in-worker` is the worker.js of the browser's block of its document; `check` parses it and looks at its imports, since it needs what is not here;
 * `worker` does so too, and workerd.test.mjs runs it; `run` runs its lines; `shell` only parses them; action.test.mjs compares `action` with the action.
 */
const MODES = {
  js: ["node", "browser", "in-worker", "check", "worker", "in"],
  ...Object.fromEntries(["jsx", "ts", "vue", "svelte", "astro"].map((language) => [language, ["in"]])),
  ...{ sh: ["run", "shell"], html: [""], json: ["", "in"], text: [""], yaml: ["action"] },
};

const blocks = names.flatMap((name) =>
  [...readFileSync(new URL(name, root), "utf8").matchAll(/^ *```([^\n]*)\n([\s\S]*?)^ *```$/gm)].map(([, info, code]) => {
    const [language, mode = "", path] = info.split(" ");
    return { name, language, mode, path, code };
  }),
);
const blocksOf = (language, ...modes) => blocks.filter((block) => block.language === language && (modes.length === 0 || modes.includes(block.mode)));

const consumer = createConsumer();
const run = (command, ...args) => spawnSync(command, args, { cwd: consumer.folder, encoding: "utf8", env: { ...env, npm_config_offline: "true" } });
const inProject = (name) => join(consumer.folder, name);

/** The libraries that docs/migrating.md starts from and that this repository has among its development dependencies. */
const OTHERS = ["browser-image-compression", "compressorjs", "sharp"];

let browser;
before(async () => {
  const bytes = await toSharp(photo(2400, 1200)).removeAlpha().jpeg().toBuffer();
  mkdirSync(inProject("photos"));
  for (const name of ["photo.jpg", "photos/one.jpg"]) writeFileSync(inProject(name), bytes);
  for (const name of OTHERS) symlinkSync(fileURLToPath(new URL(`node_modules/${name}`, root)), inProject(`node_modules/${name}`));
  browser = await launchChromium();
});
after(() => browser?.close());

test("every block says how it is tried", () => {
  assert.ok(blocks.length >= 12, `${blocks.length} blocks`);
  assert.deepEqual(blocks.filter(({ language, mode }) => !MODES[language]?.includes(mode)).map(({ name, language, mode }) => `${name}: ${language} ${mode}`), []);
});

test("every example is a program that imports what the package exports", async () => {
  const exported = Object.keys(await consumer.import());
  for (const [index, { name, path = "", code }] of blocksOf("js").entries()) {
    const { status, stderr } = run(execPath, "--check", consumer.write(`example-${index}${extname(path) === ".cjs" ? ".cjs" : ".mjs"}`, code));
    assert.equal(status, 0, `${name}: ${stderr}`);
  }
  for (const { name, code } of blocks) {
    for (const [, imported] of code.matchAll(/import \{([^}]*)\} from "filepress(?:\/web)?"/g)) {
      assert.deepEqual(imported.split(",").map((word) => word.trim()).filter((word) => !exported.includes(word)), [], name);
    }
  }
});

/** Projects of tests/consumers/ whose tests write the examples for them into the project; in the others the file is there. */
const WRITTEN = ["angular", "astro", "astro-cloudflare", "astro-images", "next", "next-images", "next-pictures", "nuxt", "runtimes", "sveltekit", "uploads", "vite", "webpack"];

test("the examples for a project are its files, or a test puts them there", () => {
  const examples = blocks.filter(({ mode }) => mode === "in");
  assert.ok(examples.length >= 10, `${examples.length} examples`);
  const withoutHeader = (text) => text.replace(/^(?:\/\/.*\n)+/, "");
  for (const { name, path, code } of examples) {
    const file = new URL(`tests/consumers/${path}`, root);
    if (existsSync(file)) assert.equal(withoutHeader(code), withoutHeader(readFileSync(file, "utf8")), `${name}: ${path}`);
    else assert.ok(WRITTEN.includes(path.split("/")[0]), `${name}: ${path}`);
  }
  assert.deepEqual([...new Set(examples.map(({ path }) => path.split("/")[0]))].sort(), [...WRITTEN, "jest", "vitest"].sort());
});

test("the examples for Node write their images", async () => {
  const written = {
    "README.md": { "photo.small.jpg": ["jpeg", 1920] },
    "docs/migrating.md": { "by-sharp.webp": ["webp", 800], "by-filepress.webp": ["webp", 800], "small-imagemin/one.jpg": ["jpeg", 2400] },
    "docs/plugins.md": {},
    "docs/recipes/responsive-images.md": { "photo-400.webp": ["webp", 400], "photo-1600.webp": ["webp", 1600], "photo-800.jpg": ["jpeg", 800] },
  };
  const examples = blocksOf("js", "node");
  assert.deepEqual([...new Set(examples.map(({ name }) => name))], Object.keys(written));
  for (const [index, { name, code }] of examples.entries()) {
    const { status, stderr } = run(execPath, consumer.write(`node-${index}.mjs`, code));
    assert.equal(status, 0, `${name}: ${stderr}`);
  }
  for (const [file, expected] of Object.values(written).flatMap(Object.entries)) {
    const { format, width } = await sharp(inProject(file)).metadata();
    assert.deepEqual([format, width], expected, file);
  }
});

test("the lines for a shell are lines of a shell, and what can run does", () => {
  for (const { name, code } of blocksOf("sh")) {
    const { status, stderr } = run("bash", "-n", consumer.write("lines.sh", code));
    assert.equal(status, 0, `${name}: ${stderr}`);
  }
  const runnable = blocksOf("sh", "run");
  assert.ok(runnable.length >= 3, `${runnable.length} blocks`);
  for (const { name, code } of runnable) {
    const { status, stderr } = run("bash", "-e", consumer.write("lines.sh", code));
    assert.equal(status, 0, `${name}: ${stderr}`);
  }
  assert.ok(readdirSync(inProject("set")).includes("photo-400.webp"));
  rmSync(inProject("set"), { recursive: true });
});

/** What a page of an example holds: the elements that examples look for. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>example</title><link rel="icon" href="data:,">
<form action="/upload"><input type="file" name="photo"><button>Upload</button><output></output></form><img alt="">
<script type="module" src="page.js"></script>`;
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves the project; `uploads` collects what is sent to /upload. */
async function serveProject() {
  const uploads = [];
  const site = await listen(async (request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    if (pathname === "/upload") {
      uploads.push(Buffer.concat(await request.toArray()));
      return response.end();
    }
    const body = await readFile(inProject(normalize(pathname))).catch(() => undefined);
    return response.writeHead(body ? 200 : 404, { "content-type": types[extname(pathname)] ?? "application/octet-stream" }).end(body);
  });
  return { ...site, uploads };
}

/** Bundles a program; the package itself is loaded from where it is installed. */
async function bundle(code, file) {
  const path = `/node_modules/filepress/${consumer.manifest.exports["."].browser}`;
  const installed = { name: "installed", setup: ({ onResolve }) => onResolve({ filter: /^filepress$/ }, () => ({ path, external: true })) };
  await build({ stdin: { contents: code, resolveDir: consumer.folder }, bundle: true, format: "esm", outfile: inProject(file), plugins: [installed], logLevel: "silent" });
}

test("the examples for a browser show the chosen photo, and upload it", async () => {
  const examples = blocksOf("js", "browser").filter(({ name }) => !name.endsWith("service-worker.md"));
  const recipes = ["canvas", "upload-form", "workers"].map((name) => `docs/recipes/${name}.md`);
  assert.deepEqual([...new Set(examples.map(({ name }) => name))], ["README.md", "docs/migrating.md", ...recipes]);
  consumer.write("page.html", PAGE);
  const site = await serveProject();
  for (const { name, code } of examples) {
    await bundle(code, "page.js");
    const [inWorker] = blocksOf("js", "in-worker").filter((block) => block.name === name);
    if (inWorker) await bundle(inWorker.code, "worker.js");
    const { page, complaints } = await openPage(browser, `${site.url}/page.html`);
    await page.setInputFiles("input", inProject("photo.jpg"));
    await page.waitForFunction(() => document.querySelector("img").naturalWidth > 0);
    if (code.includes("FormData")) {
      assert.equal(await page.evaluate(() => document.querySelector("img").naturalWidth), 1600, name);
      await page.click("button");
      await page.waitForFunction(() => document.querySelector("output").value === "Uploaded.");
      const [body] = site.uploads;
      assert.ok(body.includes('name="photo"') && body.includes("image/jpeg"), name);
      assert.ok(body.length < readFileSync(inProject("photo.jpg")).length, name);
    }
    assert.deepEqual(complaints, [], name);
    await page.close();
  }
  await site.close();
});

test("the service worker of the recipe makes the photos of a form smaller, and uploads other files as they are", async () => {
  const [page, worker] = [blocksOf("js", "browser"), blocksOf("js", "in-worker")].map((list) => list.find(({ name }) => name.endsWith("service-worker.md")));
  consumer.write("page.html", PAGE);
  await bundle(page.code, "page.js");
  await bundle(worker.code, "worker.js");
  const site = await serveProject();
  const { page: opened, complaints } = await openPage(browser, `${site.url}/page.html`);
  await opened.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const original = readFileSync(inProject("photo.jpg"));
  const upload = async (file) => {
    await opened.setInputFiles("input", file);
    await opened.evaluate(() => (document.querySelector("output").value = ""));
    await opened.click("button");
    await opened.waitForFunction(() => document.querySelector("output").value === "Uploaded.");
    return site.uploads.pop();
  };
  const photograph = await upload({ name: "photo.jpg", mimeType: "image/jpeg", buffer: original });
  assert.ok(photograph.includes('name="photo"; filename="photo.jpg"') && photograph.length < original.length, `${photograph.length} bytes`);
  const words = await upload({ name: "words.txt", mimeType: "text/plain", buffer: Buffer.from("just some words") });
  assert.ok(words.includes("just some words"));
  assert.deepEqual(complaints, []);
  await opened.close();
  await site.close();
});
