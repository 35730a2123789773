// filepress/react in React's development build with StrictMode.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { openPage } from "../../../package/support/chromium.mjs";
import { chosenPhotos } from "../photos.mjs";

export function testReact(browser, url) {
  const open = async (options) => {
    const opened = await openPage(browser, `${url}/react.html`);
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
    await page.waitForFunction(() => window.hook !== undefined);
    await page.evaluate(() => mount({ to: "jpeg", quality: 50 }));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const [{ buffer }] = await chosenPhotos(1, 3000, 2000);
    const seen = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const watched = [];
      const timer = setInterval(() => watched.push(hook.progress), 10);
      const added = hook.add(new File([bytes], "large.jpg", { type: "image/jpeg" }));
      const items = await added;
      clearInterval(timer);
      await new Promise((resolve) => setTimeout(resolve));
      return { items: items.map(({ status, file, progress }) => [status, file.type, progress]), watched, held: hook.items.length, files: hook.files.length };
    }, buffer.toString("base64"));
    assert.deepEqual(seen.items, [["done", "image/jpeg", 1]]);
    assert.deepEqual([seen.held, seen.files], [1, 1]);
    assert.ok(seen.watched.some((progress) => progress > 0 && progress < 1), `${seen.watched}`);
    assert.deepEqual(seen.watched, [...seen.watched].sort((a, b) => a - b));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("abort and unmounting end the work within a second", async () => {
    const { page, complaints } = await open({ to: "avif", effort: 9 });
    await page.waitForFunction(() => window.hook !== undefined);
    const [{ buffer }] = await chosenPhotos(1, 2000, 1500);
    const outcome = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const file = new File([bytes], "large.jpg", { type: "image/jpeg" });
      const running = () => new Promise((resolve) => {
        const timer = setInterval(() => hook.progress > 0 && resolve(clearInterval(timer)), 10);
      });
      const ending = async (end) => {
        const added = hook.add([file, file]);
        await running();
        const start = performance.now();
        end();
        const items = await added;
        return { statuses: items.map(({ status }) => status), soon: performance.now() - start < 1000 };
      };
      const aborted = await ending(() => hook.abort());
      hook.clear();
      const unmounted = await ending(unmount);
      mount({ to: "webp" });
      return { aborted, unmounted };
    }, buffer.toString("base64"));
    assert.deepEqual(outcome, { aborted: { statuses: ["aborted", "aborted"], soon: true }, unmounted: { statuses: ["aborted", "aborted"], soon: true } });
    // A component that is mounted again starts empty, and works.
    await page.waitForFunction(() => hook.items.length === 0);
    const again = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      return (await hook.add(new Blob([bytes]))).map(({ status, file }) => [status, file.name]);
    }, (await chosenPhotos(1))[0].buffer.toString("base64"));
    assert.deepEqual(again, [["done", "image.webp"]]);
    assert.deepEqual(complaints, []);
    await page.close();
  });
}
