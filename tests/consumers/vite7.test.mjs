// A Vite 7 application without configuration. In development, Vite 7 bundles dependencies but not their other files.
import { strict as assert } from "node:assert";
import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { launchChromium, openPage } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { checkPage, photo } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("vite7");
const browser = await launchChromium();
after(() => browser.close());

test("vite 7 build, under a strict Content-Security-Policy", async (context) => {
  project.run("build");
  const site = await openSite(join(project.folder, "dist"));
  context.after(site.close);
  await checkPage(project, browser, `${site.url}/index.html`);
});

for (const base of ["/", "/app/"]) {
  test(`vite 7, the development server at ${base}`, async (context) => {
    const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1", "--base", base);
    context.after(server.close);
    await checkPage(project, browser, `${server.url}/`);
    assert.ok(readdirSync(join(project.folder, "node_modules/.vite/deps")).includes("filepress.js"), "the package was not bundled");
  });
}

test("where the package's folder is not served, the message names the setting", async (context) => {
  const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1");
  context.after(server.close);
  const wasm = join(project.installed, "wasm/client/filepress_bg.wasm");
  renameSync(wasm, `${wasm}.gone`);
  context.after(() => renameSync(`${wasm}.gone`, wasm));
  assert.ok(!existsSync(wasm));
  const { page } = await openPage(browser, server.url);
  await page.waitForFunction(() => window.compressFile !== undefined);
  await page.setInputFiles("input", { name: "photo.jpg", mimeType: "image/jpeg", buffer: photo });
  const { code, message } = await page.evaluate(() => compressFile({}).catch(({ code, message }) => ({ code, message })));
  assert.equal(code, "engine_load");
  assert.match(message, /optimizeDeps: \{ exclude: \["filepress"\] \}/);
  await page.close();
});
