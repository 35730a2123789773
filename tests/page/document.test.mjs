// PDF through the live service: its pages under the divider.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import * as films from "./support/films.mjs";
import { agree, visitServed } from "./support/served.mjs";

const visitor = await visitServed();
const { page, complaints, card, state, add } = visitor;
after(() => visitor.close());

test("a PDF is compared page by page under the divider", async () => {
  await add([await films.pdf("pages.pdf")]);
  await agree(page);
  await state("pages.pdf", "done");
  await card("pages.pdf").locator(".compare").click();
  const shown = () =>
    page.waitForFunction(
      () => [...document.querySelectorAll(".layer img")].filter(({ naturalWidth }) => naturalWidth > 300).length === 2,
    );
  await shown();
  assert.equal(await page.textContent("#page-value"), "Page 1 of 2");
  const first = await page.locator("#layer-after img").getAttribute("src");
  await page.click("#page-next");
  await page.waitForFunction((src) => document.querySelector("#layer-after img")?.getAttribute("src") !== src, first);
  await shown();
  assert.equal(await page.textContent("#page-value"), "Page 2 of 2");
  assert.ok(await page.locator("#page-next").isDisabled());
  await page.keyboard.press("Escape");
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
