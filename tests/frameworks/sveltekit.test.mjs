// A SvelteKit 2 application with Vite 7: a page that compresses in the browser, and an endpoint that compresses in
// Node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkPage, checkServer } from "../consumers/support/check.mjs";
import { checkShrinkPage, checkShrinkRoute, writeExamples } from "../consumers/support/examples.mjs";
import { openProject } from "../consumers/support/project.mjs";
import { launchChromium } from "../package/support/chromium.mjs";
import { freePort } from "../package/support/free-port.mjs";

// The server of adapter-node does not tell which port it chose.
const port = await freePort();
Object.assign(process.env, { HOST: "127.0.0.1", PORT: `${port}`, ORIGIN: `http://127.0.0.1:${port}` });

const project = openProject("sveltekit", "src/lib");
// As `npm install filepress` does: adapter-node bundles what is no dependency of the application.
const manifest = JSON.parse(readFileSync(join(project.folder, "package.json"), "utf8"));
project.write("package.json", JSON.stringify({ ...manifest, dependencies: { filepress: "*" } }));
writeExamples(project, "sveltekit");
const browser = await launchChromium();
after(() => browser.close());

test("vite build and adapter-node", async (context) => {
  project.run("build");
  const server = await project.serve("start");
  context.after(server.close);
  await context.test("a page", () => checkPage(project, browser, server.url));
  await context.test("an endpoint", () => checkServer(project, `${server.url}/compress-file`));
  await context.test("the page and the endpoint of the documents", async () => {
    await checkShrinkPage(browser, `${server.url}/shrink`);
    await checkShrinkRoute(`${server.url}/api/shrink`);
  });
});

test("vite dev", async (context) => {
  const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1");
  context.after(server.close);
  await context.test("a page", () => checkPage(project, browser, server.url));
  await context.test("an endpoint", () => checkServer(project, `${server.url}/compress-file`));
  await context.test("the page and the endpoint of the documents", async () => {
    await checkShrinkPage(browser, `${server.url}/shrink`);
    await checkShrinkRoute(`${server.url}/api/shrink`);
  });
});
