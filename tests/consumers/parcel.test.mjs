// A page bundled by Parcel, which ignores `exports` and uses the field `browser`. Parcel's bundles of the workers do
// not run, so the package is copied and `init` names the copy.
import { join } from "node:path";
import { after, test } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { checkPage } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("parcel");
const browser = await launchChromium();
after(() => browser.close());

test("Parcel", async (context) => {
  project.run("build");
  // Parcel writes an import map into the page.
  const policy = "default-src 'self' data: 'unsafe-inline' 'wasm-unsafe-eval'";
  const site = await openSite(join(project.folder, "dist"), { policy });
  context.after(site.close);
  await checkPage(project, browser, `${site.url}/index.html`);
});
