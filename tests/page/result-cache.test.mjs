// No work is lost: results that were made before (www/result-cache.js), removals, settings, results that were not downloaded.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { countCalls } from "./support/calls.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, card, state, text, settled, add, download } = visitor;
after(() => visitor.close());
const photos = await Promise.all([1, 2, 3].map((seed) => photoFile(`photo ${seed}.jpg`, { seed, width: 600, height: 400 })));
const names = () => page.locator(".card-name").allTextContents();
const downloads = (extension) =>
  page.waitForFunction((end) => [...document.querySelectorAll(".save")].every(({ download }) => download.endsWith(end)), extension);

const calls = (happens) => countCalls(page, happens);

test("a format that was tried before computes nothing", async () => {
  await add(photos);
  await settled();
  const first = await Promise.all(photos.map(({ name }) => text(name, "sizes")));
  const there = async (format, extension) => {
    await page.selectOption("#image-to", format);
    await downloads(extension);
    await settled();
  };
  assert.ok((await calls(() => there("image/webp", ".webp"))) >= 3);
  assert.equal(await calls(() => there("", ".jpg")), 0);
  assert.deepEqual(await Promise.all(photos.map(({ name }) => text(name, "sizes"))), first);
  assert.equal(await calls(() => there("image/webp", ".webp")), 0);
  await there("", ".jpg");
});

test("a result stays until another takes its place", async () => {
  const [{ name }] = photos;
  const sizes = await text(name, "sizes");
  await visitor.hold();
  await card(name).locator(".card-to").selectOption("image/avif");
  await state(name, "working");
  assert.equal(await text(name, "sizes"), sizes);
  assert.equal(await card(name).locator(".save").getAttribute("download"), name);
  assert.ok(await card(name).locator(".save").isVisible());
  await visitor.release();
  await state(name, "done");
  assert.equal(await card(name).locator(".save").getAttribute("download"), "photo 1.avif");
  await card(name).locator(".card-to").selectOption("");
  await downloads(".jpg");
});

test("a card that was removed comes back where it was, with its result", async () => {
  const before = await names();
  const sizes = await text("photo 2.jpg", "sizes");
  await card("photo 2.jpg").locator(".remove").click();
  assert.equal(await page.textContent("#undo-words"), "photo 2.jpg removed");
  assert.deepEqual(await names(), ["photo 1.jpg", "photo 3.jpg"]);
  assert.equal(await page.textContent("#total-count"), "2 files");
  assert.equal(await calls(() => page.click("#undo-do")), 0);
  assert.deepEqual(await names(), before);
  assert.equal(await text("photo 2.jpg", "sizes"), sizes);
  assert.equal(await page.textContent("#total-count"), "3 files");
  assert.equal(await page.locator("#undo").isVisible(), false);
});

test("all cards that were cleared come back, and what was under way goes on", async () => {
  await visitor.hold();
  await add([await photoFile("large.jpg", { large: true })]);
  await state("large.jpg", "working");
  const before = await names();
  await page.click("#clear");
  assert.equal(await page.locator(".card").count(), 0);
  await visitor.release();
  await page.click("#undo-do");
  assert.deepEqual(await names(), before);
  await settled();
  assert.equal(await page.locator('.card[data-state="done"]').count(), 4);
});

test("an offer to undo that is closed frees the cards", async () => {
  await card("large.jpg").locator(".remove").click();
  await page.click("#undo-close");
  assert.equal(await page.locator("#undo").isVisible(), false);
  assert.equal(await page.locator(".card").count(), 3);
});

test("settings are in the address, and come back with a reload and with a new visit", async () => {
  await page.click('label[for="aim-manual"]');
  await page.fill("#quality", "55");
  await page.fill("#longest", "500");
  await page.waitForFunction(() => location.hash.includes("longest=500"));
  await settled();
  const shared = new URL(page.url()).hash;
  assert.equal(shared, "#aim=manual&quality=55&longest=500");
  for (const address of [visitor.site.url, `${visitor.site.url}${shared}`]) {
    const other = await visitor.context.newPage();
    await other.goto(address);
    assert.equal(await other.inputValue("#longest"), "500");
    assert.equal(await other.textContent("#quality-value"), "55");
    assert.ok(await other.isChecked("#aim-manual"));
    await other.close();
  }
});

test("presets set all of the settings at once, and one's own is kept", async () => {
  const pressed = () => page.locator('[data-preset][aria-pressed="true"]').allTextContents();
  await page.click("#preset-keep");
  assert.deepEqual(await pressed(), ["My preset"]);
  await page.click('[data-preset="web"]');
  assert.deepEqual(await pressed(), ["Web"]);
  assert.equal(await page.inputValue("#longest"), "1920");
  await downloads(".webp");
  await settled();
  await page.click('[data-preset="own"]');
  assert.equal(await page.inputValue("#longest"), "500");
  await page.click("#preset-reset");
  assert.equal(await page.inputValue("#longest"), "");
  assert.deepEqual(await pressed(), []);
  await settled();
  await page.waitForFunction(() => location.hash === "");
});

test("a page with results that were not downloaded asks before it is left, and after a download does not", async () => {
  const asked = [];
  page.on("dialog", async (dialog) => {
    asked.push(dialog.type());
    await dialog.accept();
  });
  await download(page.locator("#zip"));
  await page.locator("#zip:enabled").waitFor();
  await page.reload();
  assert.deepEqual(asked, []);
  await add(photos.slice(0, 1));
  await settled();
  await page.click("#total-words");
  await page.reload();
  assert.deepEqual(asked, ["beforeunload"]);
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
