// The documentation site of `make docs`: every link within it leads somewhere, every public symbol has a page, and the demo page is beside it.
import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { after, test } from "node:test";
import { buildDocs } from "../../scripts/docs.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { launchChromium, openPage } from "../package/support/chromium.mjs";
import { listen } from "../package/support/listen.mjs";

const parent = mkdtempSync(join(tmpdir(), "filepress-docs-"));
after(() => rmSync(parent, { recursive: true, force: true }));
// Throws where TypeDoc warns, of a link that leads nowhere or of a type that the package does not export.
const folder = buildDocs(join(parent, "docs"));
const pages = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".html") && !path.startsWith("demo/"));
const read = (path) => readFileSync(join(folder, path), "utf8");

test("each public function and class, each document and the demo page have a page", async () => {
  const exported = Object.keys(await createConsumer().import());
  const described = exported.filter((name) => existsSync(join(folder, `functions/filepress.${name}.html`)) || existsSync(join(folder, `classes/filepress.${name}.html`)));
  assert.deepEqual(described, exported);
  for (const title of ["Frameworks", "Migrating_to_filepress", "Upload_form", "The_server", "Changelog"]) assert.ok(pages.some((path) => path.endsWith(`${title}.html`)), title);
  assert.ok(existsSync(join(folder, "demo/index.html")));
});

test("links between pages are relative and lead to files", () => {
  assert.ok(pages.length >= 100, `${pages.length} pages`);
  const broken = pages.flatMap((page) => {
    const targets = [...read(page).matchAll(/(?:href|src)="([^"#?]+)[^"]*"/g)].map(([, target]) => target);
    const own = targets.filter((target) => !/^(?:https?|mailto|data):/.test(target));
    return own.filter((target) => target.startsWith("/") || !existsSync(normalize(join(folder, dirname(page), decodeURIComponent(target))))).map((target) => `${page}: ${target}`);
  });
  assert.deepEqual(broken, []);
});

test("a reader finds an option by the search, and the demo page by its link", async (context) => {
  const browser = await launchChromium();
  context.after(() => browser.close());
  const types = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
  const site = await listen((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://site").pathname).replace(/\/$/, "/index.html");
    const isThere = existsSync(join(folder, normalize(path)));
    response.writeHead(isThere ? 200 : 404, { "content-type": types[path.split(".").at(-1)] ?? "application/octet-stream" }).end(isThere ? readFileSync(join(folder, normalize(path))) : "");
  });
  context.after(site.close);
  const { page } = await openPage(browser, `${site.url}/`);
  await page.click("#tsd-search-trigger");
  await page.fill("#tsd-search-input", "targetSize");
  await page.waitForFunction(() => /targetSize/.test(document.querySelector("#tsd-search-results")?.textContent ?? ""));
  await page.goto(`${site.url}/documents/Frameworks.html`);
  await page.locator("a", { hasText: "Demo page" }).first().click();
  await page.waitForURL("**/demo/**");
  assert.match(await page.title(), /^filepress/);
});
