// The score in the comparison: measured when an image that was made on the device is viewed.
import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { importBuilt } from "../../scripts/built.mjs";
import { sample } from "../package/support/samples.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const { score } = await importBuilt();
const visitor = await visit();
const { page, complaints, card, settled, download, compare, closeComparison, add } = visitor;
after(() => visitor.close());
const wide = await photoFile("wide.jpg", { width: 1200, height: 800 });
const files = {
  "wide.jpg": wide.buffer,
  "moving.gif": Buffer.from(await sample("animated.gif", [320, 200])),
  "drawn.svg": Buffer.from(await sample("drawn.svg", [320, 200])),
  "clear.png": Buffer.from(await sample("rgba.png", [320, 200])),
};

before(async () => {
  await add([
    wide,
    { name: "moving.gif", mimeType: "image/gif", buffer: files["moving.gif"] },
    { name: "drawn.svg", mimeType: "image/svg+xml", buffer: files["drawn.svg"] },
    { name: "clear.png", mimeType: "image/png", buffer: files["clear.png"] },
  ]);
  await settled();
});

/** What a score is called. */
const grade = (score) =>
  ["hard to tell apart", "very high quality", "high quality", "medium quality", "low quality", "very low quality", "far from the original"][
    [90, 80, 70, 50, 30, 0, -Infinity].findIndex((least) => score >= least)
  ];
const words = () => page.locator("#facts-after div", { hasText: "SSIMULACRA2" }).locator("dd").textContent();
/** What the comparison says of a file, once it does. */
async function told(name) {
  await compare(name);
  const place = "#facts-after div:last-child dd";
  await page.waitForFunction((place) => /^-?\d|^not/.test(document.querySelector(place)?.textContent ?? ""), place);
  const said = await words();
  await closeComparison();
  return said;
}
/** What the package says of the file that the page saves. */
async function expected(name, options) {
  const { bytes } = await download(card(name).locator(".save"));
  return (await score(files[name], bytes, options)).score.toFixed(1);
}

test("a picture that was made here has its score", async () => {
  assert.equal(await told("wide.jpg"), `${await expected("wide.jpg")} (${grade(await expected("wide.jpg"))})`);
});

test("it is measured in a worker, once", async () => {
  await page.evaluate(() => {
    const list = document.getElementById("facts-after");
    globalThis.first = new Promise((resolve) =>
      new MutationObserver((_, observer) => {
        if (list.children.length === 0) return;
        observer.disconnect();
        // What is known needs no worker, and is there as soon as the page takes a breath.
        setTimeout(() => resolve(document.querySelector("#facts-after div:last-child dd").textContent));
      }).observe(list, { childList: true }),
    );
  });
  await compare("wide.jpg");
  assert.match(await page.evaluate(() => globalThis.first), /^\d/);
  await closeComparison();
});

test("one that was resized is measured at its new size", async () => {
  await page.fill("#longest", "450");
  await settled();
  const found = await expected("wide.jpg");
  assert.equal(await told("wide.jpg"), `${found}, at the new size (${grade(found)})`);
  await page.fill("#longest", "");
  await settled();
});

test("of an animation the first frame is measured, and that is said", async () => {
  await card("moving.gif").locator(".card-to").selectOption("image/webp");
  await page.waitForFunction(() => document.querySelectorAll(".save")[1].download === "moving.webp");
  await settled();
  assert.match(await told("moving.gif"), /^\d+\.\d, first frame \(/);
});

test("a drawing is measured against what was drawn of it", async () => {
  await card("drawn.svg").locator(".card-to").selectOption("image/webp");
  await page.waitForFunction(() => document.querySelectorAll(".save")[2].download === "drawn.webp");
  await settled();
  assert.equal(Number.parseFloat(await told("drawn.svg")), Number(await expected("drawn.svg")));
});

test("what was transparent is measured over the background that was asked for", async () => {
  await page.evaluate(() => {
    const field = document.getElementById("background");
    field.value = "#204060";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await card("clear.png").locator(".card-to").selectOption("image/jpeg");
  await page.waitForFunction(() => document.querySelectorAll(".save")[3].download === "clear.jpg");
  await settled();
  const found = Number.parseFloat(await told("clear.png"));
  assert.equal(found, Number(await expected("clear.png", { background: "#204060" })));
  assert.ok(found > 50);
});

test("what takes a while says so, and closing the comparison ends it", async () => {
  const large = await photoFile("large.jpg", { large: true });
  await add([large]);
  await settled();
  const { bytes } = await download(card("large.jpg").locator(".save"));
  const { score: exact } = await score(large.buffer, bytes);
  await page.evaluate(() => {
    const { postMessage, terminate } = Worker.prototype;
    Object.assign(globalThis, { begun: undefined, ended: new Set() });
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.call === "score") globalThis.begun = this;
      postMessage.call(this, message, ...rest);
    };
    Worker.prototype.terminate = function () {
      globalThis.ended.add(this);
      terminate.call(this);
    };
  });
  await compare("large.jpg");
  await page.waitForFunction(() => globalThis.begun);
  await page.waitForFunction(() => document.getElementById("compare-note").textContent.startsWith("Measuring the quality of 9 megapixels takes a while."));
  await page.waitForFunction(() => /^about \d+ \(.+\), measuring…/.test(document.querySelector("#facts-after div:last-child dd").textContent));
  const [, estimate, called] = (await words()).match(/^about (\d+) \((.+)\), measuring…/);
  await closeComparison();
  // The package ends the worker of a call that is given up.
  await page.waitForFunction(() => globalThis.ended.has(globalThis.begun));
  assert.equal(await page.textContent("#facts-after"), "");
  assert.equal(await page.textContent("#compare-note"), "");
  assert.ok(Math.abs(estimate - exact) < 6, `about ${estimate}, and it is ${exact}`);
  assert.equal(called, grade(estimate));
});

test("the score of a picture that the browser can’t decode is estimated too", async () => {
  const tiff = await sharp((await photoFile("", { width: 1800, height: 1200 })).buffer).tiff().toBuffer();
  await add([{ name: "scan.tiff", mimeType: "image/tiff", buffer: tiff }]);
  await settled();
  await card("scan.tiff").locator(".card-to").selectOption("image/webp");
  await page.waitForFunction(() => [...document.querySelectorAll(".save")].some(({ download }) => download === "scan.webp"));
  await page.evaluate(() => {
    globalThis.labels = [];
    const list = document.getElementById("facts-after");
    const note = () => labels.push(document.querySelector("#facts-after div:last-child dd")?.textContent);
    new MutationObserver(note).observe(list, { childList: true, subtree: true });
  });
  const exact = Number.parseFloat(await told("scan.tiff"));
  const words = (await page.evaluate(() => globalThis.labels)).find((words) => words?.startsWith("about "));
  assert.ok(Math.abs(Number.parseInt(words.slice(6), 10) - exact) < 8, `${words}, and it is ${exact}`);
});

test("what cannot be measured says why", async (context) => {
  const other = await visit({ origin: visitor.site });
  context.after(other.close);
  await other.context.route("**/full/filepress_bg.wasm", (route) => route.abort());
  await other.add([wide]);
  await other.state("wide.jpg", "done");
  await other.compare("wide.jpg");
  await other.page.waitForFunction(() => document.getElementById("facts-after").textContent.includes("not measured: A part of this page"));
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
