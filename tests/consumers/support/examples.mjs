// The examples of the documents that belong into a project of this folder. Their info strings say where, as in ```js in next/app/page.js.
import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { openPage } from "../../package/support/chromium.mjs";
import { photo } from "./check.mjs";

/** Milliseconds. */
const LOADS_WITHIN = 10_000;
const docs = new URL("../../../docs/", import.meta.url);

/** `[path in the project, text]` of the examples for the project `name`. */
export function examplesOf(name) {
  const documents = readdirSync(docs, { recursive: true }).filter((path) => path.endsWith(".md"));
  const blocks = documents.flatMap((path) => [...readFileSync(new URL(path, docs), "utf8").matchAll(/^```\w+ in ([^/\n]+)\/([^\n]+)\n([\s\S]*?)^```$/gm)]);
  return blocks.filter(([, project]) => project === name).map(([, , path, text]) => [path, text]);
}

/** Puts the examples into the project, which is a copy of the one in this folder. */
export function writeExamples(project, name) {
  const examples = examplesOf(name);
  assert.ok(examples.length > 0, `no document has an example for ${name}`);
  for (const [path, text] of examples) project.write(path, text);
}

/** Chooses the photo on the example's page at `url`, which shows what it became. */
export async function checkShrinkPage(browser, url) {
  await onPage(browser, url, async (page) => {
    await page.waitForFunction(() => document.querySelector("img").naturalWidth > 0);
    assert.match(await page.evaluate(() => document.querySelector("img").src), /^blob:/);
  });
}

/** Chooses the photo in the example's form at `url`, and reads what the form uploads. */
export async function checkUploadForm(browser, url) {
  await onPage(browser, url, async (page) => {
    await page.waitForFunction(() => /^\d+ bytes became \d+\.$/.test(document.querySelector("output").textContent));
    await page.route("**/api/photos", (route) => route.fulfill({ status: 201 }));
    const [request] = await Promise.all([page.waitForRequest("**/api/photos"), page.click("button")]);
    const body = request.postDataBuffer() ?? Buffer.alloc(0);
    assert.match(request.headers()["content-type"], /^multipart\/form-data/);
    if (body.length > 0) assert.ok(body.includes('name="photo"; filename="photo.jpg"') && body.length < photo.length);
    await page.waitForFunction(() => document.querySelector("output").textContent === "Uploaded.");
  });
}

/** Posts the photo to the example's route at `url`, and bytes that are no image. */
export async function checkShrinkRoute(url) {
  const post = (body) => fetch(url, { method: "POST", body, headers: { "content-type": "image/jpeg" } });
  const made = await post(photo);
  const bytes = Buffer.from(await made.arrayBuffer());
  assert.deepEqual([made.status, made.headers.get("content-type"), bytes.toString("latin1", 8, 12)], [200, "image/webp", "WEBP"]);
  assert.equal((await post("just some words")).status, 400);
}

/** For a page before any of its scripts runs: `listening` collects what gets a listener for changes. */
function noteListeners() {
  window.listening = [];
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, ...settings) {
    if (type === "change") listening.push(this);
    return addEventListener.call(this, type, ...settings);
  };
}

/** Opens the page until it is loaded once alone, and chooses the photo: a development server loads a page again when it has bundled what it imports. */
async function onPage(browser, url, check) {
  while (!(await visit(browser, url, check)));
}

/** Chooses the photo once the framework listens to the page's input. False where the page was loaded again meanwhile. */
async function visit(browser, url, check) {
  // Not every page of an example names an icon.
  const giveIcon = (page) => page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  const prepare = async (page) => (await giveIcon(page), await page.addInitScript(noteListeners));
  const { page, complaints } = await openPage(browser, url, {}, prepare);
  try {
    const again = page.waitForEvent("domcontentloaded", { timeout: 0 }).then(() => false);
    const chosen = choosePhoto(page).then(() => check(page));
    // What fails because the page is loaded again fails before it has been loaded.
    const failed = (error) => Promise.race([again, setTimeout(LOADS_WITHIN).then(() => Promise.reject(error))]);
    const checked = await Promise.race([again, chosen.then(() => true, failed)]);
    if (checked) assert.deepEqual(complaints, []);
    return checked;
  } finally {
    await page.close();
  }
}

async function choosePhoto(page) {
  // Until a framework has taken over the page of its server, nobody listens.
  await page.waitForFunction(() => {
    const input = document.querySelector("input[type=file]");
    return input && listening.some((target) => target instanceof Node && target.contains(input));
  });
  await page.setInputFiles("input", { name: "photo.jpg", mimeType: "image/jpeg", buffer: photo });
}
