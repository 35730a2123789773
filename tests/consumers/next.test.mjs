// A Next.js application: a page that compresses in the browser, and a route handler that compresses in Node.
import { after, test } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { checkPage, checkServer } from "./support/check.mjs";
import { checkShrinkPage, checkShrinkRoute, checkUploadForm, writeExamples } from "./support/examples.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("next", "lib");
writeExamples(project, "next");
const browser = await launchChromium();
after(() => browser.close());

test("next build and next start", async (context) => {
  project.run("build");
  const server = await project.serve("start", "--port", "0");
  context.after(server.close);
  await context.test("a page", () => checkPage(project, browser, server.url));
  await context.test("a route handler", () => checkServer(project, `${server.url}/compress-file`));
  await context.test("the pages and the route of the documents", async () => {
    await checkShrinkPage(browser, `${server.url}/shrink`);
    await checkUploadForm(browser, `${server.url}/upload`);
    await checkShrinkRoute(`${server.url}/api/shrink`);
  });
});

test("next dev", async (context) => {
  const server = await project.serve("dev", "--port", "0");
  context.after(server.close);
  await context.test("a page", () => checkPage(project, browser, server.url));
  await context.test("a route handler", () => checkServer(project, `${server.url}/compress-file`));
  await context.test("the pages and the route of the documents", async () => {
    await checkShrinkPage(browser, `${server.url}/shrink`);
    await checkUploadForm(browser, `${server.url}/upload`);
    await checkShrinkRoute(`${server.url}/api/shrink`);
  });
});
