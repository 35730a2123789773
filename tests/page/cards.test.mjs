// The cards of the demo page: many files at once; damaged, animated and large ones; canceled, retried, saved.
import { strict as assert } from "node:assert";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import sharp from "sharp";
import { sample } from "../package/support/samples.mjs";
import { formatSize } from "../../www/formatting.js";
import { hugePng } from "./support/huge.mjs";
import { unzip } from "./support/unzip.mjs";
import { decoded, photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, card, state, text, hold, release, settled, download, add } = visitor;
const folder = await mkdtemp(join(tmpdir(), "filepress-cards-"));
after(async () => {
  await visitor.close();
  await rm(folder, { recursive: true });
});
const photos = await Promise.all(
  Array.from({ length: 20 }, (_, index) => photoFile(`photo ${index + 1}.jpg`, { seed: index + 1 })),
);
const percent = (before, after) => `−${Math.round((1 - after / before) * 100)}\u00a0%`;

test("twenty photos at once become smaller, each on its card, with the sum of them on top", async () => {
  await add(photos);
  await settled();
  assert.equal(await page.locator('.card[data-state="done"]').count(), 20);
  let sum = 0;
  for (const { name, buffer } of [photos[0], photos[19]]) {
    const { name: saved, bytes } = await download(card(name).locator(".save"));
    assert.equal(saved, name);
    assert.deepEqual(await decoded(bytes), { format: "jpeg", width: 360, height: 240, pages: 1 });
    assert.equal(await text(name, "saved"), percent(buffer.length, bytes.length));
    assert.equal(await text(name, "sizes"), `${formatSize(buffer.length)} → ${formatSize(bytes.length)}`);
    assert.match(await text(name, "status"), /^On this device · (< )?\d/);
  }
  for (const { buffer } of photos) sum += buffer.length;
  assert.match(await page.textContent("#total-words"), new RegExp(`^${formatSize(sum)} → `));
  assert.equal(await page.textContent("#total-count"), "20 files");
});

test("a card has a picture and a list of formats once it comes near the screen", async () => {
  const [first, last] = [0, 19].map((index) => card(photos[index].name));
  await page.click("#clear");
  await add(photos);
  await settled();
  await first.locator(".thumb canvas").waitFor();
  await first.locator(".card-to").waitFor();
  assert.equal(await last.locator(".thumb canvas, .card-to").count(), 0);
  await last.scrollIntoViewIfNeeded();
  await last.locator(".thumb canvas").waitFor();
  await last.locator(".card-to").selectOption("image/webp");
  await page.waitForFunction(() => document.querySelectorAll(".save")[19].download === "photo 20.webp");
  await last.locator(".card-to").selectOption("");
  await settled();
  await page.evaluate(() => scrollTo(0, 0));
});

test("all of them are in the ZIP file, as they are on their cards", async () => {
  const loaded = () =>
    page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("client-zip.js")));
  assert.equal(await loaded(), false, "the library came before it was needed");
  const { name, bytes } = await download(page.locator("#zip"));
  assert.equal(name, "filepress-20-jpg.zip");
  const files = unzip(bytes);
  assert.deepEqual(
    [...files.keys()],
    photos.map(({ name }) => name),
  );
  const alone = await download(card("photo 7.jpg").locator(".save"));
  assert.ok(files.get("photo 7.jpg").equals(alone.bytes));
});

test("files of one name are told apart in the ZIP file", async () => {
  await page.click("#clear");
  await add([photos[0], { ...photos[1], name: photos[0].name }]);
  await settled();
  const { bytes } = await download(page.locator("#zip"));
  assert.deepEqual([...unzip(bytes).keys()], ["photo 1.jpg", "photo 1 (2).jpg"]);
});

