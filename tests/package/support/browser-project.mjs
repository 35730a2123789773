// A page of a consumer project that loads the package from node_modules by its `exports` for browsers.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage } from "./chromium.mjs";
import { openSite } from "./site.mjs";
import { until } from "./until.mjs";

/** Puts the page into the project; what it offers to a test stands in page.js. */
function writePage(consumer) {
  const entry = join("/node_modules/filepress", consumer.manifest.exports["."].browser);
  consumer.write("entry.js", `export * from "${entry}";\n`);
  consumer.write("page.html", '<!doctype html><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script>\n');
  for (const name of ["page.js", "outcome.mjs", "odd-calls.mjs"]) copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(consumer.folder, name));
}

/**
 * Puts the page into the project and serves it; files for it are in `made`, a Map of "/path" to bytes.
 * `open(policy, options, before)` opens it in Chromium under a Content-Security-Policy, the strict one unless another is given; `options`
 * are the page's, which `before` is handed while it is empty.
 */
export function createBrowserProject(consumer, browser, made = new Map()) {
  writePage(consumer);

  async function open(policy, options, before) {
    const site = await openSite(consumer.folder, { policy, made });
    const { page, complaints } = await openPage(browser, `${site.url}/page.html`, options, before);
    await page.waitForFunction(() => window.compressFile !== undefined);
    const close = async () => {
      await page.close();
      await site.close();
    };
    return { page, complaints, requests: site.requests, origin: site.url, close };
  }
  return { open };
}

/** The same page in a browser of engines.mjs. */
export function createEngineProject(consumer, browser, made = new Map()) {
  writePage(consumer);

  async function open(policy) {
    const site = await openSite(consumer.folder, { policy, made });
    const page = await browser.open(`${site.url}/page.html`);
    await until(() => page.evaluate(() => window.compressFile !== undefined));
    const close = async () => {
      await page.close();
      await site.close();
    };
    return { page, requests: site.requests, close };
  }
  return { open };
}
