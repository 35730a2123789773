// Many files and folders: their structure in the ZIP file and in a folder, names, order and filter, and what is done with all.
import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sample } from "../package/support/samples.mjs";
import { dropFolder } from "./support/dropped.mjs";
import { unzip } from "./support/unzip.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, card, state, text, settled, download, add } = visitor;
const folder = await mkdtemp(join(tmpdir(), "filepress-folder-"));
after(async () => {
  await visitor.close();
  await rm(folder, { recursive: true });
});
const photos = await Promise.all([1, 2, 3].map((seed) => photoFile(`photo ${seed}.jpg`, { seed, width: 200 + 300 * seed, height: 200 })));
const names = () => page.locator(".card-name").allTextContents();

test("a folder that is chosen keeps its structure in the ZIP file, which has its name", async () => {
  const holiday = join(folder, "holiday");
  await mkdir(join(holiday, "day 2"), { recursive: true });
  await writeFile(join(holiday, photos[0].name), photos[0].buffer);
  await writeFile(join(holiday, "day 2", photos[0].name), photos[1].buffer);
  await writeFile(join(holiday, ".DS_Store"), "left by a system");
  await page.setInputFiles("#folder", holiday);
  await settled();
  assert.equal(await page.locator('.card[data-state="done"]').count(), 2);
  const { name, bytes } = await download(page.locator("#zip"));
  assert.equal(name, "holiday.zip");
  assert.deepEqual([...unzip(bytes).keys()].sort(), ["holiday/day 2/photo 1.jpg", "holiday/photo 1.jpg"]);
});

test("results are written into a folder that is picked, and nothing there is overwritten", async () => {
  const saved = await page.evaluate(async () => {
    // The folder of this origin stands for one that the visitor picks, which no test can.
    const root = await navigator.storage.getDirectory();
    const there = await (await root.getDirectoryHandle("holiday", { create: true })).getFileHandle("photo 1.jpg", { create: true });
    globalThis.showDirectoryPicker = async () => root;
    document.getElementById("save-folder").click();
    const button = document.getElementById("save-folder");
    while (button.ariaDisabled === "true") await new Promise((resolve) => setTimeout(resolve, 20));
    const list = async (directory, path = "") => {
      const found = [];
      for await (const [name, handle] of directory.entries())
        if (handle.kind === "directory") found.push(...(await list(handle, `${path}${name}/`)));
        else found.push([`${path}${name}`, (await handle.getFile()).size > 0]);
      return found;
    };
    return { untouched: (await there.getFile()).size, found: await list(root) };
  });
  assert.equal(saved.untouched, 0);
  assert.deepEqual(saved.found.filter(([, full]) => full).map(([path]) => path).sort(), ["holiday/day 2/photo 1.jpg", "holiday/photo 1 (2).jpg"]);
});

test("a folder that is dropped is read to its end", async () => {
  await page.click("#clear");
  const files = [photos[0], photos[1]].map(({ name, buffer }, index) => ({ path: `${index === 0 ? "" : "inner/"}${name}`, base64: buffer.toString("base64") }));
  await page.evaluate(dropFolder, { name: "trip", files });
  await page.locator(".card").first().waitFor();
  await settled();
  const { name, bytes } = await download(page.locator("#zip"));
  assert.equal(name, "trip.zip");
  assert.deepEqual([...unzip(bytes).keys()].sort(), ["trip/inner/photo 2.jpg", "trip/photo 1.jpg"]);
});

test("an empty folder says so", async () => {
  await page.evaluate(dropFolder, { name: "empty", files: [] });
  await page.waitForFunction(() => document.getElementById("note").textContent === "There are no files in that folder.");
});

test("results are named by the pattern in the settings", async () => {
  await page.locator(".fold").first().evaluate((fold) => (fold.open = true));
  await page.fill("#pattern", "{name}-{width}x{height}/small");
  await page.waitForFunction(() => document.querySelector(".save").download === "photo 1-500x200_small.jpg");
  await page.fill("#pattern", "");
  await page.waitForFunction(() => document.querySelector(".save").download === "photo 1.jpg");
});

test("no name leads out of the ZIP file, and of a long one nothing that looks like one character is cut", async () => {
  await page.click("#clear");
  const family = "👨‍👩‍👧‍👦";
  await page.evaluate(([numbers, family]) => {
    const { files } = [["../../up.jpg"], [`${family.repeat(9)}.jpg`]].reduce((transfer, [name]) => {
      transfer.items.add(new File([new Uint8Array(numbers)], name, { type: "image/jpeg" }));
      return transfer;
    }, new DataTransfer());
    const input = document.getElementById("file");
    input.files = files;
    input.dispatchEvent(new Event("change"));
  }, [[...photos[0].buffer], family]);
  await page.locator(".card").nth(1).waitFor();
  const shown = await page.locator(".card-name").nth(1).locator("> *").allTextContents();
  assert.ok(shown[1].length > 10);
  for (const part of shown) assert.equal(part.replaceAll(family, "").replace(".jpg", ""), "");
  await settled();
  const { bytes } = await download(page.locator("#zip"));
  assert.deepEqual([...unzip(bytes).keys()], ["up.jpg", `${family.repeat(9)}.jpg`]);
});

