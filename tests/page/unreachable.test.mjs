// A server that cannot be reached: the card says so, and a retry succeeds once the server is available.
import { strict as assert } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "../../scripts/serve.mjs";
import { startService } from "../../scripts/service.mjs";
import * as films from "./support/films.mjs";
import { agree } from "./support/served.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const site = await serve();
const data = await mkdtemp(join(tmpdir(), "filepress-service-"));
const args = ["--cors-origins", new URL(site.url).origin];
let service = await startService({ data, args });
const { url, key } = service;
await service.stop();
const visitor = await visit({ origin: site, hash: `#${new URLSearchParams({ service: url, key })}` });
const { page, complaints, card, state, text, add } = visitor;
after(async () => {
  await visitor.close();
  await Promise.all([site.close(), service.stop(), films.close()]);
  await rm(data, { recursive: true });
});
const sound = await films.sound();
/** Everything that a card has said; what it says between two attempts may be over before anybody asks. */
await page.evaluate(() => {
  window.said = [];
  const note = () => said.push(...[...document.querySelectorAll(".card-status")].map(({ textContent }) => textContent));
  new MutationObserver(note).observe(document.getElementById("cards"), { subtree: true, childList: true, characterData: true });
});
async function triedAgain() {
  const words = `Retrying: ${new URL(url).host} is busy or can’t be reached`;
  await page.waitForFunction((words) => said.includes(words), words);
}

test("the card says what is wrong, after the client has tried more than once", async () => {
  let attempts = 0;
  page.on("requestfailed", (request) => request.url().startsWith(url) && attempts++);
  await add([sound, await photoFile("photo.jpg")]);
  await agree(page);
  await state("photo.jpg", "done");
  await triedAgain();
  await state("sound.wav", "failed");
  assert.match(await text("sound.wav", "status"), /^The server can’t be reached/);
  assert.equal(await card("sound.wav").locator(".card-status").getAttribute("title"), "network");
  assert.ok(attempts >= 3, `${attempts} attempts`);
  assert.equal(await page.textContent("#total-count"), "2 files, 1 failed");
});

test("once it is there again a retry is enough, though it is busy at first, which is told", async () => {
  let refused = 0;
  await page.route(`${url}/v1/files`, async (route) => {
    if (route.request().method() !== "POST" || refused === 3) return route.fallback();
    refused++;
    await route.fulfill({ status: 503, headers: { "access-control-allow-origin": new URL(site.url).origin }, body: "" });
  });
  service = await startService({ data, args, listen: new URL(url).host });
  await page.evaluate(() => (said.length = 0));
  await card("sound.wav").locator(".again").click();
  await triedAgain();
  await state("sound.wav", "done");
  assert.equal(await page.textContent("#total-count"), "2 files");
  await page.unroute(`${url}/v1/files`);
});

test("a service that is forgotten gets nothing more of what was on its way", async () => {
  await service.stop();
  const toService = (request) => request.url().startsWith(url);
  await Promise.all([page.waitForEvent("requestfailed", toService), add([{ ...sound, name: "late.wav" }])]);
  await page.click("#pledge");
  await page.click("#privacy-server");
  await page.click("#service-forget");
  await state("late.wav", "no-server");
  const requests = [];
  page.on("request", (request) => toService(request) && requests.push(request.method()));
  service = await startService({ data, args, listen: new URL(url).host });
  // More than the client waits before its next attempts.
  await sleep(4000);
  assert.deepEqual(requests, []);
  assert.match(await text("sound.wav", "status"), new RegExp(`^By ${new URL(url).host} `));
});

test("the console tells of requests that were not answered, and of nothing else", () =>
  assert.deepEqual(
    complaints.filter((words) => !/ERR_CONNECTION_REFUSED|status of 503/.test(words)),
    [],
  ));
