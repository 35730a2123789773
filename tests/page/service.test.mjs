// What is too heavy for a page, through the live service: asked for once, sent, shown, cancelled, forgotten.
import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { serve } from "../../scripts/serve.mjs";
import { startService } from "../../scripts/service.mjs";
import { hugePng } from "./support/huge.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "filepress-page-"));
const site = await serve();
const service = await startService({ args: ["--cors-origins", new URL(site.url).origin] });
const visitor = await visit({ origin: site, hash: `#${new URLSearchParams({ service: service.url, key: service.key })}` });
const { page, complaints, card, state, text, settled, download, add } = visitor;
after(async () => {
  await visitor.close();
  await Promise.all([site.close(), service.stop()]);
  await rm(folder, { recursive: true });
});
const { host } = new URL(service.url);

/** A file that ffmpeg makes of `args`. */
async function made(name, mimeType, args) {
  await run("ffmpeg", ["-v", "error", "-y", ...args, join(folder, name)]);
  return { name, mimeType, buffer: await readFile(join(folder, name)) };
}
const film = await made("film.mov", "video/quicktime", [
  "-f",
  "lavfi",
  "-i",
  "testsrc2=size=960x540:rate=10:duration=2",
  "-f",
  "lavfi",
  "-i",
  "sine=duration=2",
  "-c:v",
  "mpeg4",
  "-q:v",
  "2",
  "-c:a",
  "pcm_s16le",
]);
const sound = await made("sound.wav", "audio/wav", [
  "-f",
  "lavfi",
  "-i",
  "anoisesrc=color=brown:duration=2",
  "-c:a",
  "pcm_s16le",
]);

/** What ffprobe finds. */
async function probed(bytes) {
  await writeFile(join(folder, "probed"), bytes);
  const { stdout } = await run("ffprobe", [
    "-v",
    "error",
    "-of",
    "json",
    "-show_streams",
    "-show_format",
    join(folder, "probed"),
  ]);
  const { streams, format } = JSON.parse(stdout);
  return {
    format: format.format_name,
    kinds: streams.map(({ codec_type }) => codec_type),
    height: streams.find(({ height }) => height)?.height,
  };
}
const uploads = async () => (await service.client.call("GET", "/v1/files")).body.data.length;

test("the address comes with the fragment, which then is gone", async () => {
  assert.equal(page.url(), site.url);
  assert.match(await page.textContent("#pledge"), new RegExp(host));
});

test("before a video leaves the device the page asks, and takes no for an answer", async () => {
  await add([film, await photoFile("photo.jpg")]);
  await page.locator("dialog#consent").waitFor();
  assert.match(await page.textContent("#consent-title"), new RegExp(`Send 1 file to ${host}`));
  await page.locator('dialog#consent button[value="no"]').click();
  await state("photo.jpg", "done");
  await state("film.mov", "asking");
  assert.match(await text("film.mov", "status"), /Nothing was sent yet/);
  assert.equal(await uploads(), 0);
});

test("once allowed it is sent, made smaller, and comes back", async () => {
  await card("film.mov").locator(".agree").click();
  await page.locator('dialog#consent button[value="yes"]').click();
  await state("film.mov", "done");
  assert.match(await text("film.mov", "status"), new RegExp(`^By ${host} · `));
  const { name, bytes } = await download(card("film.mov").locator(".save"));
  assert.equal(name, "film.mov");
  assert.ok(bytes.length < film.buffer.length);
  assert.deepEqual((await probed(bytes)).kinds.sort(), ["audio", "video"]);
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
  assert.ok(phases.includes("Sending to the service"), phases.join(", "));
  assert.ok(phases.includes("The service is at work") || phases.includes("Fetching the result"), phases.join(", "));
});

test("what is with the service is cancelled as well, and taken up again", async () => {
  await card("film.mov").locator(".card-to").selectOption("video/webm");
  await page.waitForFunction(() => document.querySelector(".card-status").textContent === "The service is at work");
  await card("film.mov").locator(".cancel").click();
  await state("film.mov", "cancelled");
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
  const { format, kinds, height } = await probed(bytes);
  assert.match(format, /mp4/);
  assert.deepEqual([kinds, height], [["video"], 480]);
  assert.equal(await text("sound.wav", "status"), before);
});

