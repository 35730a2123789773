// Browser engines behind one interface: `launch()` starts a browser; its `open(url)` opens an address in a new page:
// { evaluate(work, argument), click(selector), close() }, where `work` is a function that runs in the page, and a click is what a visitor's
// is. With `launch({ downloads })`, Firefox and WebKit put what a page downloads into that folder; WebKit then has a language as well if it is
// given one, as in `launch({ downloads, language: "ar-EG" })`.
import { launchChromium, openPage } from "./chromium.mjs";
import { launchFirefox } from "./firefox.mjs";
import { launchWebkit } from "./webkit.mjs";

async function chromium() {
  const browser = await launchChromium();
  return { open: async (url) => (await openPage(browser, url)).page, close: () => browser.close() };
}

async function firefox({ downloads, ...preferences } = {}) {
  // What was downloaded would be shown: pictures as pages in front of the one that is tested, all of it in a list that takes its keys.
  const quietly = { "browser.download.viewableInternally.enabledTypes": "", "browser.download.alwaysOpenPanel": false };
  const folder = downloads && { "browser.download.folderList": 2, "browser.download.dir": downloads, ...quietly };
  const browser = await launchFirefox({ ...folder, ...preferences });
  const open = async (url) => {
    const page = await browser.newPage();
    await page.goto(url);
    return page;
  };
  return { open, close: () => browser.close() };
}

/** By name. Firefox comes twice: where it resists fingerprinting, canvases give no pixels and the machine is not told. */
export const ENGINES = {
  Chromium: chromium,
  Firefox: firefox,
  "Firefox that resists fingerprinting": (options) => firefox({ ...options, "privacy.resistFingerprinting": true }),
  WebKit: launchWebkit,
};
