// A Nuxt 4 application: a page that compresses in the browser, and a server route that compresses in Node.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkPage, checkServer } from "../consumers/support/check.mjs";
import { checkShrinkPage, checkShrinkRoute, checkUploadForm, writeExamples } from "../consumers/support/examples.mjs";
import { openProject } from "../consumers/support/project.mjs";
import { launchChromium, openPage } from "../package/support/chromium.mjs";
import { until } from "../package/support/until.mjs";

Object.assign(process.env, { NITRO_HOST: "127.0.0.1", NITRO_PORT: "0", NUXT_TELEMETRY_DISABLED: "1" });
const project = openProject("nuxt", "shared");
writeExamples(project, "nuxt");
const browser = await launchChromium();
after(() => browser.close());

test("nuxt build and its server", async (context) => {
  project.run("build");
  const server = await project.serve("start");
  context.after(server.close);
  await context.test("a page", () => checkPage(project, browser, server.url));
  await context.test("a server route", () => checkServer(project, `${server.url}/compress-file`));
  await context.test("the pages and the route of the documents", async () => {
    await checkShrinkPage(browser, `${server.url}/shrink`);
    await checkUploadForm(browser, `${server.url}/upload`);
    await checkShrinkRoute(`${server.url}/api/shrink`);
  });
});

test("nuxt dev", async (context) => {
  const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1");
  context.after(server.close);
  await bundleDependencies(server.url);
  await context.test("a page", () => checkPage(project, browser, server.url));
  await context.test("a server route", () => checkServer(project, `${server.url}/compress-file`));
  await context.test("the pages and the route of the documents", async () => {
    await checkShrinkPage(browser, `${server.url}/shrink`);
    await checkUploadForm(browser, `${server.url}/upload`);
    await checkShrinkRoute(`${server.url}/api/shrink`);
  });
});

/** Visits the page until Vite has bundled the package. Vite then reloads the page, which would end the calls of a test. */
async function bundleDependencies(url) {
  const { page } = await openPage(browser, url);
  const metadata = join(project.folder, "node_modules/.cache/vite/client/deps/_metadata.json");
  const isBundled = () => existsSync(metadata) && readFileSync(metadata, "utf8").includes('"filepress"');
  await until(isBundled);
  await page.close();
}
