// filepress/filepond: uploads to a server, and forms.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { openPage } from "../../../package/support/chromium.mjs";
import { chosenPhotos, jpeg } from "../photos.mjs";
import { withControl } from "./workers.mjs";

export function testFilePond(browser, url) {
  /** The page; `bodies` collects what is sent to FilePond's server. */
  const open = async (query = "") => {
    const bodies = [];
    const opened = await openPage(browser, `${url}/filepond.html${query}`, {}, withControl);
    await opened.page.route("**/api/photos", async (route) => {
      bodies.push(route.request().postDataBuffer() ?? Buffer.alloc(0));
      await route.fulfill({ status: 200, contentType: "text/plain", body: `${bodies.length}` });
    });
    await opened.page.waitForFunction(() => window.pond !== undefined);
    return { ...opened, bodies };
  };
  const namesIn = (bodies) => bodies.flatMap((body) => [...body.toString("latin1").matchAll(/filename="([^"]+)"\r\nContent-Type: (\S+)/g)].map(([, name, type]) => `${name} ${type}`)).sort();

  test("FilePond uploads the results, and lists their names, types and sizes", async () => {
    const { page, bodies, complaints } = await open();
    const photos = await chosenPhotos(5);
    await page.setInputFiles("input[type=file]", [...photos, { name: "words.txt", mimeType: "text/plain", buffer: Buffer.from("just some words") }, { name: "broken.jpg", mimeType: "image/jpeg", buffer: Buffer.from("just other words") }]);
    await page.waitForFunction(() => pond.getFiles().length === 7 && pond.getFiles().every(({ status }) => status === 5));
    const expected = ["broken.jpg image/jpeg", ...photos.map(({ name }) => `${name.replace(".jpg", ".webp")} image/webp`), "words.txt text/plain"];
    assert.deepEqual(namesIn(bodies), expected);
    const files = await page.evaluate(() => pond.getFiles().map(({ filename, fileType, fileSize, file }) => ({ name: `${filename} ${fileType}`, same: fileSize === file.size, size: fileSize })));
    assert.deepEqual(files.map(({ name }) => name).sort(), expected);
    assert.ok(files.every(({ same }) => same));
    for (const { name, size } of files.filter(({ name }) => name.endsWith("webp"))) assert.ok(size < photos[0].buffer.length / 2, `${name}: ${size}`);
    // What the visitor reads in the list.
    assert.deepEqual((await page.locator(".filepond--file-info-main").allInnerTexts()).sort(), expected.map((line) => line.split(" ")[0]));
    const logs = await page.evaluate(() => logs);
    assert.equal(logs.length, 1, logs.join("\n"));
    assert.match(logs[0], /broken\.jpg is not compressed/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("a form with FilePond submits the results", async () => {
    const { page, complaints } = await open("?form");
    const photos = await chosenPhotos(2);
    await page.setInputFiles("input[type=file]", photos);
    await page.waitForFunction(() => pond.getFiles().length === 2 && pond.getFiles().every(({ fileType }) => fileType === "image/webp"));
    await page.waitForFunction(() => [...document.querySelectorAll("input[name=photos]")].filter(({ files }) => files?.length === 1).length === 2);
    const submitted = await page.evaluate(() => new FormData(document.querySelector("form")).getAll("photos").map(({ name, type, size }) => ({ name, type, size })));
    assert.deepEqual(submitted.map(({ name, type }) => `${name} ${type}`).sort(), ["photo-1.webp image/webp", "photo-2.webp image/webp"]);
    assert.ok(submitted.every(({ size }) => size > 0 && size < photos[0].buffer.length / 2), JSON.stringify(submitted));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("removing files in the middle of the compression ends its workers, and uploads nothing of it", async () => {
    const { page, bodies, complaints } = await open();
    const large = (await jpeg(2000, 1500)).toString("base64");
    await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      window.addPhoto = (name) => pond.addFile(new File([bytes], name, { type: "image/jpeg" }));
      pool.holds = true;
      const started = new Promise((resolve) => (pond.onaddfileprogress = (item, progress) => progress > 0 && progress < 1 && resolve()));
      for (let number = 1; number <= 10; number++) addPhoto(`large-${number}.jpg`);
      await started;
    }, large);
    assert.ok((await page.evaluate(() => pool.alive)) >= 1);
    await page.evaluate(() => pond.removeFiles());
    await page.waitForFunction(() => pool.alive === 0);
    await page.evaluate(() => (pool.release(), void addPhoto("small.jpg")));
    await page.waitForFunction(() => pond.getFiles().length === 1 && pond.getFiles()[0].status === 5);
    assert.deepEqual(namesIn(bodies), ["small.webp image/webp"]);
    assert.deepEqual(complaints, []);
    await page.close();
  });
}
