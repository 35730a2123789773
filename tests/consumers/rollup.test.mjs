// A page bundled by Rollup, which copies neither workers nor WebAssembly: the package is copied and `init` names the
// copy.
import { strict as assert } from "node:assert";
import { join } from "node:path";
import { after, test } from "node:test";
import { launchChromium, openPage } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { checkPage, photo } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("rollup");
const browser = await launchChromium();
after(() => browser.close());

test("Rollup, under a strict Content-Security-Policy", async (context) => {
  project.run("build");
  const site = await openSite(join(project.folder, "dist"));
  context.after(site.close);
  await context.test("with a copy of the package", () => checkPage(project, browser, `${site.url}/index.html`));

  await context.test("without `init` the message says what to do", async () => {
    const { page } = await openPage(browser, `${site.url}/plain.html`);
    await page.waitForFunction(() => window.compressFile !== undefined);
    await page.setInputFiles("input", { name: "photo.jpg", mimeType: "image/jpeg", buffer: photo });
    const { code, message } = await page.evaluate(() => compressFile({}).catch(({ code, message }) => ({ code, message })));
    assert.equal(code, "engine_load");
    assert.match(message, /status 404 at .*wasm.*init\(\{ workers \}\)/);
    await page.close();
  });
});
