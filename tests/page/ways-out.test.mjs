// Nothing on the page leads to where a visitor cannot get on: filters that hide all, buttons that vanish under the focus, keys that are held.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, context, complaints, card, state, settled, hold, release, add, compare, closeComparison } = visitor;
after(() => visitor.close());
const [photo, other] = await Promise.all([photoFile("photo.jpg"), photoFile("other.jpg", { seed: 2 })]);
const broken = { ...photo, name: "broken.jpg", buffer: photo.buffer.subarray(0, 900) };
const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.localName);

test("a filter can be changed as long as it hides files, and ends with the last file", async () => {
  await add([photo, broken]);
  await settled();
  await page.selectOption("#filter", "failed");
  await page.click("#remove-failed");
  assert.equal(await page.locator(".card").count(), 0);
  assert.ok(await page.locator("#filter").isVisible());
  await page.selectOption("#filter", "");
  assert.equal(await page.locator(".card").count(), 1);
  await page.selectOption("#filter", "failed");
  await page.click("#clear");
  await add([photo]);
  await state("photo.jpg", "done");
  assert.equal(await page.inputValue("#filter"), "");
});

test("the focus stays near a button that goes", async () => {
  await add([other]);
  await state("other.jpg", "done");
  await hold();
  await page.selectOption("#image-to", "image/webp");
  for (const name of ["photo.jpg", "other.jpg"]) await state(name, "working");
  await page.locator("#cancel-all").press("Enter");
  for (const name of ["photo.jpg", "other.jpg"]) await state(name, "canceled");
  await page.waitForFunction(() => document.activeElement.id === "retry-failed");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("retry-failed").hidden);
  assert.notEqual(await focused(), "body");
  await release();
  await settled();
  await page.locator("#preset-reset").press("Enter");
  assert.equal(await focused(), "preset-keep");
  await settled();
  await card("other.jpg").locator(".remove").press("Enter");
  await page.locator("#undo-close").press("Enter");
  assert.match(await focused(), /\bremove\b/);
});

test("what is being saved is not saved once more, by clicks or by a key that is held, and keeps the focus", async () => {
  await page.evaluate(() => {
    globalThis.asked = 0;
    globalThis.showDirectoryPicker = () => (globalThis.asked++, new Promise((resolve, reject) => (globalThis.refuse = () => reject(new DOMException("", "AbortError")))));
  });
  await add([other]);
  await state("other.jpg", "done");
  await page.locator("#save-folder").press("Enter");
  assert.equal(await page.getAttribute("#zip", "aria-disabled"), "true");
  // Renders the summary anew.
  await add([{ ...other, name: "third.jpg" }]);
  await state("third.jpg", "done");
  await page.locator("#save-folder").press("Enter");
  assert.deepEqual(await page.evaluate(() => [globalThis.asked, document.activeElement.id]), [1, "save-folder"]);
  await page.evaluate(() => globalThis.refuse());
  await page.waitForFunction(() => document.getElementById("zip").ariaDisabled === "false");
  const repeated = await page.evaluate(() => {
    document.activeElement.blur();
    let clicks = 0;
    document.getElementById("zip").addEventListener("click", () => clicks++);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "s", repeat: true, bubbles: true }));
    return clicks;
  });
  assert.equal(repeated, 0);
});

test("keys of a single character can be turned off, which lasts", async () => {
  await page.keyboard.press("?");
  await page.locator("#letters").uncheck();
  await page.keyboard.press("Escape");
  const opened = () => page.locator("dialog[open]").count();
  await page.keyboard.press("?");
  assert.equal(await opened(), 0);
  await compare("photo.jpg");
  await page.keyboard.press("f");
  assert.notEqual(await focused(), "compare-to");
  await closeComparison();
  const later = await context.newPage();
  await later.goto(visitor.site.url);
  await later.locator("#show-keys").click();
  assert.equal(await later.isChecked("#letters"), false);
  await later.locator("#letters").check();
  await later.keyboard.press("Escape");
  await later.keyboard.press("?");
  assert.ok(await later.locator("#keys").isVisible());
  await later.close();
});

test("of many files the progress is said in tenths", async (t) => {
  const many = await visit({ origin: visitor.site });
  t.after(many.close);
  // Without the pause between two messages, each can be heard.
  await many.page.evaluate(() => {
    const { setTimeout: wait } = globalThis;
    globalThis.setTimeout = (work, ms, ...given) => wait(work, ms === 3000 ? 0 : ms, ...given);
    globalThis.said = [];
    const status = document.getElementById("status");
    new MutationObserver(() => said.push(status.textContent)).observe(status, { childList: true });
  });
  await many.add(Array.from({ length: 60 }, (_, index) => ({ ...photo, name: `${index}.jpg` })));
  await many.page.waitForFunction(() => said.some((words) => words.startsWith("60 files finished")));
  const said = await many.page.evaluate(() => said);
  assert.ok(said.length >= 2 && said.length <= 12, said.join("\n"));
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
