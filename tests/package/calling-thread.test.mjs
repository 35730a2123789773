// Pages that cannot start workers: the calling thread does the work, and a warning gives the reason.
import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { after, test } from "node:test";
import { launchChromium, openPage } from "./support/chromium.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { listen } from "./support/listen.mjs";
import { sample } from "./support/samples.mjs";

const consumer = createConsumer();
const { compress } = await consumer.import();
const photo = Buffer.from(await sample("baseline.jpg"));
const OPTIONS = { quality: 60 };
const { blob } = await compress(photo, OPTIONS);
const expected = Buffer.from(await blob.arrayBuffer()).toString("base64");

const browser = await launchChromium();
after(() => browser.close());

/** Serves the project's files to every origin, as a CDN does; what `answers` has for a path stands before them. */
async function serve(context, answers = {}) {
  const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
  const { url, close } = await listen(async (request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    const headers = { "access-control-allow-origin": "*", "content-type": types[extname(pathname)] ?? "text/html" };
    if (pathname in answers) return void response.writeHead(200, { ...headers, ...answers[pathname] }).end(answers[pathname].body);
    const file = await readFile(join(consumer.folder, normalize(pathname))).catch(() => undefined);
    response.writeHead(file ? 200 : 404, headers).end(file);
  });
  context.after(close);
  return url;
}

const entry = (site) => `${site}/node_modules/filepress/index.browser.js`;
const page = { body: "<!doctype html><title>test</title><link rel=icon href=data:,>" };

/** What a page or frame makes of the photo, after `init` with `settings`; the base64 of its bytes, and what it warned of. */
const compressFile = (frame, entry, settings) =>
  frame.evaluate(
    async ({ entry, settings, photo, options }) => {
      const { compress, init, inspect } = await import(entry);
      if (settings) await init(settings);
      const input = new File([Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0))], "photo.jpg");
      const { width } = await inspect(input);
      const result = await compress(input, options);
      const text = String.fromCharCode(...(await result.bytes()));
      return { bytes: btoa(text), warnings: result.warnings.map(({ code, message }) => `${code}: ${message}`), width };
    },
    { entry, settings, photo: photo.toString("base64"), options: OPTIONS },
  );

function check({ bytes, warnings, width }, pattern) {
  assert.equal(width, 160);
  assert.equal(bytes, expected);
  assert.equal(warnings.length, pattern ? 1 : 0, warnings.join());
  if (pattern) assert.match(warnings[0], pattern);
}

test("a page that imports the package from another origin", async (context) => {
  const [site, cdn] = [await serve(context, { "/page.html": page }), await serve(context)];
  const opened = await openPage(browser, `${site}/page.html`);
  context.after(() => opened.page.close());
  check(await compressFile(opened.page, entry(cdn)), /^worker_unavailable: .*init\(\{ workers \}\)/);
  assert.equal(opened.page.workers().length, 0);
  // With the files copied to its own origin it has workers.
  check(await compressFile(opened.page, entry(cdn), { workers: "/node_modules/filepress/" }));
  assert.equal(opened.page.workers().length, 1);
});

test("a sandboxed frame", async (context) => {
  const cdn = await serve(context);
  const frame = '<iframe sandbox="allow-scripts" srcdoc="<!doctype html><title>frame</title>"></iframe>';
  const site = await serve(context, { "/page.html": { body: page.body + frame } });
  const opened = await openPage(browser, `${site}/page.html`);
  context.after(() => opened.page.close());
  const [, inner] = opened.page.frames();
  assert.equal(await inner.evaluate(() => origin), "null");
  check(await compressFile(inner, entry(cdn)), /^worker_unavailable: /);
});

test("a policy that forbids workers", async (context) => {
  const policy = { "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'none'" };
  const site = await serve(context, { "/page.html": { ...page, ...policy } });
  const opened = await openPage(browser, `${site}/page.html`);
  context.after(() => opened.page.close());
  check(await compressFile(opened.page, entry(site)), /^worker_unavailable: .*worker-src/);
});

test("a server that has no worker scripts, or its page in their place", async (context) => {
  for (const type of ["text/html", "text/javascript"]) {
    const body = type === "text/html" ? page.body : 'throw new Error("not a worker");';
    const site = await serve(context, { "/page.html": page, "/node_modules/filepress/worker-photo.js": { "content-type": type, body } });
    const opened = await openPage(browser, `${site}/page.html`);
    check(await compressFile(opened.page, entry(site)), /^worker_unavailable: /);
    await opened.page.close();
  }
});

test("what is no address of a folder is refused", async (context) => {
  const site = await serve(context, { "/page.html": page });
  const opened = await openPage(browser, `${site}/page.html`);
  context.after(() => opened.page.close());
  for (const workers of [1, {}, ["/"], "http://[/"]) {
    const { code, details } = await opened.page.evaluate(
      async ({ entry, workers }) => (await import(entry)).init({ workers }).catch(({ code, details }) => ({ code, details })),
      { entry: entry(site), workers },
    );
    assert.deepEqual([code, details], ["invalid_option", { option: "workers" }], JSON.stringify(workers));
  }
});

test("a page that wants no workers is not warned", async (context) => {
  const site = await serve(context, { "/page.html": page });
  const opened = await openPage(browser, `${site}/page.html`);
  context.after(() => opened.page.close());
  check(await compressFile(opened.page, entry(site), { worker: false }));
  assert.equal(opened.page.workers().length, 0);
});

test("the page of a single-page application in place of the wasm is named", async (context) => {
  const wasm = "/node_modules/filepress/wasm/client/filepress_bg.wasm";
  const site = await serve(context, { "/page.html": page, [wasm]: { ...page, "content-type": "text/html; charset=utf-8" } });
  const opened = await openPage(browser, `${site}/page.html`);
  context.after(() => opened.page.close());
  const message = await compressFile(opened.page, entry(site)).then(() => "", (error) => error.message);
  assert.match(message, /an HTML page at .*wasm\/client\/filepress_bg\.wasm.*init\(\{ workers \}\)/);
});
