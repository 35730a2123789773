// Accessibility of the demo page: axe-core in each state, light and dark, wide and narrow; and everything by
// keyboard.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { violations } from "../package/support/accessibility.mjs";
import { sample } from "../package/support/samples.mjs";
import { until } from "../package/support/until.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, complaints, settled, add } = visitor;
after(() => visitor.close());
const photo = await photoFile("photo.jpg");
/** As much of a video as it takes to recognize one. */
const film = {
  name: "film.mp4",
  mimeType: "video/mp4",
  buffer: Buffer.from("000000186674797069736f6d0000020069736f6d69736f326d703431", "hex"),
};

/** What axe finds in the page as it stands, in both color schemes and two widths. */
async function violationsEverywhere() {
  const found = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      found.push(...(await violations(page, 16)).map((words) => `${colorScheme} ${width}: ${words}`));
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

const states = {
  "empty, with every setting in sight": () =>
    page.locator("details").evaluateAll((folds) => folds.forEach((fold) => (fold.open = true))),
  "with cards that are done, failed, lacking and under way": async () => {
    const broken = { ...photo, name: "broken.jpg", buffer: photo.buffer.subarray(0, photo.buffer.length / 3) };
    const gif = { name: "moving.gif", mimeType: "image/gif", buffer: Buffer.from(await sample("animated.gif")) };
    await add([photo, broken, gif, film]);
    await settled();
    await page.locator(".card-to").nth(2).selectOption("image/jpeg");
    await page.locator(".card .loss").waitFor();
    await visitor.hold();
    await add([await photoFile("large.jpg", { large: true })]);
    await visitor.state("large.jpg", "working");
  },
  "with the comparison": async () => {
    await page.locator('.card:has-text("large.jpg") .cancel').click();
    await visitor.release();
    await settled();
    await page.locator(".compare").first().click();
    await page.locator("#layer-after img").waitFor();
    await page.waitForFunction(() => /^\d/.test(document.querySelector("#facts-after div:last-child dd")?.textContent ?? ""));
  },
  "with the offer to undo": async () => {
    await page.keyboard.press("Escape");
    await page.locator('.card:has-text("broken.jpg") .remove').click();
    await page.locator("#undo").waitFor();
  },
  "with the keys": async () => {
    await page.keyboard.press("?");
    await page.locator("dialog#keys").waitFor();
  },
  "with the proof that nothing is uploaded": async () => {
    await page.keyboard.press("Escape");
    await page.click("#pledge");
    await page.locator("dialog#privacy").waitFor();
    await page.keyboard.press("Escape");
    await page.click("#pledge");
  },
  "with the dialog for the server, which does not take the address": async () => {
    await page.click("#privacy-server");
    await page.fill("#service-address", "http://example.com");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("service-error").textContent !== "");
  },
  "with the question before a file is sent": async () => {
    await page.goto("about:blank");
    await page.goto(`${visitor.site.url}#service=http://127.0.0.1:9`);
    await add([film]);
    await page.locator("dialog#consent").waitFor();
  },
  "with a file that is kept here": async () => {
    await page.keyboard.press("Escape");
    await visitor.state("film.mp4", "needs-consent");
  },
};

for (const [name, reach] of Object.entries(states)) {
  test(`axe finds nothing in the page ${name}`, async () => {
    await reach();
    assert.deepEqual(await violationsEverywhere(), []);
  });
}

for (const locale of ["de-DE", "ar-EG"]) {
  test(`axe finds nothing in the cards and settings in ${locale}`, async (context) => {
    const other = await visit({ origin: visitor.site, locale });
    context.after(other.close);
    await other.add([photo, { ...photo, name: "broken.jpg", buffer: photo.buffer.subarray(0, 2000) }, film]);
    await other.settled();
    await other.page.locator("details").evaluateAll((folds) => folds.forEach((fold) => (fold.open = true)));
    assert.deepEqual(await violations(other.page, 16), []);
  });
}

test("by keys alone a file is picked, compared and saved", async () => {
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  // Who listens from here on has the dialog kept away long before a key opens it.
  const choosers = [];
  page.on("filechooser", (chooser) => choosers.push(chooser));
  const names = [];
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => document.activeElement.id || document.activeElement.name);
    if (name === names[0]) break;
    if (name) names.push(name);
    if (name === "file") {
      await page.keyboard.press("Space");
      const chooser = await until(() => choosers.pop());
      await chooser.setFiles([photo]);
      await settled();
    }
  }
  for (const id of ["pledge", "file", "image-to", "aim-default", "longest", "metadata-safe"])
    assert.ok(names.includes(id), `${id} is not reached`);
  await page.locator(".card .compare").focus();
  await page.keyboard.press("Enter");
  await page.locator("#layer-after img").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  assert.equal(saved.suggestedFilename(), "photo.jpg");
});

test("keys stay on a card whose button goes with its state", async () => {
  const focused = () => page.evaluate(() => document.activeElement.className);
  await add([await photoFile("large.jpg", { large: true })]);
  const large = page.locator('.card:has-text("large.jpg")');
  await large.locator(".cancel").focus();
  await page.keyboard.press("Enter");
  await visitor.state("large.jpg", "canceled");
  assert.match(await focused(), /\bagain\b/);
  await page.keyboard.press("Enter");
  await visitor.state("large.jpg", "working");
  assert.match(await focused(), /\bcancel\b/);
  await visitor.state("large.jpg", "done");
  assert.match(await focused(), /\bsave\b/);
  await large.locator(".remove").focus();
  await page.keyboard.press("Enter");
});

test("on a narrow page keys lead into the settings that were opened, before the files", async () => {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.locator("#show-settings").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.preset), "web");
  await page.keyboard.press("Escape");
  assert.deepEqual([await page.isVisible("#panel"), await page.evaluate(() => document.activeElement.id)], [false, "show-settings"]);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("the comparison begins at its divider", async () => {
  await page.locator(".card .compare").focus();
  await page.keyboard.press("Enter");
  await page.locator("#layer-after img").waitFor();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getAttribute("#divider", "aria-valuenow"), "52");
  await page.keyboard.press("Escape");
  assert.match(await page.evaluate(() => document.activeElement.className), /\bcompare\b/);
});

test("how things go is said, in few words", async () => {
  await page.evaluate(() => {
    globalThis.said = [];
    const status = document.getElementById("status");
    const note = () => said.push({ words: status.textContent, at: performance.now() });
    new MutationObserver(note).observe(status, { childList: true });
  });
  await add(await Promise.all(Array.from({ length: 12 }, (_, index) => photoFile(`${index}.jpg`, { seed: index + 1 }))));
  await page.waitForFunction(() => said.some(({ words }) => words.startsWith("13 files finished")));
  const said = await page.evaluate(() => said);
  const pauses = said.slice(1).map(({ at }, index) => at - said[index].at);
  // Timers of a browser may be a little early.
  assert.ok(Math.min(...pauses) > 2900, JSON.stringify(said));
});

test("nothing jumps while files are worked on", async () => {
  await page.click("#clear");
  // The page makes room for cards once, when the first file comes.
  await add([
    await photoFile("large.jpg", { large: true }),
    { ...photo, name: "broken.jpg", buffer: photo.buffer.subarray(0, 2000) },
    photo,
  ]);
  await page.locator(".card").nth(2).waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.evaluate(() => {
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shifted += value;
    }).observe({ type: "layout-shift" });
  });
  const large = page.locator('.card:has-text("large.jpg")');
  const before = await large.boundingBox();
  await settled();
  assert.deepEqual(await large.boundingBox(), before);
  assert.ok((await page.evaluate(() => shifted)) < 0.01);
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
