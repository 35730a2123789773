// What goes wrong beside the files themselves, such as a part of the page that is missing or a folder that is full, is told in words that
// say what to do, and loses nothing.
import { strict as assert } from "node:assert";
import { after, afterEach, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const site = await serve();
const opened = [];
afterEach(() => Promise.all(opened.splice(0).map((close) => close())));
after(() => site.close());
const photo = await photoFile("photo.jpg");

/** A visitor with files that are done, and `failures`, what the page left uncaught. */
async function begin(files = [photo], options = {}) {
  const visitor = await visit({ origin: site, ...options });
  opened.push(visitor.close);
  await visitor.add(files);
  await visitor.settled();
  return visitor;
}
const uncaught = ({ complaints }) => complaints.filter((words) => !/Failed to load resource/.test(words));
const note = ({ page }, pattern) => page.locator("#note", { hasText: pattern }).waitFor();

test("a comparison that cannot be loaded says so, and opens once it can", async () => {
  const visitor = await begin();
  const { page, context, card } = visitor;
  await context.route("**/compare/*.js", (route) => route.abort());
  await card("photo.jpg").locator(".compare").click();
  await note(visitor, /^A part of this page could not be loaded/);
  await context.unroute("**/compare/*.js");
  await page.reload();
  await visitor.add([photo]);
  await visitor.settled();
  await visitor.compare("photo.jpg");
  assert.deepEqual(uncaught(visitor), []);
});

test("the watermark's field works once it can be loaded, and what was wrong is not said any more", async () => {
  const visitor = await begin();
  const { page, context } = visitor;
  await context.route("**/watermark-input.js", (route) => route.abort());
  const fold = page.locator("#watermark summary");
  await fold.click();
  await note(visitor, /^A part of this page could not be loaded/);
  await context.unroute("**/watermark-input.js");
  await fold.click();
  await fold.click();
  await page.setInputFiles("#watermark-file", photo);
  await page.waitForFunction(() => document.getElementById("watermark-name").textContent === "photo.jpg");
  assert.equal(await page.locator("#note").isVisible(), false);
  assert.deepEqual(uncaught(visitor), []);
});

test("a sample picture that breaks off says so", async () => {
  const visitor = await visit({ origin: site });
  opened.push(visitor.close);
  const { page } = visitor;
  await page.evaluate(() => (Response.prototype.blob = () => Promise.reject(new TypeError("broken off"))));
  await page.click("#sample");
  await note(visitor, /^The sample picture could not be loaded/);
  assert.deepEqual(uncaught(visitor), []);
});

test("a ZIP file that cannot be made says what to do", async () => {
  const visitor = await begin([photo, { ...photo, name: "other.jpg" }]);
  await visitor.context.route("**/zip.js", (route) => route.abort());
  await visitor.page.click("#zip");
  await note(visitor, /^A part of this page could not be loaded/);
  assert.deepEqual(uncaught(visitor), []);
});

test("a folder that cannot be written to is told in words, nothing empty stays in it, and the results count as not saved", async () => {
  const visitor = await begin([photo, { ...photo, name: "other.jpg" }], { locale: "de-DE" });
  const { page } = visitor;
  await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    globalThis.showDirectoryPicker = async () => folder;
    FileSystemFileHandle.prototype.createWritable = () => Promise.reject(new DOMException("No space", "QuotaExceededError"));
  });
  await page.click("#save-folder");
  await note(visitor, /^Die Dateien konnten dort nicht gespeichert werden\. Wähle einen anderen Ordner/);
  const left = await page.evaluate(async () => {
    const names = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
    return names;
  });
  assert.deepEqual(left, []);
  assert.equal(await page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true }))), true);
  assert.deepEqual(uncaught(visitor), []);
});

test("a result that takes the place of one while that is saved is not taken for saved", async () => {
  const visitor = await begin([photo]);
  const { page } = visitor;
  await page.evaluate(() => {
    globalThis.showDirectoryPicker = () => new Promise((resolve) => (globalThis.pick = () => resolve(navigator.storage.getDirectory())));
  });
  await visitor.add([{ ...photo, name: "other.jpg" }]);
  await visitor.settled();
  await page.click("#save-folder");
  await page.selectOption("#image-to", "image/png");
  await page.waitForFunction(() => [...document.querySelectorAll(".save")].every(({ download }) => download.endsWith(".png")));
  await page.evaluate(() => pick());
  await page.waitForFunction(() => document.getElementById("save-folder").ariaDisabled === "false");
  assert.equal(await page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true }))), true);
});

