// The pages and the route of docs/plugins.md for `next/image`, in a project with them.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { openPage } from "../../package/support/chromium.mjs";
import { writeExamples } from "./examples.mjs";
import { jpeg } from "./photos.mjs";

const [wide, imported] = [await jpeg(1000, 500), await jpeg(900, 600, 5)];

/** Puts the examples and their images into the project. */
export function writeNextImages(project) {
  writeExamples(project, "next-images");
  project.write("public/wide.jpg", wide);
  project.write("public/words.jpg", "just some words");
  project.write("app/images/imported.jpg", imported);
}

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The page and the route at `url`, whose images are those of Node's `compress`. */
export async function checkNextImages(browser, url, compress) {
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
