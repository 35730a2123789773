// Browser engines behind one interface: `launch()` starts a browser; its `open(url)` opens an address in a new page:
// { evaluate(work, argument), close() }, where `work` is a function that runs in the page.
import { launchChromium, openPage } from "./chromium.mjs";
import { launchFirefox } from "./firefox.mjs";
import { launchWebkit } from "./webkit.mjs";

async function chromium() {
  const browser = await launchChromium();
  return { open: async (url) => (await openPage(browser, url)).page, close: () => browser.close() };
}

async function firefox(preferences) {
  const browser = await launchFirefox(preferences);
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
  "Firefox that resists fingerprinting": () => firefox({ "privacy.resistFingerprinting": true }),
  WebKit: launchWebkit,
};
