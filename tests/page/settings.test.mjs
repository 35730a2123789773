// The settings of the demo page: each applies to the files that it concerns, and to no others; a link can carry them.
import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { importBuilt } from "../../scripts/built.mjs";
import { sample } from "../package/support/samples.mjs";
import { decoded, photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, card, settled, download, add, compare, closeComparison } = visitor;
after(() => visitor.close());
const { formats } = await importBuilt();

before(async () => {
  const bitmap = Buffer.from(await sample("plain.bmp", [320, 200]));
  await add([
    await photoFile("wide.jpg", { width: 900, height: 600 }),
    await photoFile("small.jpg"),
    { name: "plain.bmp", mimeType: "image/bmp", buffer: bitmap },
  ]);
  await settled();
});

test("the types offered are those that the package names", async () => {
  const offered = (name) =>
    page
      .locator(`select[name="${name}"] option:not([value=""])`)
      .evaluateAll((options) => options.map(({ value, text }) => `${value} ${text}`).sort());
  const known = await formats();
  const named = (matches) =>
    known
      .filter(matches)
      .map(({ type, name }) => `${type} ${name}`)
      .sort();
  assert.deepEqual(
    await offered("imageTo"),
    named(({ type, engine, write }) => engine === "local" && write && type !== "image/svg+xml"),
  );
  for (const kind of ["video", "audio"])
    assert.deepEqual(
      await offered(`${kind}To`),
      named((format) => format.class === kind),
    );
});

/** The names of the files whose work begins while `change` happens. */
async function working(change) {
  await page.evaluate(() => {
    globalThis.started = new Set();
    globalThis.watcher = new MutationObserver((records) => {
      for (const { target } of records)
        if (target.dataset.state === "working") started.add(target.querySelector(".card-name").textContent);
    });
    watcher.observe(document.getElementById("cards"), { subtree: true, attributeFilter: ["data-state"] });
  });
  await change();
  return page.evaluate(() => {
    watcher.disconnect();
    return [...started];
  });
}
/** The names of the files that are made anew by a change of the settings. */
const redone = (change) =>
  working(async () => {
    const earlier = await page.locator("#code").textContent();
    await change();
    await page.waitForFunction((words) => document.getElementById("code").textContent !== words, earlier);
    await settled();
  });
const saved = async (name) => decoded((await download(card(name).locator(".save"))).bytes);

test("a longest side concerns the pictures that are longer", async () => {
  assert.deepEqual(await redone(() => page.fill("#longest", "450")), ["wide.jpg"]);
  assert.deepEqual(await saved("wide.jpg"), { format: "jpeg", width: 450, height: 300, pages: 1 });
});

test("a number that cannot be understood is named at its field, and changes nothing until it can", async () => {
  const longest = page.locator("#longest");
  const initial = await page.locator("#code").textContent();
  for (const [entered, at] of [
    ["0", longest],
    ["-450", longest],
    ["45.5", longest],
    ["20000", longest],
    ["e", longest],
    ["", page.locator('input[name="kilobytes"]')],
    ["0", page.locator('input[name="kilobytes"]')],
  ]) {
    const name = await at.getAttribute("name");
    if (name === "kilobytes") await redone(() => page.click('label[for="aim-size"]'));
    const others = await page.locator("#code").textContent();
    const began = await working(async () => {
      await at.fill("");
      // As by a keyboard, since some of it is no number.
      await at.pressSequentially(entered);
      await page.waitForFunction((id) => document.getElementById(id).textContent !== "", `${name}-error`);
      // With the wait for the error, more than a change of a number rests.
      await sleep(650);
    });
    assert.deepEqual(began, [], `${name}: ${entered}`);
    const words = await page.textContent(`#${name}-error`);
    assert.match(words, /^A whole number from 1 to (16,383, or empty|1,000,000)\. The old value is used until then\.$/);
    assert.equal(await at.getAttribute("aria-invalid"), "true");
    assert.equal(await page.locator("#code").textContent(), others);
    if (name === "longest") await at.fill("450");
    else await at.fill("200");
    assert.equal(await page.textContent(`#${name}-error`), "");
    assert.equal(await at.getAttribute("aria-invalid"), "false");
    await settled();
    await page.click('label[for="aim-default"]');
    await page.waitForFunction((words) => document.getElementById("code").textContent === words, initial);
    await settled();
  }
});

test("while a number is invalid, its old value stays, in the address too, and other settings apply", async () => {
  await page.fill("#longest", "0");
  await redone(() => page.selectOption("#image-to", "image/webp"));
  assert.deepEqual(await saved("wide.jpg"), { format: "webp", width: 450, height: 300, pages: 1 });
  assert.match(await page.textContent("#longest-error"), /^A whole number/);
  assert.equal(new URL(page.url()).hash, "#imageTo=image%2Fwebp&longest=450");
  await page.fill("#longest", "450");
  await redone(() => page.selectOption("#image-to", ""));
});

