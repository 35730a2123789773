// The thumbnail on a card: the first frame of a video if the browser has the codec, the first page of a PDF once the
// service has the file, otherwise an icon.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import * as films from "./support/films.mjs";
import { agree, visitServed } from "./support/served.mjs";

const visitor = await visitServed();
const { page, complaints, card, state, settled, add, uploads } = visitor;
after(() => visitor.close());
await page.evaluate(() => {
  globalThis.open = new Set();
  const [create, revoke] = [URL.createObjectURL, URL.revokeObjectURL];
  URL.createObjectURL = (blob) => {
    const url = create.call(URL, blob);
    open.add(url);
    return url;
  };
  URL.revokeObjectURL = (url) => {
    open.delete(url);
    revoke.call(URL, url);
  };
});

const drawn = (name) => card(name).locator(".thumb canvas");
const sign = (name) => card(name).locator(".thumb-icon use").getAttribute("href");
/** Takes the question before files are sent for a no. */
async function keep() {
  await page.locator("dialog#consent").waitFor();
  await page.keyboard.press("Escape");
}
/** How many colors the picture on a card has. */
const colors = (name) =>
  drawn(name).evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });

test("a video shows its first frame before anything is sent", async () => {
  await add([await films.webFilm("clip.webm")]);
  await keep();
  await state("clip.webm", "needs-consent");
  await drawn("clip.webm").waitFor();
  assert.ok((await colors("clip.webm")) > 8);
  assert.equal(await sign("clip.webm"), "#i-video");
  assert.equal(await uploads(), 0);
});

test("what the browser cannot play, sound and PDF have a sign, and nothing is said of it", async () => {
  // Its head alone tells that it is a film.
  const clip = await films.webFilm("cut.webm");
  await add([{ ...clip, buffer: clip.buffer.subarray(0, 400) }, await films.sound(), await films.pdf("pages.pdf")]);
  await keep();
  for (const name of ["cut.webm", "sound.wav", "pages.pdf"]) await state(name, "needs-consent");
  assert.deepEqual(await Promise.all(["cut.webm", "sound.wav", "pages.pdf"].map(sign)), ["#i-video", "#i-audio", "#i-document"]);
  assert.equal(await page.locator(".thumb canvas").count(), 1);
  assert.equal(await uploads(), 0);
});

test("a PDF is drawn by the server once that has it", async () => {
  await card("pages.pdf").locator(".agree").click();
  await agree(page);
  await state("pages.pdf", "done");
  await drawn("pages.pdf").waitFor();
  assert.ok((await colors("pages.pdf")) > 2);
});

test("no address of a file stays open but those of the downloads", async () => {
  await settled();
  const downloads = await page.locator('.card[data-state="done"]').count();
  await page.waitForFunction((count) => open.size === count, downloads);
  assert.deepEqual(await page.evaluate(() => violations), []);
  assert.deepEqual(complaints, []);
});
