// Debian's WebKit (MiniBrowser of WebKitGTK), driven by WebDriver (W3C) on a virtual display.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
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

/** Starts WebKit. Its one page is shared: `open(url)` leaves what was open before. `downloads` is the folder for what it downloads. */
export async function launchWebkit({ downloads } = {}) {
  const port = await freePort();
  // Where none is configured, that is the home folder.
  const env = downloads ? { ...process.env, HOME: downloads, XDG_CONFIG_HOME: downloads } : process.env;
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
  /** Presses on an element, moves as far as dragging takes, and lets go. */
  const drag = async (selector) => {
    const origin = { [ELEMENT]: await find(selector) };
    const steps = [
      { type: "pointerMove", x: 0, y: 0, origin },
      { type: "pointerDown", button: 0 },
      { type: "pointerMove", x: 10, y: 10, duration: 100, origin: "pointer" },
      { type: "pointerMove", x: -40, y: 40, duration: 100, origin: "pointer" },
      { type: "pointerUp", button: 0 },
    ];
    const mouse = { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: steps };
    await send("POST", `${session}/actions`, { actions: [mouse] });
  };
  const resize = (width, height) => send("POST", `${session}/window/rect`, { width, height });
  return {
    async open(url) {
      await send("POST", `${session}/url`, { url });
      return { evaluate, click, choose, drag, resize, close: async () => {} };
    },
    async close() {
      await send("DELETE", session).catch(() => {});
      stop();
    },
  };
}
