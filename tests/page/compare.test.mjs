// The comparison: a divider and a shared zoom for both pictures, by mouse and keyboard.
import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import { sample } from "../package/support/samples.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, card, settled, compare, closeComparison, add } = visitor;
after(() => visitor.close());

before(async () => {
  const tiff = Buffer.from(await sample("deflated.tiff", [320, 200]));
  await add([
    await photoFile("wide.jpg", { width: 1800, height: 1000 }),
    { name: "plain.tiff", mimeType: "image/tiff", buffer: tiff },
  ]);
  await settled();
});

const open = async (name) => {
  await compare(name);
  await page.waitForFunction(
    () => [...document.querySelectorAll(".layer img")].filter(({ naturalWidth }) => naturalWidth > 0).length === 2,
  );
};
const divider = page.locator("#divider");
const share = async () => Number(await divider.getAttribute("aria-valuenow"));
const places = () =>
  page.locator(".layer img").evaluateAll((images) => images.map((image) => JSON.stringify(image.getBoundingClientRect())));
const percent = async () => Number.parseInt(await page.textContent("#zoom-value"), 10);

test("a comparison shows what was there when it was asked for, though the file begins anew before it opens", async () => {
  let load;
  await page.route("**/compare/comparison.js", async (route) => {
    await new Promise((resolve) => (load = resolve));
    await route.continue();
  });
  await Promise.all([page.waitForRequest("**/compare/comparison.js"), card("wide.jpg").locator(".compare").click()]);
  await visitor.hold();
  await page.selectOption("#image-to", "image/avif");
  await visitor.state("wide.jpg", "working");
  load();
  await page.waitForFunction(() => document.getElementById("facts-after").textContent.includes("JPEG"));
  await closeComparison();
  await page.selectOption("#image-to", "");
  await visitor.release();
  await settled();
  await page.unroute("**/compare/comparison.js");
});

test("both pictures lie upon each other, cut where the divider is", async () => {
  await open("wide.jpg");
  const [first, second] = await places();
  assert.equal(first, second);
  assert.equal(await share(), 50);
  const clips = await page.locator(".layer").evaluateAll((layers) => layers.map((layer) => getComputedStyle(layer).clipPath));
  assert.match(clips[0], /^inset\(0px .*50%.* 0px 0px\)$/);
  assert.equal(clips[1], "inset(0px 0px 0px 50%)");
});

test("the divider is moved by keys, and told", async () => {
  await divider.focus();
  for (const [key, value] of [
    ["ArrowLeft", 48],
    ["PageUp", 58],
    ["Home", 0],
    ["ArrowDown", 0],
    ["End", 100],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await share(), value, key);
  }
  assert.equal(await divider.getAttribute("aria-valuetext"), "100 % before, 0 % after");
});

test("the divider is dragged", async () => {
  await page.keyboard.press("Home");
  const table = await page.locator("#overlay").boundingBox();
  await page.mouse.move(table.x + 4, table.y + 40);
  await page.mouse.down();
  await page.mouse.move(table.x + table.width / 4, table.y + 60, { steps: 4 });
  await page.mouse.up();
  assert.equal(await share(), 25);
});

test("both are magnified and moved as one, by wheel, mouse and keys", async () => {
  const fitted = await percent();
  const table = await page.locator("#overlay").boundingBox();
  await page.mouse.move(table.x + table.width / 2, table.y + table.height / 2);
  await page.mouse.wheel(0, -600);
  await page.waitForFunction(
    (before) => Number.parseInt(document.getElementById("zoom-value").textContent, 10) > before * 2,
    fitted,
  );
  const before = await places();
  await page.mouse.down();
  await page.mouse.move(table.x + table.width / 2 + 80, table.y + table.height / 2 + 30, { steps: 3 });
  await page.mouse.up();
  await page.locator("#overlay").focus();
  await page.keyboard.press("ArrowRight");
  const after = await places();
  assert.equal(after[0], after[1]);
  assert.notEqual(after[0], before[0]);
  await page.keyboard.press("1");
  assert.equal(await percent(), 100);
  await page.keyboard.press("+");
  assert.equal(await percent(), 150);
  await page.keyboard.press("0");
  assert.equal(await percent(), fitted);
});

test("two fingers magnify", async () => {
  const { x, y, width, height } = await page.locator("#overlay").boundingBox();
  const fitted = await percent();
  await page.locator("#overlay").evaluate(
    (table, [left, top]) => {
      table.setPointerCapture = () => {};
      const touch = (type, pointerId, clientX) =>
        table.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY: top, bubbles: true, pointerType: "touch" }));
      touch("pointerdown", 11, left - 50);
      touch("pointerdown", 12, left + 50);
      touch("pointermove", 11, left - 150);
      touch("pointermove", 12, left + 150);
      touch("pointerup", 11, left - 150);
      touch("pointerup", 12, left + 150);
    },
    [x + width / 2, y + height / 2],
  );
  assert.ok(Math.abs((await percent()) / fitted - 3) < 0.1);
});

