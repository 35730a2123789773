// Video and audio through the live service: phases, settings, cancel and retry, and playback side by side.
import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import { formatSize } from "../../www/formatting.js";
import * as films from "./support/films.mjs";
import { agree, visitServed } from "./support/served.mjs";

const visitor = await visitServed();
const { page, complaints, card, state, text, settled, download, add, compare, closeComparison } = visitor;
after(() => visitor.close());
const [film, sound] = await Promise.all([films.film(), films.sound()]);

before(async () => {
  await add([film]);
  await agree(page);
  await state("film.mov", "done");
});

test("what comes later is not asked for again, and tells its phases", async () => {
  await page.evaluate(() => {
    globalThis.phases = new Set();
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll(".card-status")) phases.add(textContent);
    }).observe(document.getElementById("cards"), { subtree: true, childList: true, characterData: true });
  });
  await add([sound]);
  await state("sound.wav", "done");
  assert.equal(await page.locator("dialog#consent").isVisible(), false);
  const phases = await page.evaluate(() => [...globalThis.phases]);
  assert.ok(phases.includes("Sending to the server"), phases.join(", "));
  assert.ok(phases.includes("The server is working") || phases.includes("Downloading the result"), phases.join(", "));
});

test("what is with the server is canceled as well, and taken up again", async () => {
  // However fast the server is, the page is told that it is not done.
  const tasks = "**/v1/tasks/*";
  await page.route(tasks, async (route) => {
    const response = await route.fetch();
    const document = await response.json();
    document.data.attributes.status = "PROCESSING";
    await route.fulfill({ response, json: document });
  });
  await card("film.mov").locator(".card-to").selectOption("video/webm");
  await page.waitForFunction(() => document.querySelector(".card-status").textContent === "The server is working");
  const uploaded = async () => {
    await page.click("#pledge");
    const words = await page.textContent("#privacy-bytes");
    assert.equal(await page.textContent("#privacy-title"), words);
    await page.keyboard.press("Escape");
    return words;
  };
  const sent = 2 * film.buffer.length + sound.buffer.length;
  assert.equal(await uploaded(), `${formatSize(sent)} uploaded`);
  await card("film.mov").locator(".cancel").click();
  await state("film.mov", "canceled");
  assert.equal(await uploaded(), `${formatSize(sent)} uploaded`);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await card("film.mov").locator(".card-to").selectOption("");
  await state("film.mov", "done");
});

test("settings of video concern the video alone", async () => {
  await page.locator("#heavy").evaluate((fold) => (fold.open = true));
  const before = await text("sound.wav", "status");
  await page.selectOption("#video-height", "480");
  await page.selectOption("#video-to", "video/mp4");
  await page.check("#mute");
  await page.waitForFunction(() => document.querySelector(".card .save").download === "film.mp4");
  await settled();
  const { bytes } = await download(card("film.mov").locator(".save"));
  const { format, kinds, height } = await films.probed(bytes);
  assert.match(format, /mp4/);
  assert.deepEqual([kinds, height], [["video"], 480]);
  assert.equal(await text("sound.wav", "status"), before);
});

test("before and after are played, and end with the comparison", async () => {
  await compare("film.mov");
  const after = page.locator('#players video[aria-label="After"]');
  await page.waitForFunction(() => document.querySelector('#players video[aria-label="After"]')?.videoHeight === 480);
  assert.ok((await after.evaluate(({ duration }) => duration)) > 1.5);
  assert.match(await page.textContent("#facts-before"), /FormatQuickTime/);
  assert.match(await page.textContent("#facts-after"), /FormatMPEG-4/);
  await closeComparison();
  await page.waitForFunction(() => document.querySelector("#players video") === null);
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
