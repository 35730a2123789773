// The comparison: a divider and a shared zoom for both pictures, by mouse and keyboard.
import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import { sample } from "../package/support/samples.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, card, settled, add } = visitor;
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
  await card(name).locator(".compare").click();
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
  await page.keyboard.press("Escape");
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
  await page.keyboard.press("Escape");
  await open("plain.tiff");
  const sizes = await page
    .locator(".layer img")
    .evaluateAll((images) => images.map(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight]));
  assert.deepEqual(sizes, [
    [320, 200],
    [320, 200],
  ]);
  await page.keyboard.press("Escape");
  assert.ok(
    await card("plain.tiff")
      .locator(".compare")
      .evaluate((button) => button === document.activeElement),
  );
  await page.waitForFunction(() => document.querySelector(".layer img") === null);
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