test("files are sorted and filtered", async () => {
  await page.click("#clear");
  const broken = { ...photos[0], name: "broken.jpg", buffer: photos[0].buffer.subarray(0, 900) };
  await add([photos[1], broken, photos[2], photos[0]]);
  await settled();
  const added = ["photo 2.jpg", "broken.jpg", "photo 3.jpg", "photo 1.jpg"];
  assert.deepEqual(await names(), added);
  await page.selectOption("#sort", "name");
  assert.deepEqual(await names(), ["broken.jpg", "photo 1.jpg", "photo 2.jpg", "photo 3.jpg"]);
  await page.selectOption("#sort", "size");
  assert.deepEqual(await names(), ["photo 3.jpg", "photo 2.jpg", "photo 1.jpg", "broken.jpg"]);
  await page.selectOption("#filter", "failed");
  assert.deepEqual(await names(), ["broken.jpg"]);
  assert.equal(await page.locator("#none-shown").isVisible(), false);
  await page.click("#remove-failed");
  await page.locator("#none-shown", { hasText: "There are no such files" }).waitFor();
  await page.click("#undo-do");
  assert.deepEqual(await names(), ["broken.jpg"]);
  assert.equal(await page.locator("#none-shown").isVisible(), false);
  await page.selectOption("#filter", "");
  await page.selectOption("#sort", "");
  assert.deepEqual(await names(), added);
});

test("what failed is removed at once, and comes back by undo", async () => {
  await page.click("#remove-failed");
  assert.equal(await page.locator(".card").count(), 3);
  assert.equal(await page.locator("#remove-failed").isVisible(), false);
  await page.click("#undo-do");
  await state("broken.jpg", "failed");
});

test("all that is under way is canceled at once, and taken up again", async () => {
  await visitor.hold();
  await page.selectOption("#image-to", "image/webp");
  await state("photo 1.jpg", "working");
  await page.click("#cancel-all");
  await state("photo 1.jpg", "canceled");
  assert.match(await page.textContent("#total-count"), /3 canceled/);
  await visitor.release();
  await page.click("#retry-failed");
  await settled();
  assert.equal(await page.locator('.card[data-state="done"]').count(), 3);
  await page.selectOption("#image-to", "");
  await settled();
});

test("an animation that becomes a picture is no saving", async () => {
  await page.click("#clear");
  await add([{ name: "moving.gif", mimeType: "image/gif", buffer: Buffer.from(await sample("animated.gif", [320, 200])) }, photos[0]]);
  await settled();
  await card("photo 1.jpg").locator(".remove").click();
  await card("moving.gif").locator(".card-to").selectOption("image/jpeg");
  await card("moving.gif").locator(".loss", { hasText: "Animation lost" }).waitFor();
  assert.equal(await page.textContent("#total-saved"), "–");
  assert.equal(await page.textContent("#total-count"), "1 file, 1 with lost frames or pages, not counted");
  assert.equal(await card("moving.gif").getAttribute("data-outcome"), "lost");
});

test("a picture that was scaled to fit a size says to what, and how large it is", async () => {
  await page.click("#clear");
  await page.click('label[for="aim-size"]');
  await page.fill('input[name="kilobytes"]', "3");
  await add([photos[2]]);
  await settled();
  assert.match(await card("photo 3.jpg").locator(".loss").first().textContent(), /^Resized to \d+ × \d+ to fit 3\.00 kB$/);
  assert.match(await text("photo 3.jpg", "status"), /On this device/);
});

test("a sample picture comes by a click, and shortcuts do what the list of keys says", async () => {
  await page.click("#clear");
  await page.click('label[for="aim-default"]');
  const requested = page.waitForResponse((response) => response.url().endsWith("sample.jpg"));
  await page.click("#sample");
  assert.ok((await (await requested).body()).length <= 300_000);
  await state("landscape.jpg", "done");
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog#keys").isVisible());
  assert.ok((await page.locator("#keys-list kbd").count()) >= 5);
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await page.locator("#layer-after img").waitFor();
  await page.keyboard.press("Escape");
  const { name } = await download({ click: () => page.keyboard.press("s") });
  assert.equal(name, "landscape.jpg");
  await card("landscape.jpg").locator(".remove").click();
  await page.keyboard.press("z");
  await state("landscape.jpg", "done");
});

test("the pledge opens the proof: no byte was uploaded", async () => {
  await page.click("#pledge");
  assert.equal(await page.textContent("#privacy-bytes"), "0 bytes uploaded");
  await page.keyboard.press("Escape");
});

test("of many files that are dropped, only those without a type are asked whether they are folders", async () => {
  await page.click("#clear");
  const asked = await page.evaluate((numbers) => {
    const photo = new Uint8Array(numbers);
    const files = Array.from({ length: 150 }, (_, index) => new File([index === 0 ? photo : "no picture"], `${index}.jpg`, { type: "image/jpeg" }));
    const inside = { isDirectory: false, fullPath: "/trip/inner.jpg", file: (resolve) => resolve(new File([photo], "inner.jpg", { type: "image/jpeg" })) };
    const batches = [[inside], []];
    const root = { isDirectory: true, name: "trip", createReader: () => ({ readEntries: (resolve) => resolve(batches.shift()) }) };
    let asked = 0;
    const item = (type, entry) => ({ type, webkitGetAsEntry: () => (asked++, entry) });
    const items = [...files.map(({ type, name }) => item(type, { isDirectory: false, name })), item("", root)];
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], files: [...files, new File([], "trip")], items } });
    document.body.dispatchEvent(event);
    return asked;
  }, [...photos[0].buffer]);
  assert.equal(asked, 1);
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 151);
  await settled();
  await page.waitForFunction(() => document.getElementById("total-count").textContent === "151 files, 149 failed");
  const { name } = await download(page.locator("#zip"));
  assert.match(name, /^filepress-2-/);
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
