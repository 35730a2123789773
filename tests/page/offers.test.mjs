// Formats that are offered on the cards (www/offers/), and the options of the codec in the comparison.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { drawing } from "./support/drawing.mjs";
import { decoded, photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit({ idle: true });
const { page, complaints, card, settled, add, download, compare, closeComparison } = visitor;
after(() => visitor.close());

const offers = (name) => card(name).locator(".card-offers button");
/** The formats on a card with their sizes, once all of them are there. */
async function offered(name) {
  await page.waitForFunction((name) => {
    const card = [...document.querySelectorAll(".card")].find((card) => card.querySelector(".card-name").title === name);
    const buttons = [...card.querySelectorAll(".card-offers button")];
    return buttons.length > 0 && buttons.every(({ textContent }) => /\d (?:bytes|[kM]B)/.test(textContent));
  }, name);
  return offers(name).allTextContents();
}
const parsed = (words) => {
  const [, format, about, figure, unit, saving] = words.match(/^(.*?) (≈ )?([\d.]+) (bytes|kB|MB)(?: \(−(\d+)\s%\))?$/);
  return { format, exact: about === undefined, bytes: figure * { bytes: 1, kB: 1e3, MB: 1e6 }[unit], saving: saving && Number(saving) };
};
const size = () => page.textContent("#compare-size");
const done = (from) => page.waitForFunction((from) => document.getElementById("compare-size").textContent !== from && /\(/.test(document.getElementById("compare-size").textContent), from);
const fact = async (name) => {
  const rows = await page.locator("#facts-after div").evaluateAll((divs) => divs.map((div) => [...div.children].map(({ textContent }) => textContent)));
  return Object.fromEntries(rows)[name];
};

test("a card offers each format with its size, and one click takes it", async () => {
  await add([await drawing("drawing.png")]);
  await settled();
  const found = (await offered("drawing.png")).map(parsed);
  assert.deepEqual(found.map(({ format }) => format), ["WebP", "AVIF", "PNG, 256 colors"], "it has transparent pixels");
  assert.ok(found.every(({ exact }) => exact));
  const smallest = found.toSorted((one, other) => one.bytes - other.bytes)[0];
  assert.ok(smallest.saving >= 20);
  assert.equal(found.filter(({ saving }) => saving !== undefined).length, 1, "only the smallest says how much it saves");
  assert.equal(await offers("drawing.png").and(page.locator('[aria-pressed="true"]')).count(), 0, "the lossless result is none of them");
  for (const [index, extension] of ["webp", "avif", "png"].entries()) {
    await offers("drawing.png").nth(index).click();
    await page.waitForFunction((index) => document.querySelectorAll(".card-offers button")[index].ariaPressed === "true", index);
    await settled();
    const { name, bytes } = await download(card("drawing.png").locator(".save"));
    assert.equal(name, `drawing.${extension}`);
    assert.equal((await decoded(bytes)).format, extension);
    assert.ok(Math.abs(bytes.length / found[index].bytes - 1) < 0.01, `${bytes.length} bytes, and ${found[index].bytes} were offered`);
  }
});

test("the sizes of a large picture are estimated, and become exact where that takes little", async () => {
  await page.click("#clear");
  await page.evaluate(() => {
    globalThis.labels = [];
    const note = () => labels.push(...[...document.querySelectorAll(".card-offers button")].map(({ textContent }) => textContent));
    new MutationObserver(note).observe(document.getElementById("cards"), { childList: true, subtree: true });
  });
  await add([await photoFile("photo.jpg", { width: 1800, height: 1200 })]);
  await settled();
  await page.waitForFunction(() => [...document.querySelectorAll(".card-offers button")].filter(({ textContent }) => /\w \d/.test(textContent)).length === 3);
  const last = (await offered("photo.jpg")).map(parsed);
  assert.deepEqual(last.map(({ format, exact }) => [format, exact]), [["JPEG", true], ["WebP", true], ["AVIF", false], ["PNG, 256 colors", true]]);
  const labels = await page.evaluate(() => labels);
  for (const { format, bytes } of last.filter(({ exact, format }) => exact && format !== "JPEG")) {
    const estimated = parsed(labels.find((words) => words.startsWith(`${format} ≈`)));
    assert.ok(estimated.bytes > bytes / 1.5 && estimated.bytes < bytes * 1.5, `${format}: ${estimated.bytes} for ${bytes}`);
  }
  // The result that is there needs no estimate.
  assert.equal(labels.some((words) => words.startsWith("JPEG ≈")), false);
  assert.equal(await offers("photo.jpg").first().getAttribute("aria-pressed"), "true");
});

test("what the comparison measured is on the card when it is closed", async () => {
  await compare("photo.jpg");
  const avif = page.locator("#compare-offers button", { hasText: "AVIF" });
  await page.waitForFunction(() => [...document.querySelectorAll("#compare-offers button")].every(({ textContent }) => /\w \d/.test(textContent)));
  const measured = parsed(await avif.textContent());
  assert.ok(measured.exact);
  await closeComparison();
  await page.waitForFunction(() => !document.querySelector(".card-offers").textContent.includes("≈"));
  assert.equal(parsed((await offered("photo.jpg"))[2]).bytes, measured.bytes);
});

test("no size is computed while a file is worked on", async () => {
  await page.click("#clear");
  await visitor.hold();
  await add([await drawing("first.png"), await photoFile("second.jpg")]);
  await visitor.state("second.jpg", "working");
  // Longer than the pause before sizes are computed.
  await page.waitForTimeout(3000);
  assert.equal(await page.locator(".card-offers button").count(), 0);
  await visitor.release();
  await offered("first.png");
  await offered("second.jpg");
});

test("a visitor who asked for a size or for automatic quality is offered none, and one with another quality gets other sizes", async () => {
  const before = await offered("second.jpg");
  await page.click('label[for="aim-size"]');
  await page.fill('input[name="kilobytes"]', "90");
  await settled();
  // Long enough for an offer to be computed, if there were one.
  await page.waitForTimeout(3000);
  assert.equal(await page.locator(".card-offers button").count(), 0);
  await page.click('label[for="aim-manual"]');
  await page.fill("#quality", "30");
  await settled();
  const after = await offered("second.jpg");
  assert.ok(parsed(after[0]).bytes < parsed(before[0]).bytes);
  await page.click('label[for="aim-default"]');
  await settled();
  assert.deepEqual(await offered("second.jpg"), before);
});

test("nothing is recommended that is larger than the result", async () => {
  const recommended = () => page.locator(".card-offers [data-smallest]").count();
  await page.click("#clear");
  await add([await photoFile("photo.jpg")]);
  await settled();
  await offered("photo.jpg");
  assert.equal(await recommended(), 1);
  await compare("photo.jpg");
  await page.waitForFunction(() => /\(/.test(document.getElementById("compare-size").textContent));
  const before = await size();
  await page.locator("#compare-quality").fill("1");
  await done(before);
  await visitor.closeComparison();
  await offered("photo.jpg");
  assert.equal(await recommended(), 0);
});

test("the smallest is marked, and taken by its key, only when all sizes are known", async () => {
  await page.click("#clear");
  await page.evaluate(() => {
    globalThis.early = [];
    const note = () => {
      const buttons = [...document.querySelectorAll("#compare-offers button")];
      if (buttons.some(({ textContent }) => textContent.endsWith("…"))) early.push(buttons.filter(({ dataset }) => "smallest" in dataset).length);
    };
    const every = { attributes: true, childList: true, subtree: true };
    new MutationObserver(note).observe(document.getElementById("compare-offers"), every);
  });
  await visitor.hold();
  await add([await photoFile("other photo.jpg", { seed: 9 })]);
  await visitor.state("other photo.jpg", "working");
  await visitor.release();
  await settled();
  await compare("other photo.jpg");
  await page.locator("#compare-offers button").first().waitFor();
  await page.locator("#compare-close").focus();
  await page.keyboard.press("b");
  assert.equal(await page.textContent("#compare-note"), "The smallest is taken as soon as all sizes are known.");
  await page.waitForFunction(() => document.querySelector('#compare-offers [aria-pressed="true"]')?.hasAttribute("data-smallest"));
  const taken = await page.textContent("#compare-offers [data-smallest]");
  await page.waitForFunction((taken) => taken.includes(document.getElementById("compare-size").textContent), taken);
  const early = await page.evaluate(() => early);
  assert.ok(early.length > 0 && early.every((marked) => marked === 0), `${early}`);
  await page.waitForFunction(() => document.getElementById("compare-note").textContent === "");
  await visitor.closeComparison();
});

test("what a visitor chooses after the key for the smallest stays", async () => {
  await page.click("#clear");
  await add([await photoFile("late photo.jpg", { seed: 10, width: 1500, height: 1000 })]);
  await settled();
  await compare("late photo.jpg");
  await page.locator("#compare-offers button").first().waitFor();
  await page.locator("#compare-close").focus();
  await page.keyboard.press("b");
  await page.selectOption("#compare-to", "image/png");
  await page.waitForFunction(() => document.getElementById("compare-save").download === "late photo.png");
  await page.waitForFunction(() => document.querySelector("#compare-offers [data-smallest]"));
  assert.equal(await page.inputValue("#compare-to"), "image/png");
  await visitor.closeComparison();
});

test("the sizes in the comparison are those of the settings", async () => {
  await compare("late photo.jpg");
  await page.selectOption("#compare-to", "image/jpeg");
  const known = () => page.waitForFunction(() => {
    const buttons = [...document.querySelectorAll("#compare-offers button")];
    return buttons[0]?.ariaPressed === "true" && buttons.every(({ textContent }) => textContent.includes("(")) && buttons.map(({ textContent }) => textContent);
  });
  const before = await (await known()).jsonValue();
  await page.evaluate(() => (document.getElementById("compare-fold").open = true));
  await page.selectOption("#compare-chroma", "444");
  await page.waitForFunction((before) => !document.getElementById("compare-offers").textContent.includes(before), before[0]);
  const after = await (await known()).jsonValue();
  assert.ok(after[0].includes(await size()), `${after[0]}, and it is ${await size()}`);
  assert.deepEqual([after[0] === before[0], after[1] === before[1], after[2] === before[2]], [false, true, false], "WebP has no such setting");
  await visitor.closeComparison();
});

test("a PNG in the comparison gets a palette and loses it again, and its colors are counted", async () => {
  await page.click("#clear");
  await add([await drawing("drawing.png")]);
  await settled();
  await compare("drawing.png");
  await page.locator("#layer-after img").waitFor();
  await page.waitForFunction(() => /\(/.test(document.getElementById("compare-size").textContent));
  assert.ok(await page.isChecked("#compare-lossless"));
  assert.equal(await fact("Colors"), undefined);
  const before = await size();
  await page.uncheck("#compare-lossless");
  await done(before);
  await page.waitForFunction(() => document.getElementById("facts-after").textContent.includes("Colors256"));
  const withPalette = await size();
  await page.locator("#compare-quality").fill("20");
  await done(withPalette);
  await page.waitForFunction(() => /Colors\d{2}\D/.test(document.getElementById("facts-after").textContent));
  const { bytes } = await download(page.locator("#compare-save"));
  assert.equal(String(bytes.readUInt32BE(bytes.indexOf("PLTE") - 4) / 3), await fact("Colors"));
  await page.check("#compare-lossless");
  await page.waitForFunction((words) => document.getElementById("compare-size").textContent === words, before);
  await page.waitForFunction(() => !document.getElementById("facts-after").textContent.includes("Colors"));
});

test("effort is changed in the comparison, and goes to all files with the other settings", async () => {
  await page.selectOption("#compare-to", "image/webp");
  await page.waitForFunction(() => document.getElementById("compare-save").download === "drawing.webp");
  assert.equal(await page.inputValue("#compare-effort"), "4");
  // What was chosen for the file holds for its other formats.
  assert.ok(await page.isChecked("#compare-lossless"));
  const first = await size();
  await page.uncheck("#compare-lossless");
  await done(first);
  const lossy = await size();
  await page.check("#compare-lossless");
  await done(lossy);
  const before = await page.getAttribute("#compare-save", "href");
  await page.locator("#compare-effort").fill("0");
  await page.waitForFunction((url) => document.getElementById("compare-save").getAttribute("href") !== url, before);
  await page.click("#compare-all");
  await closeComparison();
  assert.equal(await page.inputValue("#effort"), "0");
  assert.ok(await page.isChecked("#lossless"));
  assert.equal(await page.inputValue("#image-to"), "image/webp");
  assert.equal(await card("drawing.png").locator(".card-to").inputValue(), "");
});

test("a format without these options shows none of them", async () => {
  await compare("drawing.png");
  await page.selectOption("#compare-to", "image/bmp");
  await page.waitForFunction(() => document.getElementById("compare-save").download === "drawing.bmp");
  assert.equal(await page.locator("#compare-options").isVisible(), false);
  await closeComparison();
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
