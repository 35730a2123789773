// Debian's WebKit (MiniBrowser of WebKitGTK), driven by WebDriver (W3C) on a virtual display.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE } from "./chromium.mjs";
import { freePort } from "./free-port.mjs";
import { until } from "./until.mjs";

/** Where Debian puts the browser, for any machine. */
function miniBrowser() {
  const folder = readdirSync("/usr/lib").find((name) => name.endsWith("-linux-gnu"));
  return join("/usr/lib", folder, "webkit2gtk-4.1", "MiniBrowser");
}

/** How WebDriver names a reference to an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
/** How WebDriver names keys that type nothing. */
const KEYS = { Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C", ArrowLeft: "\uE012", ArrowRight: "\uE014" };
/** Makes the browser's toolbar small, which keeps the window much wider than a phone. */
const SMALL_TOOLBAR = "* { min-width: 0; margin: 0; padding: 0; border-width: 0; font-size: 1px; }";

/** The environment of a browser whose home is `folder`; by default, downloads go there. WebKit takes its language from the system's locale. */
function homeIn(folder, language) {
  const toolkit = join(folder, "gtk-3.0");
  mkdirSync(toolkit, { recursive: true });
  writeFileSync(join(toolkit, "gtk.css"), SMALL_TOOLBAR);
  const home = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder };
  if (!language) return home;
  // A machine may have no other locale than "C". For the browser, the name is enough.
  const locale = `${language.replace("-", "_")}.UTF-8`;
  const locales = join(folder, "locales");
  cpSync("/usr/lib/locale/C.utf8", join(locales, locale), { recursive: true });
  return { ...home, LOCPATH: locales, LC_ALL: locale };
}

/** Runs in the page: counts the keys that are let go from here on. */
function hearKeys() {
  if (globalThis.heard === undefined) addEventListener("keyup", () => globalThis.heard++, { capture: true });
  globalThis.heard = 0;
}

/**
 * Starts WebKit. Its one page is shared: `open(url)` leaves what was open before. `downloads` is the folder for what it downloads; a browser
 * that has one can have a language, as in "ar-EG".
 */
export async function launchWebkit({ downloads, language } = {}) {
  const port = await freePort();
  const env = downloads ? homeIn(downloads, language) : process.env;
  const driver = spawn("xvfb-run", ["--auto-servernum", "WebKitWebDriver", `--port=${port}`], { stdio: "ignore", detached: true, env });
  const stop = () => {
    try {
      process.kill(-driver.pid);
    } catch {
      // It has ended.
    }
  };
  process.once("exit", stop);
  const send = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebKit: ${value.error}: ${value.message}`);
    return value;
  };
  await until(() => send("GET", "/status").then(() => true, () => false));
  const { sessionId } = await send("POST", "/session", {
    capabilities: {
      alwaysMatch: {
        "webkitgtk:browserOptions": { binary: miniBrowser(), args: ["--automation"] },
        timeouts: { script: PATIENCE, pageLoad: PATIENCE },
      },
    },
  });
  const session = `/session/${sessionId}`;
  const evaluate = (work, argument) => send("POST", `${session}/execute/sync`, { script: `return (${work})(...arguments)`, args: [argument ?? null] });
  const find = async (selector) => (await send("POST", `${session}/element`, { using: "css selector", value: selector }))[ELEMENT];
  const click = async (selector) => send("POST", `${session}/element/${await find(selector)}/click`, {});
  /** Chooses files or folders in a field, by their paths. */
  const choose = async (selector, ...paths) => send("POST", `${session}/element/${await find(selector)}/value`, { text: paths.join("\n") });
  const perform = (...actions) => send("POST", `${session}/actions`, { actions });
  /** What a mouse does, as WebDriver names it; a button that is down stays so until it goes up. */
  const mouse = (...actions) => perform({ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions });
  const center = async (selector) => ({ type: "pointerMove", x: 0, y: 0, origin: { [ELEMENT]: await find(selector) } });
  /** Presses on an element, moves as far as dragging takes, and lets go. */
  const drag = async (selector) =>
    mouse(
      await center(selector),
      { type: "pointerDown", button: 0 },
      { type: "pointerMove", x: 10, y: 10, duration: 100, origin: "pointer" },
      { type: "pointerMove", x: -40, y: 40, duration: 100, origin: "pointer" },
      { type: "pointerUp", button: 0 },
    );
  /** Presses keys one after another, by the names that events give them. On a busy machine the page hears them later than the driver is done. */
  const press = async (...keys) => {
    await evaluate(hearKeys);
    const values = keys.map((key) => KEYS[key] ?? key);
    await perform({ type: "key", id: "keyboard", actions: values.flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))) });
    await until(() => evaluate((count) => globalThis.heard >= count, keys.length));
  };
  const resize = (width, height) => send("POST", `${session}/window/rect`, { width, height });
  return {
    async open(url) {
      await send("POST", `${session}/url`, { url });
      return { evaluate, click, choose, drag, mouse, press, resize, close: async () => {} };
    },
    async close() {
      await send("DELETE", session).catch(() => {});
      stop();
    },
  };
}