test("before and after are played, and end with the comparison", async () => {
  await card("film.mov").locator(".compare").click();
  const after = page.locator('#players video[aria-label="After"]');
  await page.waitForFunction(() => document.querySelector('#players video[aria-label="After"]')?.videoHeight === 480);
  assert.ok((await after.evaluate(({ duration }) => duration)) > 1.5);
  assert.match(await page.textContent("#facts-after"), /video\/mp4/);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("#players video") === null);
});

test("a PDF is compared page by page under the divider", async () => {
  const source = join(folder, "pages.ps");
  const pages = [1, 2].map(
    (page) => `/Times-Roman findfont 60 scalefont setfont 80 ${page * 200} moveto (Page ${page}) show showpage`,
  );
  await writeFile(source, `%!PS\n<< /PageSize [300 500] >> setpagedevice\n${pages.join("\n")}\n`);
  await run("gs", [
    "-q",
    "-dNOPAUSE",
    "-dBATCH",
    "-dSAFER",
    "-sDEVICE=pdfwrite",
    "-dCompressPages=false",
    `-sOutputFile=${join(folder, "pages.pdf")}`,
    source,
  ]);
  await add([{ name: "pages.pdf", mimeType: "application/pdf", buffer: await readFile(join(folder, "pages.pdf")) }]);
  await state("pages.pdf", "done");
  await card("pages.pdf").locator(".compare").click();
  const shown = () =>
    page.waitForFunction(
      () => [...document.querySelectorAll(".layer img")].filter(({ naturalWidth }) => naturalWidth > 300).length === 2,
    );
  await shown();
  assert.equal(await page.textContent("#page-value"), "Page 1 of 2");
  const first = await page.locator("#layer-after img").getAttribute("src");
  await page.click("#page-next");
  await page.waitForFunction((src) => document.querySelector("#layer-after img")?.getAttribute("src") !== src, first);
  await shown();
  assert.equal(await page.textContent("#page-value"), "Page 2 of 2");
  assert.ok(await page.locator("#page-next").isDisabled());
  await page.keyboard.press("Escape");
});

test("a picture becomes a PDF where that is asked for, and only that one is sent", async () => {
  const before = await uploads();
  await card("photo.jpg").locator(".card-to").selectOption("application/pdf");
  await page.waitForFunction(() => [...document.querySelectorAll(".save")].some(({ download }) => download === "photo.pdf"));
  const { bytes } = await download(card("photo.jpg").locator(".save"));
  assert.equal(bytes.toString("latin1", 0, 5), "%PDF-");
  assert.ok((await uploads()) > before);
});

test("nothing of it broke the policy or was kept for longer than the tab", async () => {
  assert.deepEqual(await page.evaluate(() => violations), []);
  assert.deepEqual(complaints, []);
  assert.deepEqual(await page.evaluate(() => [localStorage.length, Object.keys(sessionStorage)]), [0, ["filepress.service"]]);
  await page.reload();
  assert.match(await page.textContent("#pledge"), new RegExp(host));
});

test("another address is asked about anew, and one that can not be used is refused in words", async () => {
  await page.click("#pledge");
  await page.fill("#service-address", "http://example.com");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /https/.test(document.getElementById("service-fault").textContent));
  await page.fill("#service-address", "http://127.0.0.1:9");
  await page.keyboard.press("Enter");
  await add([sound]);
  await page.locator("dialog#consent").waitFor();
  assert.match(await page.textContent("#consent-title"), /127\.0\.0\.1:9/);
  await page.keyboard.press("Escape");
  await state("sound.wav", "asking");
});

test("a picture that is too large for the device waits for leave to go to the service", async () => {
  await add([{ name: "huge.png", mimeType: "image/png", buffer: hugePng() }]);
  await page.locator("dialog#consent").waitFor();
  await page.keyboard.press("Escape");
  await state("huge.png", "asking");
});

test("forgetting the service leaves nothing of it", async () => {
  await page.click("#pledge");
  await page.click("#service-forget");
  await state("sound.wav", "lacking");
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  assert.equal(await page.textContent("#pledge-words"), "Everything stays on this device");
});
