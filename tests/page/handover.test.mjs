// The page and other programs: results are dragged out, copied and shared; files are shared with the app and opened with it.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import sharp from "sharp";
import { serve } from "../../scripts/serve.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const site = await serve();
const visitor = await visit({ offline: true, origin: site, permissions: ["clipboard-read", "clipboard-write"] });
const { page, context, card, state, compare, closeComparison, add } = visitor;
after(async () => {
  await visitor.close();
  await site.close();
});

test("a drag of the picture or of the download button carries the file", async () => {
  await add([await photoFile("photo.jpg")]);
  await page.selectOption("#image-to", "image/webp");
  await state("photo.jpg", "done");
  for (const handle of [".save", ".thumb"]) {
    const { data, isDraggable } = await card("photo.jpg").locator(handle).evaluate((element) => {
      const dataTransfer = new DataTransfer();
      element.dispatchEvent(new DragEvent("dragstart", { dataTransfer, bubbles: true, cancelable: true }));
      return { data: dataTransfer.getData("DownloadURL"), isDraggable: element.draggable };
    });
    const [, type, name, address] = /^([^:]+):([^:]+):(blob:.+)$/.exec(data);
    assert.deepEqual({ type, name, isDraggable }, { type: "image/webp", name: "photo.webp", isDraggable: true });
    assert.equal(address, await card("photo.jpg").locator(".save").getAttribute("href"));
  }
});

test("the result is copied as PNG", async () => {
  await compare("photo.jpg");
  await page.click("#compare-copy");
  await page.waitForFunction(() => document.getElementById("compare-note").textContent === "Copied as PNG.");
  const bytes = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    return [...new Uint8Array(await (await item.getType("image/png")).arrayBuffer())];
  });
  const { format, width, height } = await sharp(Buffer.from(bytes)).metadata();
  assert.deepEqual({ format, width, height }, { format: "png", width: 360, height: 240 });
  await closeComparison();
});

/** Chromium has no share sheet on Linux: what would be handed to it is recorded. */
test("the result is given to the share sheet, where the system has one", async () => {
  await compare("photo.jpg");
  assert.equal(await page.locator("#compare-share").isHidden(), !(await page.evaluate(() => "canShare" in navigator)));
  await closeComparison();
  await page.evaluate(() => {
    navigator.canShare = ({ files }) => files.length === 1;
    navigator.share = async ({ files: [file] }) => {
      globalThis.shared = { name: file.name, type: file.type, size: file.size };
      throw Object.assign(new Error("closed"), { name: "AbortError" });
    };
  });
  await compare("photo.jpg");
  await page.click("#compare-share");
  await page.waitForFunction(() => globalThis.shared);
  const { name, type, size } = await page.evaluate(() => globalThis.shared);
  assert.deepEqual({ name, type }, { name: "photo.webp", type: "image/webp" });
  assert.ok(size > 1000);
  // Closing the sheet is no failure.
  assert.equal(await page.textContent("#compare-note"), "");
  await page.evaluate(() => {
    navigator.share = async () => Promise.reject(new Error("no permission"));
  });
  await page.click("#compare-share");
  await page.waitForFunction(() => document.getElementById("compare-note").textContent.startsWith("The browser did not allow it."));
  await closeComparison();
});

/** Sends a file to the app's share target, as the system does: from outside the app. */
async function shareWith(address, name) {
  const sender = await context.newPage();
  await sender.route(address, (route) => route.fulfill({ contentType: "text/html", body: `<meta charset="utf-8"><form method="post" enctype="multipart/form-data" action="${site.url}"><input type="file" name="file"></form>` }));
  await sender.goto(address);
  if (name) await sender.setInputFiles("input", [await photoFile(name)]);
  else await sender.evaluate(() => document.querySelector("input").remove());
  await Promise.all([sender.waitForURL(`${site.url}**`), sender.evaluate(() => document.forms[0].submit())]);
  return sender;
}

test("a file that is shared with the app is added, once", async () => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  const app = await shareWith("https://system.example/", "größe 1.jpg");
  await app.locator('.card-name[title="größe 1.jpg"]').waitFor();
  assert.equal(new URL(app.url()).search.includes("shared"), false);
  await app.reload();
  await app.locator("body[data-empty]").waitFor();
  assert.equal(await app.locator(".card").count(), 0);
  await app.close();
});

test("what is shared without a file is said to be none", async () => {
  const app = await shareWith("https://system.example/", undefined);
  await app.locator("#note", { hasText: "That is not a file." }).waitFor();
  await app.close();
});

test("files that are opened with the app are added", async () => {
  const app = await context.newPage();
  await app.addInitScript(() => {
    Object.defineProperty(globalThis, "launchQueue", {
      value: { setConsumer: (consume) => (globalThis.open = (files) => consume({ files: files.map((file) => ({ getFile: async () => file })) })) },
    });
  });
  await app.goto(site.url);
  await app.waitForFunction(() => globalThis.open);
  await app.evaluate(() => globalThis.open([new File(["no picture"], "opened.jpg", { type: "image/jpeg" })]));
  await app.locator('.card-name[title="opened.jpg"]').waitFor();
  await app.close();
});
