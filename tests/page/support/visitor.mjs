// A visitor of the demo page in Chromium: serves the site that `make site` built, and performs the visitor's actions.
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { serve } from "../../../scripts/serve.mjs";
import { PATIENCE, launchChromium } from "../../package/support/chromium.mjs";
import { photo } from "../../package/support/pictures.mjs";
import { toSharp } from "../../package/support/samples.mjs";
import { holdable } from "./held.mjs";

/**
 * Opens the page. Without `offline` there is no service worker, which would hide requests from the test; with `saveData` the
 * browser says that few data are wanted. Without `idle` the browser never has time to spare, so that nothing happens
 * that a test did not ask for. `options` are those of a Playwright context.
 */
export async function visit({ offline = false, saveData = false, idle = offline, hash = "", origin, ...options } = {}) {
  const site = origin ?? (await serve());
  const browser = await launchChromium();
  const context = await browser.newContext({
    serviceWorkers: offline ? "allow" : "block",
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.addInitScript(() => {
    globalThis.violations = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      violations.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  await page.addInitScript(holdable);
  if (!idle) await page.addInitScript(() => (globalThis.requestIdleCallback = () => 0));
  if (saveData)
    await page.addInitScript(() => Object.defineProperty(navigator.connection, "saveData", { value: true }));
  await page.goto(site.url + hash);

  const card = (name) => page.locator(".card", { has: page.locator(`.card-name[title="${name}"]`) });
  const state = (name, wanted) =>
    card(name)
      .and(page.locator(`[data-state="${wanted}"]`))
      .waitFor();
  const text = (name, part) => card(name).locator(`.card-${part}`).textContent();
  /** From the one until the other nothing that is under way here ends. */
  const hold = () => page.evaluate(() => globalThis.hold());
  const release = () => page.evaluate(() => globalThis.release());
  /** Resolves when nothing is under way any more. A card that was not in view yet tells its state before it shows what can be saved. */
  const settled = () =>
    page.waitForFunction(() => {
      const states = [...document.querySelectorAll(".card")].map(({ dataset }) => dataset.state);
      const shown = document.querySelector('.card[data-state="done"] .save:not([href])') === null;
      const resting = shown && document.getElementById("cards").ariaBusy !== "true";
      return resting && states.length > 0 && !states.some((state) => state === "reading" || state === "working");
    });
  /** The file that a click brings, and its name. */
  const download = async (target) => {
    const [saved] = await Promise.all([page.waitForEvent("download"), target.click()]);
    return { name: saved.suggestedFilename(), bytes: readFileSync(await saved.path()) };
  };
  /** Opens the comparison of a file. It opens after the click, not with it. */
  const compare = async (name) => {
    await card(name).locator(".compare").click();
    await page.locator("#compare[open]").waitFor();
  };
  const closeComparison = async () => {
    await page.keyboard.press("Escape");
    await page.locator("#compare").waitFor({ state: "hidden" });
  };
  const add = (files) => page.setInputFiles("#file", files);
  const close = async () => {
    await browser.close();
    if (!origin) await site.close();
  };
  const actions = { card, state, text, hold, release, settled, download, compare, closeComparison, add, close };
  return { site, browser, context, page, complaints, ...actions };
}

/** A photo as a JPEG to be picked. `large` makes one that takes a while. */
export async function photoFile(name, { seed = 1, width = 360, height = 240, large = false } = {}) {
  const picture = toSharp(photo(width, height, seed)).removeAlpha();
  const buffer = await (large ? picture.resize(3600, 2400) : picture).jpeg({ quality: 95 }).toBuffer();
  return { name, mimeType: "image/jpeg", buffer };
}

/** What another decoder finds: { format, width, height, pages }. */
export async function decoded(bytes) {
  const { format, width, height, pageHeight, pages = 1, compression } = await sharp(bytes, { animated: true }).metadata();
  return { format: compression === "av1" ? "avif" : format, width, height: pageHeight ?? height, pages };
}
