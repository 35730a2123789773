// A Next.js application: a page that compresses in the browser, and a route handler that compresses in Node.
import { after, test } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { checkPage, checkServer } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("next", "lib");
const browser = await launchChromium();
after(() => browser.close());

test("next build and next start", async (context) => {
  project.run("build");
  const server = await project.serve("start", "--port", "0");
  context.after(server.close);
  await context.test("a page", () => checkPage(project, browser, server.url));
  await context.test("a route handler", () => checkServer(project, `${server.url}/press`));
});

test("next dev", async (context) => {
  const server = await project.serve("dev", "--port", "0");
  context.after(server.close);
  await context.test("a page", () => checkPage(project, browser, server.url));
  await context.test("a route handler", () => checkServer(project, `${server.url}/press`));
});
