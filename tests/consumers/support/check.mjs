// Compares the results of a project with those of the same package in Node: the bytes must be equal.
import { strict as assert } from "node:assert";
import { openPage } from "../../package/support/chromium.mjs";
import { outcomeOf } from "../../package/support/outcome.mjs";
import { sample } from "../../package/support/samples.mjs";

export const photo = Buffer.from(await sample("baseline.jpg"));

/** Calls that `photo`, or `core` where there is none, and `avif` do. */
export const CALLS = [{ quality: 60, resize: { maxWidth: 120 } }, { to: "webp" }, { to: "avif", resize: { maxWidth: 64 } }];

/** What each of CALLS comes to in Node. */
export async function expected(project) {
  const { compress } = await project.import();
  return Promise.all(CALLS.map(async (options) => outcomeOf(await compress(photo, options))));
}

/** Opens the page at `url`, chooses the photo in its form, and makes the calls there. */
export async function checkPage(project, browser, url) {
  const { page, complaints } = await openPage(browser, url);
  try {
    await page.waitForFunction(() => window.compressFile !== undefined);
    await page.setInputFiles("input", { name: "photo.jpg", mimeType: "image/jpeg", buffer: photo });
    const outcomes = [];
    for (const options of CALLS) outcomes.push(await page.evaluate((options) => compressFile(options), options));
    assert.ok(page.workers().length >= 1, "the work was not done in a worker");
    assert.deepEqual(outcomes, await expected(project));
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
  }
}

/** Sends the photo to `url`, which answers with what it made of it, for each of the calls. */
export async function checkServer(project, url) {
  const outcomes = [];
  for (const options of CALLS) {
    const headers = { "content-type": "image/jpeg", "x-options": JSON.stringify(options) };
    const response = await fetch(url, { method: "POST", body: photo, headers });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    outcomes.push(JSON.parse(text));
  }
  assert.deepEqual(outcomes, await expected(project));
}
