// An Angular 21 application. Its builder copies neither workers nor WebAssembly: they are assets, and `init` names
// the folder.
import { join } from "node:path";
import { after, test } from "node:test";
import { checkPage } from "../consumers/support/check.mjs";
import { checkShrinkPage, writeExamples } from "../consumers/support/examples.mjs";
import { openProject } from "../consumers/support/project.mjs";
import { launchChromium } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";

const project = openProject("angular");
writeExamples(project, "angular");
const browser = await launchChromium();
after(() => browser.close());

test("ng build, under a strict Content-Security-Policy", async (context) => {
  project.run("build");
  const site = await openSite(join(project.folder, "dist/browser"));
  context.after(site.close);
  await checkPage(project, browser, `${site.url}/index.html`);
  await checkShrinkPage(browser, `${site.url}/index.html#shrink`);
});

test("ng serve", async (context) => {
  const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1");
  context.after(server.close);
  await checkPage(project, browser, server.url);
  await checkShrinkPage(browser, `${server.url}#shrink`);
});
