// `make screenshots`: the screenshots of the demo page in docs/, at 1440 and 390 pixels, light and dark, with
// generated pictures, compressed by the package itself. Exits with 1 if a screenshot is too large for a README.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { launchChromium } from "../tests/package/support/chromium.mjs";
import { importBuilt } from "./built.mjs";
import { landscape, times } from "./screenshots/landscapes.mjs";
import { serve } from "./serve.mjs";
import { grouped } from "./table.mjs";

const MOST = 150_000;
const docs = join(import.meta.dirname, "..", "docs");
const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

const shots = [
  { name: "page-light", device: wide, colorScheme: "light", reach: compressAll },
  { name: "page-dark", device: wide, colorScheme: "dark", reach: compressAll },
  { name: "compare-light", device: wide, colorScheme: "light", reach: compare },
  { name: "compare-dark", device: wide, colorScheme: "dark", reach: compare },
  { name: "phone-light", device: phone, colorScheme: "light", reach: compressAll },
  { name: "phone-dark", device: phone, colorScheme: "dark", reach: async () => {} },
];

const photos = await Promise.all(
  times.map(async (time, index) => {
    const buffer = await landscape(time, { width: 1800 + index * 120, height: 1200 + index * 80, shift: index });
    return { name: `${time}.jpg`, mimeType: "image/jpeg", buffer };
  }),
);
const { compress } = await importBuilt();
const site = await serve();
const browser = await launchChromium();
await mkdir(docs, { recursive: true });
for (const { name, device, colorScheme, reach } of shots) {
  const context = await browser.newContext({ ...device, colorScheme, reducedMotion: "reduce", serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(site.url);
  await reach(page);
  // What a button's state or a picture's decoding still owes to the screen.
  await page.waitForTimeout(500);
  const { blob, inputSize, outputSize } = await compress(await page.screenshot(), { quality: 50, effort: 8 });
  await writeFile(join(docs, `${name}.png`), new Uint8Array(await blob.arrayBuffer()));
  console.log(`docs/${name}.png: ${grouped(inputSize)} bytes became ${grouped(outputSize)}`);
  if (outputSize > MOST) process.exitCode = 1;
  await context.close();
}
await browser.close();
await site.close();

/** Drops the photos, one of them to become another type, and waits until all is done. */
async function compressAll(page) {
  await page.setInputFiles("#file", photos);
  const done = () =>
    page.waitForFunction((count) => document.querySelectorAll('.card[data-state="done"]').length === count, photos.length);
  await done();
  await page.locator(".card-to").nth(2).selectOption("image/webp");
  await page.waitForFunction(() => document.querySelectorAll(".save")[2].download.endsWith(".webp"));
  await done();
  // The sizes of other formats, on the cards that can be seen.
  await page.waitForFunction(
    () => {
      const cards = [...document.querySelectorAll(".card")].filter((card) => card.getBoundingClientRect().top < innerHeight);
      const isKnown = ({ textContent }) => /\d (?:bytes|[kM]B)/.test(textContent);
      return cards.every((card) => card.querySelectorAll(".card-offers button").length > 0 && [...card.querySelectorAll(".card-offers button")].every(isKnown));
    },
    undefined,
    { timeout: 120_000 },
  );
}

/** Opens the comparison of a photo whose quality was searched by its look. */
async function compare(page) {
  await page.click('label[for="aim-auto"]');
  await page.setInputFiles("#file", [photos[0]]);
  // A search by its look takes a while.
  await page.locator('.card[data-state="done"] .compare').click({ timeout: 120_000 });
  await page.locator("#layer-after img").waitFor();
}
