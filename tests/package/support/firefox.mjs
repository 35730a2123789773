// Debian's Firefox, driven by puppeteer-core over WebDriver BiDi.
import puppeteer from "puppeteer-core";
import { PATIENCE } from "./chromium.mjs";

/** Starts Firefox with a profile of its own; `preferences` are those of about:config, by name. */
export function launchFirefox(preferences = {}) {
  return puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: true,
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
    extraPrefsFirefox: preferences,
  });
}
