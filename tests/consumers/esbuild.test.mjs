// A page bundled by esbuild, which does not process `new URL("…", import.meta.url)`: the workers are bundled as entry
// points and the WebAssembly files copied, or the package is copied and `init` names the copy.
import { join } from "node:path";
import { after, test } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { checkPage } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("esbuild");
const browser = await launchChromium();
after(() => browser.close());

test("esbuild, under a strict Content-Security-Policy", async (context) => {
  project.run("build");
  const site = await openSite(join(project.folder, "dist"));
  context.after(site.close);
  await checkPage(project, browser, `${site.url}/index.html`);
});

test("esbuild, with a copy of the package", async (context) => {
  project.run("copied");
  const site = await openSite(join(project.folder, "copied"));
  context.after(site.close);
  await checkPage(project, browser, `${site.url}/copied.html`);
});