test("a quality concerns the types that have one, and its code can be read beside it", async () => {
  const before = (await download(card("small.jpg").locator(".save"))).bytes.length;
  await redone(async () => {
    await page.click('label[for="aim-manual"]');
    await page.locator("#quality").fill("30");
  }).then((names) => assert.deepEqual(names.sort(), ["small.jpg", "wide.jpg"]));
  assert.ok((await download(card("small.jpg").locator(".save"))).bytes.length < before);
  assert.match(await page.locator("#code").textContent(), /quality: 30,/);
});

test("a type for all concerns all but the one that has its own", async () => {
  await card("small.jpg").locator(".card-to").selectOption("image/png");
  await settled();
  const names = await redone(() => page.selectOption("#image-to", "image/webp"));
  assert.deepEqual(names.sort(), ["plain.bmp", "wide.jpg"]);
  const formats = [];
  for (const name of ["wide.jpg", "small.jpg", "plain.bmp"]) formats.push((await saved(name)).format);
  assert.deepEqual(formats, ["webp", "png", "webp"]);
});

test("a size in bytes is kept to", async () => {
  await redone(async () => {
    await page.click('label[for="aim-size"]');
    await page.fill('input[name="kilobytes"]', "9");
  });
  assert.ok((await download(card("wide.jpg").locator(".save"))).bytes.length <= 9000);
});

test("quality by its look tells the score that it reached", async () => {
  await redone(() => page.selectOption("#image-to", ""));
  await redone(() => page.click('label[for="aim-auto"]'));
  await compare("wide.jpg");
  const score = page.locator("#facts-after div", { hasText: "SSIMULACRA2" }).locator("dd");
  assert.ok(Number.parseFloat(await score.textContent()) >= 80);
  await closeComparison();
  await redone(() => page.click('label[for="aim-default"]'));
});

test("metadata is kept, or not, as it is said", async () => {
  const { buffer } = await photoFile("placed.jpg");
  const placed = await sharp(buffer)
    .withExif({ IFD0: { Artist: "Ada", Model: "Camera" } })
    .jpeg({ quality: 95 })
    .toBuffer();
  await add([{ name: "placed.jpg", mimeType: "image/jpeg", buffer: placed }]);
  await settled();
  const exif = async () =>
    (await sharp((await download(card("placed.jpg").locator(".save"))).bytes).metadata()).exif?.toString("latin1") ?? "";
  assert.match(await exif(), /Ada/);
  assert.doesNotMatch(await exif(), /Camera/);
  await redone(() => page.click('label[for="metadata-keep"]'));
  assert.match(await exif(), /Camera/);
  await redone(() => page.click('label[for="metadata-strip"]'));
  assert.doesNotMatch(await exif(), /Ada/);
});

/** Follows a link with this fragment, in the tab that shows the page. Resolves when the page knows of it. */
const follow = (hash) =>
  page.evaluate((hash) => {
    const known = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
    location.hash = hash;
    return known.then(() => {});
  }, hash);
const hash = () => new URL(page.url()).hash;

test("a link with settings, followed in a tab that shows the page, replaces the settings", async () => {
  assert.ok(await page.isChecked("#metadata-strip"));
  await redone(async () => {
    // This change does not get as far as the address.
    await page.fill("#longest", "450");
    await follow("#imageTo=image/webp&longest=300&quality=900");
  });
  assert.equal(await page.inputValue("#longest"), "300");
  assert.equal(await page.inputValue("#image-to"), "image/webp");
  assert.ok(!(await page.isChecked("#metadata-strip")));
  assert.equal(hash(), "#imageTo=image%2Fwebp&longest=300");
  assert.deepEqual(await saved("wide.jpg"), { format: "webp", width: 300, height: 200, pages: 1 });
});

test("a link without settings changes none, and one with a key as well has only its settings kept", async () => {
  await follow("#cards");
  assert.equal(await page.inputValue("#longest"), "300");
  await redone(() => follow("#longest=250&key=secret"));
  assert.equal(await page.inputValue("#longest"), "250");
  assert.equal(hash(), "#longest=250");
});

test("values that a setting does not take are left out", async () => {
  const other = await visitor.context.newPage();
  await other.goto(`${visitor.site.url}#imageTo=image/heic&minScore=72&dither=33&quality=900&longest=-5&aim=none&background=red&lossless=true`);
  const values = await other.evaluate(() => Object.fromEntries(new FormData(document.getElementById("settings"))));
  assert.deepEqual(
    ["imageTo", "longest", "aim", "background", "lossless", "minScore", "dither"].map((name) => values[name]),
    ["", "", "default", "#ffffff", "on", "72", "33"],
  );
  await other.close();
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
