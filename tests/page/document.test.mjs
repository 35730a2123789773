// PDF through the live service: its pages are compared with the divider.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import * as films from "./support/films.mjs";
import { agree, visitServed } from "./support/served.mjs";

const visitor = await visitServed();
const { page, complaints, card, state, add, compare, closeComparison } = visitor;
after(() => visitor.close());

/** Something to wait for, until it is opened. */
function gate() {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return { opened, open };
}

/** What an image shows, in a page. */
function pixels(image) {
  const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL();
}

test("a PDF is compared page by page under the divider", async () => {
  await add([await films.pdf("pages.pdf")]);
  await agree(page);
  await state("pages.pdf", "done");
  await compare("pages.pdf");
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
  await closeComparison();
});

test("a page that comes late does not take the place of the one that was turned to", async () => {
  const [begun, held] = [gate(), gate()];
  await page.route("**/v1/tasks", async (route) => {
    if (route.request().postDataJSON()?.data.attributes.settings?.page === 2) {
      begun.open();
      await held.opened;
    }
    await route.continue();
  });
  await compare("pages.pdf");
  await page.waitForFunction(() => document.getElementById("compare-note").textContent === "");
  const first = await page.locator("#layer-after img").evaluate(pixels);
  await page.click("#page-next");
  await begun.opened;
  await page.click("#page-prev");
  let drawn = 0;
  const isDrawing = (response) => /image\/png/.test(response.headers()["content-type"]) && ++drawn === 2;
  const both = page.waitForResponse(isDrawing);
  held.open();
  await (await both).finished();
  await page.waitForFunction(() => document.getElementById("compare-note").textContent === "");
  // What would take its place has nothing left to wait for.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  assert.equal(await page.textContent("#page-value"), "Page 1 of 2");
  assert.equal(await page.locator("#layer-after img").evaluate(pixels), first);
  await page.unroute("**/v1/tasks");
  await closeComparison();
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
