// HDR photos: a card says that the HDR was lost and offers to keep it, where it can be kept; so do the comparison and the settings.
import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { importBuilt } from "../../scripts/built.mjs";
import { withGainMap } from "../package/support/formats/gain-map.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const { inspect } = await importBuilt();
const visitor = await visit();
const { page, complaints, card, text, settled, download, compare, closeComparison, add } = visitor;
after(() => visitor.close());
const plain = await photoFile("plain.jpg");
const map = await sharp(plain.buffer).resize(90, 60).grayscale().jpeg().toBuffer();
const hdr = { ...plain, name: "hdr.jpg", buffer: withGainMap(plain.buffer, map, { xmp: true, iso: true }) };

before(async () => {
  await add([hdr, plain]);
  await settled();
});

const offer = (name) => card(name).locator(".keep-hdr");
const hasGainMap = async () => (await inspect((await download(card("hdr.jpg").locator(".save"))).bytes)).hasGainMap;
/** Resolves when the card of the HDR photo says that the HDR was lost, or no longer does. */
const lost = (is) =>
  page.waitForFunction((is) => {
    const card = document.querySelector(".card");
    return card.dataset.state === "done" && card.querySelector(".card-status").textContent.startsWith("HDR lost") === is;
  }, is);

test("the loss is said, and undone by one click", async () => {
  await lost(true);
  assert.equal(await card("hdr.jpg").locator(".loss").textContent(), "HDR lost");
  assert.equal(await hasGainMap(), false);
  assert.equal(await offer("hdr.jpg").getAttribute("aria-label"), "Keep HDR of hdr.jpg");
  assert.equal(await offer("plain.jpg").isVisible(), false);
  await offer("hdr.jpg").click();
  await lost(false);
  assert.equal(await offer("hdr.jpg").isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.closest(".card")?.querySelector(".card-name").title), "hdr.jpg");
  assert.equal(await hasGainMap(), true);
  assert.doesNotMatch(await text("plain.jpg", "status"), /HDR/);
});

test("a format that has no HDR says so without the offer, and AVIF has it", async () => {
  await card("hdr.jpg").locator(".card-to").selectOption("image/webp");
  await lost(true);
  assert.equal(await offer("hdr.jpg").isVisible(), false);
  await card("hdr.jpg").locator(".card-to").selectOption("image/avif");
  await lost(false);
  assert.equal(await hasGainMap(), true);
  await card("hdr.jpg").locator(".card-to").selectOption("");
  await lost(false);
});

test("the comparison has the same choice, and gives it to all files", async () => {
  await compare("hdr.jpg");
  // Playwright unchecks nothing that is not checked yet.
  await page.locator("#compare-hdr:checked").waitFor();
  await page.locator("#compare-hdr").uncheck();
  await lost(true);
  await page.locator("#compare-hdr").check();
  await lost(false);
  await page.click("#compare-all");
  await closeComparison();
  await page.waitForFunction(() => location.hash.includes("hdr=true"));
  await settled();
  assert.equal(await page.isChecked("#hdr"), true);
  assert.equal(await hasGainMap(), true);
  await compare("plain.jpg");
  assert.equal(await page.locator("#compare-hdr").isVisible(), false);
  await closeComparison();
});

test("without the setting it is lost again", async () => {
  await page.locator("summary", { hasText: "Advanced" }).click();
  await page.locator("#hdr").uncheck();
  await lost(true);
  assert.equal(await hasGainMap(), false);
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
