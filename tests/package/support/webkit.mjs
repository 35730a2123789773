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

/** Starts WebKit. Its one page is shared: `open(url)` leaves what was open before. */
export async function launchWebkit() {
  const port = await freePort();
  const driver = spawn("xvfb-run", ["--auto-servernum", "WebKitWebDriver", `--port=${port}`], { stdio: "ignore", detached: true });
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
  return {
    async open(url) {
      await send("POST", `${session}/url`, { url });
      return { evaluate, close: async () => {} };
    },
    async close() {
      await send("DELETE", session).catch(() => {});
      stop();
    },
  };
}
