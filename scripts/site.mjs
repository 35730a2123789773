// `make site`: builds the demo page for any static host in dist/site/: www/ joined and minified, with its English texts in place, the
// package in filepress/, the ZIP library in vendor/, icons rendered from the SVG by the package itself, and files.js, which
// lists every file and its hash for the service worker. Addresses are relative, so the site can be in any folder of its
// host.
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { CATALOG } from "../www/text/en.js";
import { importBuilt, packageFolder } from "./built.mjs";
import { fillTexts } from "./page-texts.mjs";
import { readProject } from "./project.mjs";
import { landscape } from "./screenshots/landscapes.mjs";
import { joinScripts, joinSheets, withPreloads } from "./site/bundle.mjs";
import { withProjectLinks } from "./site/project-links.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));
const source = join(project, "www");

/** Where the site is put. */
export const siteFolder = join(project, "dist", "site");

/** What a browser needs of the package, and what its licenses ask for. */
const FROM_PACKAGE = [
  "index.browser.js",
  "platforms/browser.js",
  "worker-photo.js",
  "worker-photo_avif.js",
  "worker-avif.js",
  "worker-core.js",
  "worker-full.js",
  "worker-jxl.js",
  "lib",
  "wasm",
  "LICENSE-MIT",
  "LICENSE-APACHE",
  "THIRD-PARTY-LICENSES.txt",
];
const ICONS = [
  { from: "icon.svg", to: "icons/192.png", side: 192 },
  { from: "icon.svg", to: "icons/512.png", side: 512 },
  { from: "icon-maskable.svg", to: "icons/maskable-512.png", side: 512 },
  { from: "icon-maskable.svg", to: "icons/apple-180.png", side: 180 },
];
/** What a visit does without until the page is idle, or a file comes; the rest is there at once. Of the chunks, main.js needs some. */
const LATER = /^(?:filepress|compare|offers|vendor|text)\/|^(?:zip|watermark-input|shared-\w+)\.js$/;
/** What the service worker leaves to the browser: itself, and what a page never asks for. */
const NEVER = /^(?:sw\.js|files\.js|sample\.jpg)$|^icon-maskable|^icons\/|LICENSE|\.txt$/;

/** What the sample picture may weigh. */
const SAMPLE_BYTES = 300_000;

/** Builds the site anew, from the built package; returns its folder. */
export async function buildSite() {
  await rm(siteFolder, { recursive: true, force: true });
  await mkdir(siteFolder, { recursive: true });
  await copyRest();
  const chunks = await joinScripts(source, siteFolder);
  const page = await readFile(join(source, "index.html"), "utf8");
  const joined = withPreloads(await joinSheets(page, source, siteFolder, "style.css"), chunks);
  await writeFile(join(siteFolder, "index.html"), withProjectLinks(fillTexts(joined, CATALOG.page), readProject()));
  for (const name of FROM_PACKAGE)
    await cp(new URL(name, packageFolder), join(siteFolder, "filepress", name), { recursive: true });
  const zip = join(project, "node_modules", "client-zip");
  await cp(join(zip, "index.js"), join(siteFolder, "vendor", "client-zip.js"));
  await cp(join(zip, "LICENSE.txt"), join(siteFolder, "vendor", "client-zip.LICENSE.txt"));
  await drawIcons();
  await writeFile(join(siteFolder, "sample.jpg"), await drawSample());
  await writeFile(join(siteFolder, "files.js"), await list(chunks));
  return siteFolder;
}

async function drawIcons() {
  const { convert } = await importBuilt();
  await mkdir(join(siteFolder, "icons"));
  for (const { from, to, side } of ICONS) {
    const drawing = await readFile(join(source, from));
    const icon = await convert(drawing, "image/png", { resize: { width: side, height: side } });
    await writeFile(join(siteFolder, to), await icon.bytes());
  }
}

/** Copies what is served as it is written: everything but scripts, style sheets and the page. The service worker is a script of its own. */
async function copyRest() {
  const names = await readdir(source, { recursive: true, withFileTypes: true });
  for (const entry of names) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !/\.(?:js|css|html)$/.test(entry.name)) await cp(path, join(siteFolder, relative(source, path)));
  }
  const worker = await readFile(join(source, "sw.js"), "utf8");
  await writeFile(join(siteFolder, "sw.js"), (await transform(worker, { loader: "js", minify: true, charset: "utf8" })).code);
}

/** The picture for visitors who have none at hand. */
async function drawSample() {
  const bytes = await landscape("dusk", { width: 1500, height: 1000, shift: 3 });
  if (bytes.length > SAMPLE_BYTES) throw new Error(`the sample picture has ${bytes.length} bytes`);
  return bytes;
}

/** The files as [path, integrity], and a name for all of them together that changes when one of them does. `chunks` are those of main.js. */
async function list(chunks) {
  const entries = await readdir(siteFolder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(siteFolder.length + 1));
  const hashed = paths
    .filter((path) => !NEVER.test(path))
    .sort()
    .map(async (path) => {
      const bytes = await readFile(join(siteFolder, path));
      return [path, `sha256-${createHash("sha256").update(bytes).digest("base64")}`];
    });
  const files = await Promise.all(hashed);
  const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  const isLater = (path) => LATER.test(path) && !chunks.includes(path);
  const [later, first] = [true, false].map((is) => files.filter(([path]) => isLater(path) === is));
  return `self.FILES = ${JSON.stringify({ version, first, later }, null, 1)};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(`site: ${await buildSite()}`);
