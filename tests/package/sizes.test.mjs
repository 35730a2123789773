// What `make package` counts as the download size of a page.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { packageFolder } from "../../scripts/built.mjs";
import { sizesOf } from "../../scripts/package/sizes.mjs";

const folder = fileURLToPath(packageFolder);
const rows = sizesOf(folder, ["client", "photo", "photo_avif", "avif"]);
const row = (name) => rows.find((row) => row.name.startsWith(name));

test("JPEG to JPEG takes the page's JavaScript, a worker and two builds, and not the JavaScript of the Client", () => {
  const parts = ["client wasm", "photo wasm", "JS of a page for images", "JS of a worker"].map(row);
  assert.equal(row("all that JPEG").bytes, parts.reduce((sum, { bytes }) => sum + bytes, 0));
  assert.equal(row("all that JPEG").gzip, parts.reduce((sum, { gzip }) => sum + gzip, 0));
  assert.ok(row("JS of a page with a Client").bytes > row("JS of a page for images").bytes + 10_000);
});

test("JPEG to AVIF takes a build in place of photo, and a worker with its glue; PNG and WebP another one", () => {
  const [others, avif] = ["all that JPEG to JPEG", "all that JPEG to AVIF"].map(row);
  const [photo, own] = ["photo wasm", "photo_avif wasm"].map(row);
  const difference = avif.gzip - others.gzip - (own.gzip - photo.gzip);
  assert.ok(Math.abs(difference) < 500, `${difference} bytes of JavaScript`);
  assert.equal(avif.budget, 450_000);
  assert.ok(avif.gzip <= avif.budget, `${avif.gzip} bytes`);
  const [larger, wasm] = ["all that PNG or WebP to AVIF", "avif wasm"].map(row);
  const glue = larger.gzip - avif.gzip - (wasm.gzip - own.gzip);
  assert.ok(Math.abs(glue) < 100, `${glue} bytes of JavaScript`);
  assert.ok(larger.gzip <= larger.budget, `${larger.gzip} bytes`);
});

test("a worker is all that it runs", () => {
  const glue = readFileSync(`${folder}/wasm/photo/filepress.js`);
  assert.ok(row("JS of a worker").gzip > gzipSync(glue).length / 2, `${row("JS of a worker").gzip} bytes`);
});

test("each plug-in takes up to 3 KB beside the package; those that no page loads up to 5.5 KB", () => {
  const larger = { "filepress/vite": 3328, "filepress/serve": 5376, "filepress/next": 5632 };
  const plugins = rows.filter(({ name }) => name.startsWith("filepress/"));
  assert.ok(plugins.length >= 5, `${plugins.length} plug-ins`);
  for (const { name, gzip, budget } of plugins) assert.ok(gzip > 0 && gzip <= budget && budget === (larger[name] ?? 3072), `${name}: ${gzip} bytes`);
});
