// A Vite application: its build, and its development server.
import { join } from "node:path";
import { after, test } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { checkPage } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("vite");
const browser = await launchChromium();
after(() => browser.close());

test("vite build, under a strict Content-Security-Policy", async (context) => {
  project.run("build");
  const site = await openSite(join(project.folder, "dist"));
  context.after(site.close);
  await checkPage(project, browser, `${site.url}/index.html`);
});

test("vite, the development server", async (context) => {
  const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1");
  context.after(server.close);
  await checkPage(project, browser, server.url);
});
