// filepress/webpack: the configuration and the script of docs/plugins.md, for development and production.
import { strict as assert } from "node:assert";
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { launchChromium } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { checkPictures, checkPresets, checkRefusals, png, writePictures } from "./support/pictures.mjs";
import { openProject } from "./support/project.mjs";

const browser = await launchChromium();
after(() => browser.close());

const project = openProject("webpack");
writePictures(project, "webpack", '<script defer src="main.js"></script>');
const cache = join(project.folder, "node_modules/.cache/filepress");
const build = (script = "pictures") => stripVTControlCharacters(project.run(script));
const logged = (said) => said.split("\n").filter((line) => /^<i> src\//.test(line)).map((line) => line.replace("<i> ", "")).sort();

test("a build writes the pictures, and logs what became of each image", async (context) => {
  const lines = logged(build());
  assert.equal(lines.length, 3);
  assert.match(lines[0], /^src\/gallery\/one\.png +\d+ kB +3 files +[\d.]+ kB to [\d.]+ kB$/);
  assert.match(lines[1], /^src\/photo\.jpg +\d+ kB +[49] files /);
  copyFileSync(join(project.folder, "index.html"), join(project.folder, "dist", "index.html"));
  const site = await openSite(join(project.folder, "dist"), { policy: "default-src 'self' data:" });
  context.after(site.close);
  await checkPictures(browser, `${site.url}/index.html`);
});

test("a second build encodes nothing, also one for development, and writes the same", () => {
  const files = () => readdirSync(join(project.folder, "dist")).filter((name) => /\.(avif|webp|jpg|png)$/.test(name)).sort();
  const times = () => readdirSync(cache, { recursive: true }).map((path) => statSync(join(cache, path)).mtimeMs);
  const [before, written] = [files(), times()];
  assert.equal(before.length, 16);
  assert.ok(logged(build()).every((line) => line.endsWith("from the cache")));
  assert.ok(logged(build("pictures:dev")).every((line) => line.endsWith("from the cache")));
  assert.deepEqual(files(), before);
  assert.deepEqual(times(), written);
});

test("another option, or other bytes, are encoded anew; the rest is not", () => {
  const encoded = () => logged(build()).filter((line) => !line.endsWith("from the cache")).map((line) => line.split(" ")[0]);
  const config = readFileSync(join(project.folder, "webpack.config.mjs"), "utf8");
  project.write("webpack.config.mjs", config.replace("quality: 50", "quality: 51"));
  assert.deepEqual(encoded(), ["src/photo.jpg"]);
  writeFileSync(join(project.folder, "src/gallery/one.png"), Buffer.concat([png, Buffer.from("more")]));
  assert.deepEqual(encoded(), ["src/gallery/one.png"]);
});

test("an image that cannot be read fails the build with its name and the reason", () => checkRefusals(project, build));

test("crops and turns enlarge nothing, and the bytes of overlays count", () => {
  const configuration = readFileSync(join(project.folder, "webpack.config.mjs"), "utf8").replace(/presets: \{.*?\n {10}\}/s, "presets");
  const configure = () => project.write("webpack.config.mjs", `import { presets } from "./presets.mjs";\n${configuration}`);
  return checkPresets(project, { cache, build, configure });
});
