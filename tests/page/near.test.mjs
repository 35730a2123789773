// Of many cards those near the screen are drawn whole: by what the browser tells of the elements that it skips, and in browsers
// that do not tell it.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, add, settled } = visitor;
after(() => visitor.close());
const COUNT = 60;
const { mimeType, buffer } = await photoFile("photo");
const photos = Array.from({ length: COUNT }, (_, index) => ({ name: `photo ${index}.jpg`, mimeType, buffer }));

for (const tells of [true, false]) {
  test(`cards are drawn as they come near, where the browser ${tells ? "tells" : "does not tell"} what it skips`, async () => {
    if (!tells) {
      await page.addInitScript(() => delete globalThis.ContentVisibilityAutoStateChangeEvent);
      page.once("dialog", (dialog) => dialog.accept());
      await page.reload();
    }
    assert.equal(await page.evaluate(() => "ContentVisibilityAutoStateChangeEvent" in globalThis), tells);
    await add(photos);
    await page.locator(".card").nth(COUNT - 1).waitFor({ state: "attached" });
    await settled();
    const far = () => page.locator(".card[data-far]").count();
    await page.locator(".card").first().locator(".thumb canvas").waitFor();
    const before = await far();
    assert.ok(before > 0 && before < COUNT, `${before} of ${COUNT}`);
    await page.locator(".card").last().scrollIntoViewIfNeeded();
    const last = page.locator(".card:last-child:not([data-far])");
    await last.locator(".thumb canvas").waitFor();
    await last.locator("select").waitFor();
    assert.ok((await far()) < before);
    assert.deepEqual(complaints, []);
  });
}
