// Debian's Chromium, driven by playwright-core, without background traffic.
import { chromium } from "playwright-core";

/** How long Chromium may take to start, and a page to come to what is waited for, in milliseconds: far more than it does. */
export const PATIENCE = 120_000;

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--no-first-run",
];

export function launchChromium() {
  return chromium.launch({ executablePath: "/usr/bin/chromium", headless: true, args, timeout: PATIENCE });
}

/** Opens an address in a new page, made with `options` and handed to `before`, if there is one. `complaints` collects all that the page said to the console as an error, and what it threw. */
export async function openPage(browser, url, options, before) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE);
  await before?.(page);
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}
