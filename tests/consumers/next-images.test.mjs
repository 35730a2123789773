// filepress/next: the route, loader and page of docs/plugins.md, in production and development. The images are those of Node.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { after, test } from "node:test";
import { launchChromium, openPage } from "../package/support/chromium.mjs";
import { writeExamples } from "./support/examples.mjs";
import { jpeg } from "./support/photos.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("next", "lib");
writeExamples(project, "next-images");
const [wide, imported] = [await jpeg(1000, 500), await jpeg(900, 600, 5)];
project.write("public/wide.jpg", wide);
project.write("public/words.jpg", "just some words");
project.write("app/images/imported.jpg", imported);
const { compress } = await project.import();
const browser = await launchChromium();
after(() => browser.close());

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function checkImages(url) {
  const get = (path, accept = "image/webp") => fetch(url + path, { headers: { accept } });
  const html = (await (await get("/images")).text()).replaceAll("&amp;", "&");
  const sets = [...html.matchAll(/<img[^>]* srcSet="([^"]+)"/gi)].map(([, set]) => set.split(", ").map((entry) => entry.split(" ")[0]));
  assert.equal(sets.length, 2);
  assert.deepEqual(sets[0], ["/img/640/auto/wide.jpg", "/img/828/auto/wide.jpg"]);
  for (const address of sets[1]) assert.match(address, /^\/img\/\d+\/auto\/_next\/static\/media\/imported\.[\w.~-]+\.jpg\?quality=50$/);

  const cases = [
    [sets[0][0], "image/webp", wide, { to: "webp", resize: { maxWidth: 640 } }],
    [sets[0][0], "*/*", wide, { resize: { maxWidth: 640 } }],
    [sets[1][0], "image/webp", imported, { to: "webp", quality: 50, resize: { maxWidth: Number(sets[1][0].split("/")[2]) } }],
  ];
  for (const [address, accept, original, options] of cases) {
    const response = await get(address, accept);
    const expected = await compress(original, { effort: 3, ...options });
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, expected.type], address);
    assert.equal(sha256(Buffer.from(await response.arrayBuffer())), sha256(await expected.bytes()), address);
  }
  const refused = { "/img/641/auto/wide.jpg": 403, "/img/640/auto/wide.jpg?quality=51": 403, "/img/640/auto/gone.jpg": 404, "/img/640/auto/..%2Fpackage.json": 400, "/img/640/auto/words.jpg": 415 };
  for (const [path, status] of Object.entries(refused)) assert.equal((await get(path)).status, status, path);

  const { page, complaints } = await openPage(browser, `${url}/images`, {}, (page) => page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 })));
  await page.locator("img").last().scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.images.length === 2 && [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
  assert.deepEqual(complaints, []);
  await page.close();
}

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
  await checkImages(server.url);
});

test("next dev", async (context) => {
  const server = await project.serve("dev", "--port", "0");
  context.after(server.close);
  await checkImages(server.url);
});