test("a clipboard that refuses says so, in the language of the page", async () => {
  const visitor = await begin([photo], { locale: "de-DE" });
  await visitor.compare("photo.jpg");
  await visitor.page.evaluate(() => (navigator.clipboard.write = () => Promise.reject(new DOMException("Write permission denied.", "NotAllowedError"))));
  await visitor.page.click("#compare-copy");
  await visitor.page.locator("#compare-note", { hasText: "Der Browser hat es nicht erlaubt. Lade die Datei stattdessen herunter." }).waitFor();
});

test("where the browser keeps nothing for a page, what was to be shared is said to be none, and the page works", async () => {
  const visitor = await begin();
  const { page } = visitor;
  await page.addInitScript(() => {
    for (const name of ["caches", "localStorage", "sessionStorage"])
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException("It is blocked.", "SecurityError");
        },
      });
  });
  await page.goto(`${site.url}?shared`);
  await note(visitor, /^That is not a file/);
  await visitor.add([photo]);
  await visitor.settled();
  await visitor.state("photo.jpg", "done");
  assert.deepEqual(uncaught(visitor), []);
});

test("a file that comes back by undo follows the settings that were changed meanwhile", async () => {
  const { page, settled } = await begin();
  await page.click("#clear");
  await page.selectOption("#image-to", "image/webp");
  await page.waitForFunction(() => location.hash.includes("webp") && document.getElementById("cards").ariaBusy !== "true");
  await page.click("#undo-do");
  await page.waitForFunction(() => document.querySelector(".save")?.download === "photo.webp");
  await settled();
});

test("text goes into a field, a link opens nothing, and only files are marked as welcome", async () => {
  const visitor = await begin();
  const drag = (type, target) =>
    visitor.page.evaluate(
      ([type, target]) => {
        const dataTransfer = new DataTransfer();
        if (type === "Files") dataTransfer.items.add(new File(["…"], "letter.txt"));
        else dataTransfer.setData(type, "https://example.com/");
        const send = (name) => {
          const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector(target).dispatchEvent(event);
          return event.defaultPrevented;
        };
        const over = send("dragover");
        const marked = "drag" in document.body.dataset;
        return { over, marked, drop: send("drop"), said: document.getElementById("note").textContent };
      },
      [type, target],
    );
  assert.deepEqual(await drag("text/plain", "#pattern"), { over: false, marked: false, drop: false, said: "" });
  // A result that is dragged over the page is no file that comes.
  assert.deepEqual(await drag("DownloadURL", "body"), { over: true, marked: false, drop: true, said: "" });
  const link = await drag("text/uri-list", "body");
  assert.deepEqual([link.over, link.marked, link.drop], [true, false, true]);
  assert.match(link.said, /^That is not a file/);
  assert.equal((await drag("Files", "body")).marked, true);
});

test("a name from the address is as long as file systems take, and reads as it is", async () => {
  const visitor = await begin([photo, { ...photo, name: "\u202egpj.jpg" }], { hash: `#${new URLSearchParams({ pattern: `{name}${"ü".repeat(4000)}` })}` });
  const { page } = visitor;
  const names = await page.locator(".save").evaluateAll((links) => links.map(({ download }) => download));
  assert.deepEqual(names.map((name) => name.slice(0, 7)), ["photoüü", "_gpjüüü"]);
  for (const name of names) assert.ok(Buffer.byteLength(name) < 250 && name.endsWith("ü.jpg"), `${Buffer.byteLength(name)} bytes`);
  await page.evaluate(() => (globalThis.showDirectoryPicker = () => navigator.storage.getDirectory()));
  await page.click("#save-folder");
  await page.waitForFunction(() => document.getElementById("status").textContent === "2 files saved");
  assert.deepEqual(uncaught(visitor), []);
});

test("the comparison turns from file to file in the order of the cards", async () => {
  const files = await Promise.all(["b.jpg", "c.jpg", "a.jpg"].map((name, index) => photoFile(name, { seed: index + 2 })));
  const { page, compare } = await begin(files);
  await page.selectOption("#sort", "name");
  await compare("a.jpg");
  const shown = [];
  for (const _ of files) {
    shown.push(await page.textContent("#compare-name"));
    await page.click("#file-next");
  }
  assert.deepEqual(shown, ["a.jpg", "b.jpg", "c.jpg"]);
});
