// filepress/next: the route, loader and page of docs/plugins.md, in production and development. The images are those of Node.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { checkNextImages, writeNextImages } from "./support/next-images.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("next", "lib");
writeNextImages(project);
const { compress } = await project.import();
const browser = await launchChromium();
after(() => browser.close());

test("the loader makes addresses that a srcset can hold", async () => {
  const { createLoader } = await project.import("filepress/next/loader");
  const address = (src) => createLoader()({ src, width: 640, quality: 75 });
  const encoded = "my%20photo%2C%20%C3%BC%F0%9F%98%80.jpg";
  assert.equal(address("/my photo, ü😀.jpg"), `/img/640/auto/${encoded}?quality=75`);
  assert.equal(address(`/${encoded}?v=1`), `/img/640/auto/${encoded}?quality=75`);
  assert.equal(address("/_next/static/media/a.b~c-1.jpg"), "/img/640/auto/_next/static/media/a.b~c-1.jpg?quality=75");
  for (const src of ["https://example.org/a b.jpg", "//example.org/a.jpg", "data:image/png;base64,AA=="]) assert.equal(address(src), src);
});

test("next build and next start", async (context) => {
  project.run("build");
  const server = await project.serve("start", "--port", "0");
  context.after(server.close);
  await checkNextImages(browser, server.url, compress);
});

test("next dev", async (context) => {
  const server = await project.serve("dev", "--port", "0");
  context.after(server.close);
  await checkNextImages(browser, server.url, compress);
});
