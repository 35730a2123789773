// HEIC that the browser does not decode: with a server it is sent there, after a question, and becomes what the visitor chooses.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import sharp from "sharp";
import * as films from "./support/films.mjs";
import { agree, visitServed } from "./support/served.mjs";
import { decoded, photoFile, visit } from "./support/visitor.mjs";

const visitor = await visitServed();
const { page, complaints, card, state, text, settled, download, add, compare, closeComparison, host, uploads, service } = visitor;
after(() => visitor.close());
const heic = await films.heic("photo.heic");
const save = card("photo.heic").locator(".save");
const named = (name) => page.waitForFunction((name) => [...document.querySelectorAll(".save")].some(({ download }) => download === name), name);

test("the page asks before it is sent, and it becomes a JPEG", async () => {
  await add([heic, await photoFile("photo.jpg")]);
  await page.locator("dialog#consent").waitFor();
  assert.match(await page.textContent("#consent-title"), new RegExp(`Send 1 file to ${host}`));
  assert.equal(await uploads(), 0);
  await agree(page);
  await state("photo.heic", "done");
  assert.match(await text("photo.heic", "status"), new RegExp(`By ${host} · `));
  assert.equal(await text("photo.heic", "from"), "HEIC");
  const { name, bytes } = await download(save);
  assert.equal(name, "photo.jpg");
  assert.deepEqual(await decoded(bytes), { format: "jpeg", width: 320, height: 208, pages: 1 });
});

test("format and longest side are those of the settings, and its own format goes before", async () => {
  await page.selectOption("#image-to", "image/webp");
  await page.fill("#longest", "160");
  await named("photo.webp");
  await settled();
  assert.deepEqual(await decoded((await download(save)).bytes), { format: "webp", width: 160, height: 104, pages: 1 });
  await card("photo.heic").locator(".card-to").selectOption("image/png");
  await named("photo.png");
  await settled();
  assert.equal((await decoded((await download(save)).bytes)).format, "png");
  assert.deepEqual(await card("photo.heic").locator('.card-to option[value="application/pdf"]').count(), 0);
});

test("it is compared with what the server draws of it, and has no score", async () => {
  await compare("photo.heic");
  await page.locator("#layer-before img").waitFor();
  await page.locator("#layer-after img").waitFor();
  assert.deepEqual(
    await page.evaluate(() => [...document.querySelectorAll("#overlay img")].map(({ naturalWidth }) => naturalWidth)),
    [320, 160],
  );
  assert.doesNotMatch(await page.textContent("#facts-after"), /SSIMULACRA2/);
  await closeComparison();
});

test("with a watermark, which no server adds, it says what to do", async () => {
  await page.locator("#watermark summary").click();
  const red = await sharp({ create: { width: 20, height: 20, channels: 3, background: "#f00" } }).png().toBuffer();
  await page.setInputFiles("#watermark-file", { name: "red.png", mimeType: "image/png", buffer: red });
  await state("photo.heic", "failed");
  assert.match(await text("photo.heic", "status"), /This is HEIC, which this browser can’t read/);
  await page.click("#watermark-remove");
  await state("photo.heic", "done");
});

test("a server that does not read it either says so in words", async (context) => {
  const other = await visit({ origin: visitor.site, hash: `#${new URLSearchParams({ service: service.url, key: service.key })}` });
  context.after(other.close);
  await other.page.route(`${service.url}/v1/tasks`, (route) =>
    route.fulfill({
      status: 422,
      contentType: "application/vnd.api+json",
      headers: { "access-control-allow-origin": new URL(visitor.site.url).origin },
      body: JSON.stringify({
        errors: [{ status: "422", code: "unsupported_pair", title: "Unsupported", detail: "No.", source: { pointer: "/data/attributes/format/input" } }],
      }),
    }),
  );
  await other.add([heic]);
  await agree(other.page);
  await other.state("photo.heic", "failed");
  assert.match(await other.text("photo.heic", "status"), /^This server can’t read the format of this file/);
  assert.ok(await other.card("photo.heic").locator(".again").isHidden());
});

test("a server that is set up later gets what waits for it, and one that is forgotten leaves the advice", async (context) => {
  const other = await visit({ origin: visitor.site });
  context.after(other.close);
  await other.add([heic]);
  await other.state("photo.heic", "failed");
  assert.match(await other.text("photo.heic", "status"), /Try Safari, or export/);
  await other.page.evaluate((hash) => (location.hash = hash), `${new URLSearchParams({ service: service.url, key: service.key })}`);
  await agree(other.page);
  await other.state("photo.heic", "done");
  await other.page.click("#pledge");
  await other.page.click("#privacy-server");
  await other.page.click("#service-forget");
  await other.add([{ ...heic, name: "second.heic" }]);
  await other.state("second.heic", "failed");
  assert.equal(await other.card("photo.heic").locator(".save").isVisible(), true);
  assert.deepEqual(other.complaints, []);
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
