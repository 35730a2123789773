// A page bundled by webpack, without configuration for this package.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { checkPage } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("webpack");
const browser = await launchChromium();
after(() => browser.close());

test("webpack, under a strict Content-Security-Policy", async (context) => {
  project.run("build");
  copyFileSync(join(project.folder, "index.html"), join(project.folder, "dist", "index.html"));
  const site = await openSite(join(project.folder, "dist"));
  context.after(site.close);
  await checkPage(project, browser, `${site.url}/index.html`);
});
