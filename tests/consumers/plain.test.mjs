// A page without a bundler: an import map names the package's files.
import { after, test } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { checkPage } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("plain");
const browser = await launchChromium();
after(() => browser.close());

test("a plain page", async (context) => {
  const policy = "default-src 'self' data: 'unsafe-inline' 'wasm-unsafe-eval'";
  const site = await openSite(project.folder, { policy });
  context.after(site.close);
  await checkPage(project, browser, `${site.url}/index.html`);
});
