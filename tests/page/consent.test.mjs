// Consent before a file leaves the device: asked once per server address, refused or given, and what is stored of it.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import * as films from "./support/films.mjs";
import { hugePng } from "./support/huge.mjs";
import { visitServed } from "./support/served.mjs";
import { photoFile } from "./support/visitor.mjs";

const visitor = await visitServed();
const { page, site, complaints, card, state, text, download, add, host, uploads } = visitor;
const address = visitor.service.url;
after(() => visitor.close());
const [film, sound] = await Promise.all([films.film(), films.sound()]);

test("the address comes with the fragment, which then is gone", async () => {
  assert.equal(page.url(), site.url);
  assert.match(await page.textContent("#pledge"), new RegExp(host));
});

test("before a video leaves the device the page asks, and takes no for an answer", async () => {
  await add([film, await photoFile("photo.jpg")]);
  await page.locator("dialog#consent").waitFor();
  assert.match(await page.textContent("#consent-title"), new RegExp(`Send 1 file to ${host}`));
  await page.locator('dialog#consent button[value="no"]').click();
  await state("photo.jpg", "done");
  await state("film.mov", "needs-consent");
  assert.match(await page.textContent("#total-count"), /, 1 not sent yet$/);
  assert.match(await text("film.mov", "status"), /Not sent yet/);
  assert.equal(await uploads(), 0);
});

test("once allowed it is sent, made smaller, and comes back", async () => {
  await card("film.mov").locator(".agree").click();
  await page.locator('dialog#consent button[value="yes"]').click();
  await state("film.mov", "done");
  assert.match(await text("film.mov", "status"), new RegExp(`^By ${host} · `));
  const { name, bytes } = await download(card("film.mov").locator(".save"));
  assert.equal(name, "film.mov");
  assert.ok(bytes.length < film.buffer.length);
  assert.deepEqual((await films.probed(bytes)).kinds.sort(), ["audio", "video"]);
});

test("a picture becomes a PDF where that is asked for, and only that one is sent", async () => {
  const before = await uploads();
  await card("photo.jpg").locator(".card-to").selectOption("application/pdf");
  await page.waitForFunction(() => [...document.querySelectorAll(".save")].some(({ download }) => download === "photo.pdf"));
  const { bytes } = await download(card("photo.jpg").locator(".save"));
  assert.equal(bytes.toString("latin1", 0, 5), "%PDF-");
  assert.ok((await uploads()) > before);
});

test("nothing of it broke the policy or was kept for longer than the tab", async () => {
  assert.deepEqual(await page.evaluate(() => violations), []);
  assert.deepEqual(complaints, []);
  assert.deepEqual(await page.evaluate(() => [localStorage.length, Object.keys(sessionStorage)]), [0, ["filepress.service"]]);
  await page.reload();
  assert.match(await page.textContent("#pledge"), new RegExp(host));
});

test("a link to the same service with another key takes no leave over", async () => {
  const before = await uploads();
  await page.evaluate((address) => void (location.hash = new URLSearchParams({ service: address, key: "another" })), address);
  await add([{ ...sound, name: "other.wav" }]);
  await page.locator("dialog#consent").waitFor();
  await page.keyboard.press("Escape");
  await state("other.wav", "needs-consent");
  assert.equal(await uploads(), before);
});

test("another address is asked about anew, and one that cannot be used is refused in words", async () => {
  await page.click("#pledge");
  await page.click("#privacy-server");
  await page.fill("#service-address", "http://example.com");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /https/.test(document.getElementById("service-error").textContent));
  await page.fill("#service-address", "http://127.0.0.1:9");
  await page.keyboard.press("Enter");
  await add([sound]);
  await page.locator("dialog#consent").waitFor();
  assert.match(await page.textContent("#consent-title"), /127\.0\.0\.1:9/);
  await page.keyboard.press("Escape");
  await state("sound.wav", "needs-consent");
});

test("a picture that is too large for the device waits for leave to go to the server", async () => {
  await add([{ name: "huge.png", mimeType: "image/png", buffer: hugePng() }]);
  await page.locator("dialog#consent").waitFor();
  await page.keyboard.press("Escape");
  await state("huge.png", "needs-consent");
});

test("a server that changes while the page asks is asked for by its own name, and no answer before counts for it", async () => {
  await page.evaluate(() => void (location.hash = new URLSearchParams({ service: "http://127.0.0.1:8" })));
  await add([{ ...sound, name: "asked.wav" }]);
  await page.locator("#consent-title", { hasText: "127.0.0.1:8" }).waitFor();
  // The answer and the change in one moment.
  await page.evaluate(() => {
    document.getElementById("consent-yes").click();
    location.hash = new URLSearchParams({ service: "http://127.0.0.1:9" });
    dispatchEvent(new HashChangeEvent("hashchange"));
  });
  await page.locator("#consent-title", { hasText: "127.0.0.1:9" }).waitFor();
  await page.keyboard.press("Escape");
  await state("asked.wav", "needs-consent");
  assert.equal(await page.evaluate(() => JSON.parse(sessionStorage["filepress.service"]).allowed), false);
});

test("forgetting the server leaves nothing of it", async () => {
  await page.click("#pledge");
  await page.click("#privacy-server");
  await page.click("#service-forget");
  await state("sound.wav", "no-server");
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  assert.equal(await page.textContent("#pledge-words"), "Everything stays on this device");
});

test("what waited for a service is asked for in one question", async () => {
  await add([
    { ...film, name: "second.mov" },
    { ...sound, name: "second.wav" },
  ]);
  for (const name of ["second.mov", "second.wav"]) await state(name, "no-server");
  await page.click("#pledge");
  await page.click("#privacy-server");
  await page.fill("#service-address", "http://127.0.0.1:9");
  await page.keyboard.press("Enter");
  await page.locator("dialog#consent").waitFor();
  assert.match(await page.textContent("#consent-title"), /^Send 2 files to/);
});
