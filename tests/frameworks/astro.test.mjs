// An Astro 5 page, whose development server is Vite 6.
import { join } from "node:path";
import { after, test } from "node:test";
import { checkPage } from "../consumers/support/check.mjs";
import { checkShrinkPage, writeExamples } from "../consumers/support/examples.mjs";
import { openProject } from "../consumers/support/project.mjs";
import { launchChromium } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";

process.env.ASTRO_TELEMETRY_DISABLED = "1";
const project = openProject("astro", "src/lib");
writeExamples(project, "astro");
const browser = await launchChromium();
after(() => browser.close());

test("astro build", async (context) => {
  project.run("build");
  // Astro writes small scripts into the page.
  const policy = "default-src 'self' data: 'unsafe-inline' 'wasm-unsafe-eval'; img-src 'self' data: blob:";
  const site = await openSite(join(project.folder, "dist"), { policy });
  context.after(site.close);
  await checkPage(project, browser, `${site.url}/index.html`);
  await checkShrinkPage(browser, `${site.url}/shrink/index.html`);
});

test("astro dev", async (context) => {
  const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1");
  context.after(server.close);
  await checkPage(project, browser, server.url);
  await checkShrinkPage(browser, `${server.url}/shrink`);
});