test("sizes and types stand under it, by the names that the cards have", async () => {
  const facts = await page.textContent("#facts-after");
  for (const words of ["FormatJPEG", "1800 × 1000", "Quality80", "SSIMULACRA2"]) assert.ok(facts.includes(words), words);
  assert.match(await page.textContent("#facts-before"), /FormatJPEG/);
});

test("a type that no browser shows is compared all the same, and Escape leads back to its card", async () => {
  await closeComparison();
  await open("plain.tiff");
  const sizes = await page
    .locator(".layer img")
    .evaluateAll((images) => images.map(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight]));
  assert.deepEqual(sizes, [
    [320, 200],
    [320, 200],
  ]);
  await closeComparison();
  assert.ok(
    await card("plain.tiff")
      .locator(".compare")
      .evaluate((button) => button === document.activeElement),
  );
  await page.waitForFunction(() => document.querySelector(".layer img") === null);
});

test("a click moves the divider, holding shows the original, and a new file begins in the middle", async () => {
  await open("wide.jpg");
  const { x, y, width, height } = await page.locator("#overlay").boundingBox();
  await page.mouse.click(x + width / 4, y + height / 2);
  assert.equal(await share(), 25);
  const split = () => page.locator("#overlay").evaluate((frame) => frame.style.getPropertyValue("--split"));
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.waitForFunction(() => document.getElementById("overlay").style.getPropertyValue("--split") === "100%");
  await page.mouse.up();
  assert.equal(await split(), "25%");
  assert.equal(await share(), 25);
  await page.click("#file-next");
  assert.equal(await share(), 50);
  assert.equal(await page.textContent("#compare-name"), "plain.tiff");
  assert.equal(await page.textContent("#file-position"), "2 of 2");
});

test("arrow keys turn to the next file and back, except at the divider and in fields", async () => {
  const name = () => page.textContent("#compare-name");
  await page.locator("#compare-close").focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await name(), "wide.jpg");
  await divider.focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await name(), "wide.jpg");
  await page.locator("#compare-quality").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await name(), "wide.jpg");
});

