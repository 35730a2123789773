// "Show as code": the sample is generated when it is opened, so that a visit alone does not load the package.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { visit } from "./support/visitor.mjs";

const { page, complaints, close } = await visit();
after(close);

test("the code is that of the settings, before there is a file", async () => {
  const wasm = [];
  page.on("request", (request) => request.url().endsWith(".wasm") && wasm.push(request.url()));
  await page.reload();
  const code = page.locator("#code");
  const written = (expected) => page.waitForFunction((text) => document.getElementById("code").textContent.includes(text), expected);
  assert.deepEqual([await code.textContent(), wasm], ["", []]);
  await code.locator("xpath=ancestor::details/summary").click();
  await written("await compress(file);");
  assert.equal(wasm.length, 1);
  await page.selectOption('select[name="imageTo"]', "image/tiff");
  await written('await convert(file, "image/tiff");');
  await page.click('label[for="aim-manual"]');
  await page.locator("#quality").fill("30");
  await page.selectOption('select[name="imageTo"]', "image/jpeg");
  await written('await convert(file, "image/jpeg", {\n    quality: 30,');
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
