// Debian's Firefox, driven by puppeteer-core over WebDriver BiDi.
import puppeteer from "puppeteer-core";
import { PATIENCE } from "./chromium.mjs";

/**
 * Starts Firefox with a profile of its own; `preferences` are those of about:config, by name. A test may run scripts in the browser itself,
 * which is how it stands for dialogs of the system.
 */
export function launchFirefox(preferences = {}) {
  return puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: true,
    args: ["--remote-allow-system-access"],
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
    extraPrefsFirefox: preferences,
  });
}
