// filepress/react in React's development build with StrictMode.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { openPage } from "../../../package/support/chromium.mjs";
import { chosenPhotos } from "../photos.mjs";
import { withControl } from "./workers.mjs";

export function testReact(browser, url) {
  const open = async (options) => {
    const opened = await openPage(browser, `${url}/react.html`, {}, withControl);
    await opened.page.waitForFunction(() => window.mount !== undefined);
    await opened.page.evaluate((options) => mount(options), options);
    return opened;
  };

  test("the form of the document compresses in StrictMode, and uploads the results", async () => {
    const { page, complaints } = await open();
    const photos = await chosenPhotos(3);
    await page.setInputFiles("input", [...photos, { name: "words.jpg", mimeType: "image/jpeg", buffer: Buffer.from("just some words") }]);
    await page.getByRole("button", { name: "Upload" }).waitFor();
    const lines = await page.locator("li").allInnerTexts();
    assert.deepEqual(lines.slice(0, 3).map((line) => line.replace(/\s*Remove$/, "")), ["photo-1.webp done", "photo-2.webp done", "photo-3.webp done"]);
    assert.match(lines[3], /^words\.jpg .+format/);
    await page.locator("li").nth(1).getByRole("button").click();
    await page.route("**/api/photos", (route) => route.fulfill({ status: 201 }));
    const [request] = await Promise.all([page.waitForRequest("**/api/photos"), page.getByRole("button", { name: "Upload" }).click()]);
    const body = request.postDataBuffer() ?? Buffer.alloc(0);
    assert.deepEqual([...body.toString("latin1").matchAll(/filename="([^"]+)"/g)].map(([, name]) => name), ["photo-1.webp", "photo-3.webp"]);
    assert.ok(body.length < photos[0].buffer.length, `${body.length} bytes`);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("each file is compressed once, with the options of the latest render, and progress comes in between", async () => {
    const { page, complaints } = await open({ to: "webp" });
    await page.waitForFunction(() => window.shown?.to === "webp");
    await page.evaluate(() => mount({ to: "jpeg", quality: 50 }));
    await page.waitForFunction(() => shown.to === "jpeg");
    await page.evaluate(() => (pool.holds = true));
    await start(page, (await chosenPhotos(1, 3000, 2000))[0].buffer);
    await page.waitForFunction(() => hook.progress > 0 && hook.progress < 1);
    const seen = await page.evaluate(async () => {
      pool.release();
      const items = await added;
      return { items: items.map(({ status, file, progress }) => [status, file.type, progress]), progress };
    });
    assert.deepEqual(seen.items, [["done", "image/jpeg", 1]]);
    assert.deepEqual(seen.progress, [...seen.progress].sort((a, b) => a - b));
    await page.waitForFunction(() => hook.items.length === 1 && hook.files.length === 1);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("no files are none", async () => {
    const { page, complaints } = await open({ to: "webp" });
    await page.waitForFunction(() => window.hook !== undefined);
    const added = await page.evaluate(async () => [await hook.add(null), await hook.add(undefined), await hook.add([])]);
    assert.deepEqual(added, [[], [], []]);
    assert.deepEqual(await page.evaluate(() => [hook.items, hook.files, hook.pending]), [[], [], false]);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("abort and unmounting end the work", async () => {
    const { page, complaints } = await open({ to: "webp" });
    await page.waitForFunction(() => window.hook !== undefined);
    const [{ buffer }] = await chosenPhotos(1, 2000, 1500);
    for (const end of ["abort", "unmount"]) {
      await page.evaluate(() => (pool.holds = true));
      await start(page, buffer, 2);
      await page.waitForFunction(() => hook.progress > 0);
      const statuses = await page.evaluate(async (end) => {
        if (end === "abort") hook.abort();
        else unmount();
        return (await added).map(({ status }) => status);
      }, end);
      assert.deepEqual(statuses, ["aborted", "aborted"], end);
      await page.waitForFunction(() => pool.alive === 0);
      await page.evaluate(() => (hook.clear(), pool.release()));
    }
    // A component that is mounted again starts empty, and works.
    await page.evaluate(() => ((hook = undefined), mount({ to: "webp" })));
    await page.waitForFunction(() => window.hook?.items.length === 0);
    await start(page, (await chosenPhotos(1))[0].buffer);
    assert.deepEqual(await page.evaluate(async () => (await added).map(({ status, file }) => [status, file.name])), [["done", "large.webp"]]);
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

/** Hands the hook of the page a JPEG, `count` times. `added` of the page resolves to the items. */
function start(page, jpeg, count = 1) {
  return page.evaluate(
    ([base64, count]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      window.added = hook.add(Array(count).fill(new File([bytes], "large.jpg", { type: "image/jpeg" })));
    },
    [jpeg.toString("base64"), count],
  );
}