test("a damaged photo and a letter say what is wrong, and the photo beside them is done", async () => {
  await page.click("#clear");
  const broken = { ...photos[0], name: "broken.jpg", buffer: photos[0].buffer.subarray(0, photos[0].buffer.length / 3) };
  const letter = { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear reader,\n") };
  await add([broken, letter, { name: "empty.png", mimeType: "image/png", buffer: Buffer.alloc(0) }, photos[1]]);
  await settled();
  await state("broken.jpg", "failed");
  assert.match(await text("broken.jpg", "status"), /damaged or incomplete/);
  await state("letter.txt", "failed");
  assert.equal(await text("letter.txt", "status"), "filepress can’t read this format: plain text.");
  await state("empty.png", "failed");
  assert.equal(await text("empty.png", "status"), "This file is empty.");
  await state("photo 2.jpg", "done");
  assert.equal(await page.textContent("#total-count"), "4 files, 3 failed");
});

test("a file of gigabytes says how large it is, though its beginning is that of a photo", async () => {
  const path = join(folder, "endless.jpg");
  await writeFile(path, photos[0].buffer);
  await truncate(path, 3 * 2 ** 30);
  await page.setInputFiles("#file", path);
  await state("endless.jpg", "no-server");
  assert.equal(await text("endless.jpg", "status"), "This file has 3.22 GB; this page takes up to 268 MB. A server may allow more.");
  assert.equal(await text("endless.jpg", "from"), "JPEG");
  await card("endless.jpg").locator(".remove").click();
});

test("a name looks like what it is, and fits into its card, whatever characters are in it", async () => {
  const height = await card("photo 2.jpg").evaluate((element) => element.clientHeight);
  await page.evaluate((numbers) => {
    const transfer = new DataTransfer();
    for (const name of ["\u202egpj.exe", "two\n\nlines.jpg", "<b onclick=alert(1)>.jpg"])
      transfer.items.add(new File([new Uint8Array(numbers)], name, { type: "image/jpeg" }));
    const input = document.getElementById("file");
    input.files = transfer.files;
    input.dispatchEvent(new Event("change"));
  }, [...photos[0].buffer]);
  await card("<b onclick=alert(1)>.jpg").waitFor();
  const shown = (await page.locator(".card-name").allTextContents()).slice(-3);
  assert.deepEqual(shown, ["\ufffdgpj.exe", "two\ufffdlines.jpg", "<b onclick=alert(1)>.jpg"]);
  await settled();
  for (const name of shown) {
    assert.equal(await card(name).evaluate((element) => element.clientHeight), height);
    await card(name).locator(".remove").click();
  }
});

test("a browser that cannot tell characters apart shows long names too", async (context) => {
  const other = await visit({ origin: visitor.site });
  context.after(other.close);
  await other.page.addInitScript(() => delete Intl.Segmenter);
  await other.page.reload();
  await other.add([{ ...photos[0], name: "a-photo-from-a-holiday-0042.jpg" }]);
  await other.settled();
  const shown = await other.page.locator(".card-name > *").allTextContents();
  assert.deepEqual(shown, ["a-photo-from-a-holida", "y-0042.jpg"]);
  assert.deepEqual(other.complaints, []);
});

test("what no other attempt would mend is not offered one", async () => {
  for (const name of ["broken.jpg", "letter.txt", "empty.png"])
    assert.equal(await card(name).locator(".again").isVisible(), false, name);
});

test("a size that cannot be reached names the one that can, and another setting is enough", async () => {
  const paths = Array.from({ length: 200 }, (_, index) => `<path d="M${index} ${(index * 37) % 101}l${(index * 7) % 13} 5"/>`);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="101" stroke="red">${paths.join("")}</svg>`;
  await page.click("#clear");
  await page.click('label[for="aim-size"]');
  await page.fill('input[name="kilobytes"]', "1");
  await add([{ name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from(drawing) }]);
  await state("drawing.svg", "failed");
  assert.match(
    await text("drawing.svg", "status"),
    /^The smallest size that was reached is \d.* kB\. Allow that size, or choose another format\.$/,
  );
  assert.equal(await card("drawing.svg").locator(".again").isVisible(), false);
  await page.click('label[for="aim-default"]');
  await state("drawing.svg", "done");
});

test("an animation stays one, or becomes another type by its own list", async () => {
  await page.click("#clear");
  await add([
    { name: "moving.gif", mimeType: "image/gif", buffer: Buffer.from(await sample("animated.gif", [320, 200])) },
    photos[0],
  ]);
  await settled();
  const first = await download(card("moving.gif").locator(".save"));
  assert.deepEqual(await decoded(first.bytes), { format: "gif", width: 160, height: 100, pages: 3 });
  await card("moving.gif").locator(".card-to").selectOption("image/webp");
  await page.waitForFunction(() => document.querySelector(".card .save").download === "moving.webp");
  await settled();
  const second = await download(card("moving.gif").locator(".save"));
  assert.deepEqual(await decoded(second.bytes), { format: "webp", width: 160, height: 100, pages: 3 });
  assert.equal(await card("photo 1.jpg").locator(".save").getAttribute("download"), "photo 1.jpg");
});

test("what is lost on the way is said on the card", async () => {
  await card("moving.gif").locator(".card-to").selectOption("image/jpeg");
  await page.waitForFunction(() => document.querySelector(".card .save").download === "moving.jpg");
  await settled();
  assert.equal(await card("moving.gif").locator(".loss").first().textContent(), "Animation lost");
  assert.equal(await page.textContent("#total-count"), "2 files, 1 with lost frames or pages, not counted");
});

test("why an original was kept is said on its card", async () => {
  const small = await sharp(photos[0].buffer).jpeg({ quality: 15 }).toBuffer();
  await add([{ name: "small.jpg", mimeType: "image/jpeg", buffer: small }]);
  await settled();
  assert.equal(await text("small.jpg", "status"), "Already optimized. Your original was kept.");
  await card("small.jpg").locator(".remove").click();
});

test("a type that no browser shows has a picture on its card all the same", async () => {
  await add([{ name: "deep.tiff", mimeType: "image/tiff", buffer: Buffer.from(await sample("deep.tiff", [320, 200])) }]);
  await state("deep.tiff", "done");
  await card("deep.tiff").locator(".thumb canvas").waitFor();
});

test("a video without a service says what is missing, and offers to set it up", async () => {
  const head = Buffer.from("000000186674797069736f6d0000020069736f6d69736f326d703431", "hex");
  await add([{ name: "film.mp4", mimeType: "video/mp4", buffer: head }]);
  await state("film.mp4", "no-server");
  assert.match(await text("film.mp4", "status"), /needs a server, and none is set up/);
  assert.equal(await page.textContent("#total-count"), "4 files, 1 needs a server, 1 with lost frames or pages, not counted");
  await card("film.mp4").locator(".agree").click();
  assert.ok(await page.locator("dialog#service").isVisible());
  await page.keyboard.press("Escape");
});

test("a picture that is too large for the device says how large it may be, and offers to set up a service", async () => {
  await add([{ name: "huge.png", mimeType: "image/png", buffer: hugePng() }]);
  await state("huge.png", "no-server");
  const words = "This image has 180 million pixels; this page takes up to 100 million. A server may allow more.";
  assert.equal(await text("huge.png", "status"), words);
  assert.ok(await card("huge.png").locator(".agree").isVisible());
});

test("a picture with too many pixels is resized while it is read, by a click or by the settings", async () => {
  await page.click("#clear");
  const solid = sharp({ create: { width: 12_000, height: 9_000, channels: 3, background: "#4080c0" } });
  await add([{ name: "poster.jpg", mimeType: "image/jpeg", buffer: await solid.jpeg().toBuffer() }]);
  await state("poster.jpg", "no-server");
  await card("poster.jpg").locator(".shrink").click();
  await state("poster.jpg", "done");
  const saved = async () => {
    const { width, height } = await decoded((await download(card("poster.jpg").locator(".save"))).bytes);
    return [width, height];
  };
  assert.deepEqual(await saved(), [8192, 6144]);
  assert.equal(await card("poster.jpg").locator(".shrink").isVisible(), false);
  await page.fill("#longest", "1000");
  await page.waitForFunction(() => location.hash.includes("longest=1000"));
  await settled();
  assert.deepEqual(await saved(), [1000, 750]);
  await page.click("#preset-reset");
  await page.waitForFunction(() => location.hash === "");
  await settled();
});

test("canceling ends the work, and it can be taken up again", async () => {
  await page.click("#clear");
  await hold();
  await add([await photoFile("large.jpg", { large: true })]);
  // Both at one time: it may be done in a moment.
  await page.waitForFunction(() => {
    const [status, progress] = ["status", "progress"].map((name) => document.querySelector(`.card-${name}`));
    return status?.textContent === "Compressing" && progress.value > 0 && progress.value < 1;
  });
  await card("large.jpg").locator(".cancel").click();
  await state("large.jpg", "canceled");
  assert.equal(await page.textContent("#total-count"), "1 file, 1 canceled");
  await release();
  await card("large.jpg").locator(".again").click();
  await state("large.jpg", "done");
});

test("where the codecs cannot be fetched, a retry is enough later on", async (context) => {
  const other = await visit({ origin: visitor.site });
  context.after(other.close);
  await other.context.route("**/photo/filepress_bg.wasm", (route) => route.abort());
  await other.add([photos[0]]);
  await other.state("photo 1.jpg", "failed");
  assert.ok(await other.card("photo 1.jpg").locator(".again").isVisible());
  await other.context.unroute("**/photo/filepress_bg.wasm");
  await other.card("photo 1.jpg").locator(".again").click();
  await other.state("photo 1.jpg", "done");
});

test("removing a card removes its file, and the last one leaves the page as it was", async () => {
  await card("large.jpg").locator(".remove").click();
  assert.equal(await page.locator(".card").count(), 0);
  assert.ok(await page.locator(".intro h1").isVisible());
  assert.equal(await page.locator("#summary").isVisible(), false);
});

for (const [how, event, name] of [
  ["dropped", "drop", "dataTransfer"],
  ["pasted", "paste", "clipboardData"],
]) {
  test(`files that are ${how} are taken`, async () => {
    const given = photos.slice(0, 2).map(({ name, buffer }) => [name, [...buffer]]);
    await page.evaluate(
      ([event, property, files]) => {
        const transfer = new DataTransfer();
        for (const [name, numbers] of files)
          transfer.items.add(new File([new Uint8Array(numbers)], name, { type: "image/jpeg" }));
        const Made = event === "drop" ? DragEvent : ClipboardEvent;
        document.body.dispatchEvent(new Made(event, { [property]: transfer, bubbles: true, cancelable: true }));
      },
      [event, name, given],
    );
    await settled();
    assert.equal(await page.locator('.card[data-state="done"]').count(), 2);
    await page.click("#clear");
  });
}

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
