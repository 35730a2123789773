// Headless Chromium with page.mjs, and its libraries in the form that measure.mjs expects.
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { launchChromium, openPage } from "../../tests/package/support/chromium.mjs";
import { openSite } from "../../tests/package/support/site.mjs";
import { manifest } from "../../scripts/built.mjs";
import { filepress } from "../peers/filepress.mjs";
import { installed, version } from "../peers/wasm.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const html = '<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,"><script type="module" src="page.js"></script>';

/** The peers, as the tables have them. */
export const browserPeers = [
  { id: "filepress", name: "filepress", version: manifest().version, loads: filepress.loads },
  { id: "compressorjs", name: "compressorjs", version: version("compressorjs"), loads: script("compressorjs/dist/compressor.esm.js") },
  {
    id: "browser-image-compression",
    name: "browser-image-compression",
    version: version("browser-image-compression"),
    loads: script("browser-image-compression/dist/browser-image-compression.mjs"),
  },
];

/**
 * @param {import("../corpus.mjs").Picture[]} pictures that will be asked for.
 * @returns {Promise<{ version: string, runners: (work: string) => import("../measure.mjs").Runner[], close: () => Promise<void> }>}
 */
export async function openBrowser(pictures) {
  const page = buildSync({ entryPoints: [path("page.mjs")], bundle: true, format: "esm", external: ["/package/*"], write: false });
  const made = new Map([["/page.html", html], ["/page.js", page.outputFiles[0].contents]]);
  for (const { name, bytes } of pictures) made.set(`/pictures/${name}`, bytes);
  const site = await openSite(path("../../dist"), { made });
  const browser = await launchChromium();
  const opened = await openPage(browser, `${site.url}/page.html`);
  await opened.page.waitForFunction(() => window.measure !== undefined);

  const ask = (peer, work, picture, settings, wanted) =>
    opened.page.evaluate((given) => window.measure(...given), [peer, `/pictures/${picture.name}`, { work, ...settings }, wanted]);
  const runners = (work) =>
    browserPeers.map(({ id }) => ({
      id,
      async run(picture, settings) {
        const { url } = await ask(id, work, picture, settings, true);
        return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
      },
      time: async (picture, settings) => (await ask(id, work, picture, settings, false)).ms,
    }));
  const close = async () => {
    await browser.close();
    await site.close();
  };
  return { version: browser.version(), runners, close };
}

function script(file) {
  return () => ({ scripts: [installed(file)], wasm: [] });
}
