// The Worker of examples/worker/ between the page and the live service: the Worker holds the key, the page has none.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { startService } from "../../scripts/service.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { startExample } from "../package/support/example-worker.mjs";
import * as films from "./support/films.mjs";
import { agree } from "./support/served.mjs";
import { visit } from "./support/visitor.mjs";

const site = await serve();
const { origin } = new URL(site.url);
const service = await startService({ args: ["--cors-origins", origin] });
const bindings = { SERVICE_URL: service.url, SERVICE_KEY: service.key, PAGE_ORIGIN: origin };
const worker = await startExample(createConsumer(), bindings);
const visitor = await visit({ origin: site });
const { page, complaints, card, state, text, download, add, compare, closeComparison } = visitor;
after(async () => {
  await visitor.close();
  await Promise.all([site.close(), worker.close(), service.stop(), films.close()]);
});

test("its address is all that the page is told", async () => {
  await page.click("#pledge");
  await page.click("#privacy-server");
  await page.fill("#service-address", String(worker.url));
  await page.keyboard.press("Enter");
  await page.locator("#pledge-words", { hasText: new URL(worker.url).host }).waitFor();
});

test("a video goes through it, and comes back smaller", async () => {
  const keys = [];
  page.on("request", (request) => keys.push(JSON.stringify(request.headers()).includes(service.key)));
  const film = await films.film();
  await add([film]);
  await agree(page);
  await state("film.mov", "done");
  assert.match(await text("film.mov", "status"), new RegExp(`^By ${new URL(worker.url).host} · `));
  const { bytes } = await download(card("film.mov").locator(".save"));
  assert.ok(bytes.length < film.buffer.length);
  assert.deepEqual((await films.probed(bytes)).kinds.sort(), ["audio", "video"]);
  assert.ok(keys.length >= 4 && !keys.includes(true));
});

test("a PDF does as well, and its pages are compared", async () => {
  await add([await films.pdf("pages.pdf")]);
  await state("pages.pdf", "done");
  await card("pages.pdf").locator(".thumb canvas").waitFor();
  await compare("pages.pdf");
  await page.waitForFunction(
    () => [...document.querySelectorAll(".layer img")].filter(({ naturalWidth }) => naturalWidth > 300).length === 2,
  );
  await closeComparison();
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
