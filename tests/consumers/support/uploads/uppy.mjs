// filepress/uppy with Uppy's uploader and its generator of thumbnails.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { openPage } from "../../../package/support/chromium.mjs";
import { chosenPhotos, jpeg } from "../photos.mjs";
import { withControl } from "./workers.mjs";

export function testUppy(browser, url) {
  /** The page; `uploads` collects the names, types and sizes that arrive at the server. */
  const open = async () => {
    const uploads = [];
    const opened = await openPage(browser, `${url}/uppy.html`, {}, withControl);
    await opened.page.route("**/api/photos", async (route) => {
      const body = route.request().postDataBuffer() ?? Buffer.alloc(0);
      const text = body.toString("latin1");
      uploads.push({ name: /filename="([^"]+)"/.exec(text)?.[1], type: /Content-Type: (\S+)/.exec(text)?.[1], size: body.length });
      await route.fulfill({ status: 200, json: { url: "https://files.example/1" } });
    });
    await opened.page.waitForFunction(() => window.uppy !== undefined);
    return { ...opened, uploads };
  };

  test("twenty files are uploaded small, by the names and types of the results, with previews of these", async () => {
    const { page, uploads, complaints } = await open();
    const photos = await chosenPhotos(20);
    await page.setInputFiles("input", photos);
    await page.waitForFunction(() => thumbnails.length === 20);
    assert.deepEqual(await page.evaluate(() => [...new Set(thumbnails.splice(0).map((line) => line.split(" ")[1]))]), ["image/jpeg"]);
    await page.evaluate(() => uppy.getFiles().forEach(({ id, preview }) => (window.before ??= new Map()).set(id, preview)));
    await page.click("button");
    await page.waitForFunction(() => uppy.getFiles().every(({ progress }) => progress.uploadComplete) && thumbnails.length === 20);

    const names = photos.map(({ name }) => name.replace(".jpg", ".webp"));
    assert.deepEqual(uploads.map(({ name }) => name).sort(), [...names].sort());
    assert.ok(uploads.every(({ type, size }) => type === "image/webp" && size < photos[0].buffer.length / 2), JSON.stringify(uploads[0]));
    const files = await page.evaluate(() => uppy.getFiles().map(({ id, name, type, extension, size, data, meta, preview }) => ({ name, type, extension, same: size === data.size, meta: [meta.name, meta.type], fresh: preview !== before.get(id) })));
    assert.deepEqual(files, names.map((name) => ({ name, type: "image/webp", extension: "webp", same: true, meta: [name, "image/webp"], fresh: true })));
    assert.deepEqual((await page.evaluate(() => thumbnails)).sort(), names.map((name) => `${name} image/webp`).sort());
    const width = await page.evaluate(async () => (await createImageBitmap(await (await fetch(uppy.getFiles()[0].preview)).blob())).width);
    assert.equal(width, 100);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("addFile and upload send the small file; what is no image, or damaged, is sent as it is", async () => {
    const { page, uploads, complaints } = await open();
    const original = await jpeg(800, 600);
    const sent = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      uppy.addFile({ name: "from-code.jpg", type: "image/jpeg", data: new Blob([bytes], { type: "image/jpeg" }) });
      uppy.addFile({ name: "words.txt", type: "text/plain", data: new Blob(["just some words"], { type: "text/plain" }) });
      uppy.addFile({ name: "broken.jpg", type: "image/jpeg", data: new Blob(["just other words"], { type: "image/jpeg" }) });
      const { successful, failed } = await uppy.upload();
      return { successful: successful.map(({ name }) => name), failed: failed.length };
    }, original.toString("base64"));
    assert.deepEqual(sent, { successful: ["from-code.webp", "words.txt", "broken.jpg"], failed: 0 });
    assert.deepEqual(uploads.map(({ name }) => name).sort(), ["broken.jpg", "from-code.webp", "words.txt"]);
    assert.ok(uploads.find(({ name }) => name === "from-code.webp").size < original.length / 2);
    const logs = (await page.evaluate(() => logs)).filter((line) => line.includes("FilepressCompressor"));
    assert.equal(logs.length, 1, logs.join("\n"));
    assert.match(logs[0], /broken\.jpg is uploaded unchanged/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("a file whose name has characters that file systems refuse is compressed too", async () => {
    const { page, uploads, complaints } = await open();
    const original = await jpeg(800, 600);
    await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      uppy.addFile({ name: 'Screenshot 12:30 "a|b".jpg', type: "image/jpeg", data: new Blob([bytes], { type: "image/jpeg" }) });
      await uppy.upload();
    }, original.toString("base64"));
    assert.deepEqual(uploads.map(({ name, type }) => [name, type]), [["Screenshot 12_30 _a_b_.webp", "image/webp"]]);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  for (const how of ["cancelAll", "removeFile"]) {
    test(`${how} in the middle of the compression ends it, and uploads nothing of it`, async () => {
      const { page, uploads, complaints } = await open();
      const large = (await jpeg(2000, 1500)).toString("base64");
      const left = await page.evaluate(
        async ([base64, how]) => {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          const data = new Blob([bytes], { type: "image/jpeg" });
          pool.holds = true;
          for (let number = 1; number <= 20; number++) uppy.addFile({ name: `large-${number}.jpg`, type: "image/jpeg", data });
          const running = new Promise((resolve) => uppy.on("preprocess-progress", (file, { value }) => value > 0 && resolve()));
          const uploaded = uppy.upload();
          await running;
          if (how === "cancelAll") uppy.cancelAll();
          else for (const { id } of uppy.getFiles()) uppy.removeFile(id);
          await uploaded;
          return uppy.getFiles().length;
        },
        [large, how],
      );
      assert.equal(left, 0);
      await page.waitForFunction(() => pool.alive === 0);
      assert.deepEqual(uploads, []);
      // The pool is free: another photo is compressed and uploaded.
      await page.evaluate(() => pool.release());
      await page.setInputFiles("input", await chosenPhotos(1));
      await page.click("button");
      await page.waitForFunction(() => uppy.getFiles().some(({ progress }) => progress.uploadComplete));
      assert.deepEqual(uploads.map(({ name }) => name), ["photo-1.webp"]);
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }
}