test("quality and format are changed where they are compared, and the old result stays until the new one is there", async () => {
  const size = () => page.textContent("#compare-size");
  const after = page.locator("#layer-after img");
  await page.waitForFunction(() => /\(/.test(document.getElementById("compare-size").textContent));
  const [before, shown] = [await size(), await after.getAttribute("src")];
  await visitor.hold();
  await page.locator("#compare-quality").fill("20");
  await page.waitForFunction(() => document.getElementById("compare-size").textContent === "Working…");
  assert.equal(await after.getAttribute("src"), shown);
  await visitor.release();
  await page.waitForFunction((src) => document.querySelector("#layer-after img").getAttribute("src") !== src, shown);
  assert.ok(Number.parseFloat(await size()) < Number.parseFloat(before));
  assert.match(await page.textContent("#facts-after"), /Quality20/);
  await page.selectOption("#compare-to", "image/webp");
  await page.waitForFunction(() => document.getElementById("compare-save").download === "wide.webp");
  assert.match(await page.textContent("#facts-after"), /FormatWebP.*Quality20/);
  const saved = await visitor.download(page.locator("#compare-save"));
  assert.equal(saved.name, "wide.webp");
  assert.equal(saved.bytes.toString("latin1", 8, 12), "WEBP");
});

test("a size is given there too, and used for all files on demand", async () => {
  await page.fill("#compare-kilobytes", "12");
  await page.waitForFunction(() => Number.parseFloat(document.getElementById("compare-size").textContent) <= 12);
  await page.click("#compare-all");
  await closeComparison();
  assert.equal(await page.inputValue("#image-to"), "image/webp");
  assert.ok(await page.isChecked("#aim-size"));
  assert.equal(await page.inputValue('input[name="kilobytes"]'), "12");
  await page.waitForFunction(() => [...document.querySelectorAll(".save")].every(({ download }) => download.endsWith(".webp")));
  await settled();
  assert.equal(await card("wide.jpg").locator(".card-to").inputValue(), "");
});

test("what was typed just before is used for all files as well", async () => {
  await open("wide.jpg");
  await page.evaluate(() => {
    const field = document.getElementById("compare-kilobytes");
    field.value = "11";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    document.getElementById("compare-all").click();
  });
  await closeComparison();
  assert.equal(await page.inputValue('input[name="kilobytes"]'), "11");
  await page.waitForFunction(() => [...document.querySelectorAll(".card-sizes")].every(({ textContent }) => Number.parseFloat(textContent.split("→ ")[1]) <= 11));
  await settled();
});

test("what goes wrong there is said there, with what is shown meanwhile, and the last result can be saved", async () => {
  const paths = Array.from({ length: 200 }, (_, index) => `<path d="M${index} ${(index * 37) % 101}l${(index * 7) % 13} 5"/>`);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="101" stroke="red">${paths.join("")}</svg>`;
  await add([{ name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from(drawing) }]);
  await visitor.state("drawing.svg", "done");
  await open("drawing.svg");
  await page.selectOption("#compare-to", "image/svg+xml");
  await page.waitForFunction(() => document.getElementById("compare-save").download === "drawing.svg");
  await page.fill("#compare-kilobytes", "1");
  await visitor.state("drawing.svg", "failed");
  assert.match(await page.textContent(".compare-result"), /^\s*The smallest size that was reached is .* You see the previous result\.$/);
  await closeComparison();
  assert.equal((await visitor.download(card("drawing.svg").locator(".save"))).name, "drawing.svg");
  await card("drawing.svg").locator(".remove").click();
});

test("formats are offered with their exact sizes, and one click takes one at no further cost", async () => {
  await open("wide.jpg");
  const offers = page.locator("#compare-offers button");
  await page.waitForFunction(() => {
    const texts = [...document.querySelectorAll("#compare-offers button")].map(({ textContent }) => textContent);
    return texts.length === 4 && texts.every((words) => words.includes("("));
  });
  const sizes = (await offers.allTextContents()).map((words) => words.match(/^(.*?) ([\d.]+ \w+) \(/).slice(1));
  assert.deepEqual(sizes.map(([name]) => name), ["JPEG", "WebP", "AVIF", "PNG, 256 colors"]);
  assert.equal(await page.locator("#compare-offers [data-smallest]").count(), 1);
  await offers.nth(2).click();
  await page.waitForFunction(() => document.getElementById("compare-save").download === "wide.avif");
  assert.ok((await page.textContent("#compare-size")).startsWith(sizes[2][1]));
  await offers.nth(3).click();
  await page.waitForFunction(() => document.getElementById("compare-save").download === "wide.png");
  assert.equal(await page.textContent("#compare-losses"), "At most 256 colors");
  await closeComparison();
});

test("Back closes the comparison, and the page stays", async () => {
  await open("wide.jpg");
  await page.goBack();
  await page.waitForFunction(() => !document.getElementById("compare").open);
  assert.equal(await page.locator(".card").count(), 2);
  await open("wide.jpg");
  await closeComparison();
  await page.waitForFunction(() => !history.state?.comparison);
});

test("pictures that are ready only when the comparison is closed are not kept in it", async () => {
  await open("wide.jpg");
  await closeComparison();
  await page.evaluate(() => {
    const { decode } = HTMLImageElement.prototype;
    globalThis.decoding = 0;
    const held = new Promise((resolve) => (globalThis.letDecode = resolve));
    HTMLImageElement.prototype.decode = async function () {
      globalThis.decoding++;
      await decode.call(this);
      await held;
    };
    globalThis.restore = () => (HTMLImageElement.prototype.decode = decode);
  });
  await visitor.compare("wide.jpg");
  // That both can be displayed is known since they were open before.
  await page.waitForFunction(() => globalThis.decoding === 2);
  await closeComparison();
  const kept = await page.evaluate(async () => {
    globalThis.restore();
    globalThis.letDecode();
    await new Promise((resolve) => setTimeout(resolve));
    return document.querySelectorAll(".layer img").length;
  });
  assert.equal(kept, 0);
});

test("settings that were used for all files outlast the comparison, whatever the address was before", async () => {
  await page.selectOption("#image-to", "image/webp");
  await page.waitForFunction(() => location.hash.includes("image%2Fwebp"));
  await settled();
  await open("wide.jpg");
  await page.selectOption("#compare-to", "image/tiff");
  await page.waitForFunction(() => document.getElementById("compare-save").download === "wide.tiff");
  await page.click("#compare-all");
  await page.waitForFunction(() => location.hash.includes("image%2Ftiff"));
  // The browser tells of the other address after it has told of going back.
  await page.evaluate(() => void (globalThis.told = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }))));
  await page.goBack();
  await page.evaluate(() => globalThis.told);
  assert.equal(await page.inputValue("#image-to"), "image/tiff");
  assert.ok(await page.evaluate(() => location.hash.includes("image%2Ftiff")));
  // A link still brings settings.
  await page.evaluate(() => (location.hash = "imageTo=image%2Fwebp"));
  await page.waitForFunction(() => document.getElementById("image-to").value === "image/webp");
  await settled();
});

test("the slider is where the quality is that Auto found", async () => {
  await page.selectOption("#image-to", "image/jpeg");
  await page.click('label[for="aim-auto"]');
  await add([await photoFile("found.jpg", { width: 300, height: 200 })]);
  await settled();
  await open("found.jpg");
  const [, found] = (await page.textContent("#facts-after")).match(/Quality(\d+)/);
  assert.equal(await page.inputValue("#compare-quality"), found);
  await closeComparison();
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
