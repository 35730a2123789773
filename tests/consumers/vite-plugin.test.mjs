// filepress/vite in Vite 8 and Vite 7, in builds and in the development server: the configuration and the script of docs/plugins.md.
import { strict as assert } from "node:assert";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { launchChromium } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { checkPictures, checkPresets, checkRefusals, png, writePictures } from "./support/pictures.mjs";
import { openProject } from "./support/project.mjs";

const browser = await launchChromium();
after(() => browser.close());

for (const name of ["vite", "vite7"]) {
  describe(name, () => {
    const project = openProject(name);
    writePictures(project, "vite", '<script type="module" src="/src/pictures.js"></script>');
    const cache = join(project.folder, "node_modules/.cache/filepress");
    const build = () => stripVTControlCharacters(project.run("build"));

    test("a build writes the pictures, and says what became of each image", async (context) => {
      const said = build();
      assert.match(said, /^filepress: 16 files of 3 images, 16 encoded$/m);
      assert.match(said, /^ {2}src\/photo\.jpg +\d+ kB +9 files +[\d.]+ kB to [\d.]+ kB$/m);
      const site = await openSite(join(project.folder, "dist"), { policy: "default-src 'self' data:" });
      context.after(site.close);
      await checkPictures(browser, `${site.url}/index.html`);
    });

    test("a second build encodes nothing, and writes the same", () => {
      const files = () => readdirSync(join(project.folder, "dist/assets")).sort();
      const times = () => readdirSync(cache, { recursive: true }).map((path) => statSync(join(cache, path)).mtimeMs);
      const [before, written] = [files(), times()];
      assert.match(build(), /^filepress: 16 files of 3 images, 0 encoded$/m);
      assert.deepEqual(files(), before);
      assert.deepEqual(times(), written);
    });

    test("another option, or other bytes, are encoded anew; the rest is not", () => {
      const config = readFileSync(join(project.folder, "vite.config.js"), "utf8");
      project.write("vite.config.js", config.replace("quality: 50", "quality: 51"));
      assert.match(build(), /^filepress: 16 files of 3 images, 9 encoded$/m);
      writeFileSync(join(project.folder, "src/gallery/one.png"), Buffer.concat([png, Buffer.from("more")]));
      assert.match(build(), /^filepress: 16 files of 3 images, 3 encoded$/m);
    });

    test("the development server serves the pictures", async (context) => {
      const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1");
      context.after(server.close);
      await checkPictures(browser, `${server.url}/`);
    });

    test("an image that cannot be read fails the build with its name and the reason", () => checkRefusals(project, build));

    test("crops and turns enlarge nothing, and the bytes of overlays count", () => {
      const configuration = 'import { filepress } from "filepress/vite";\nimport { presets } from "./presets.mjs";\nexport default { plugins: [filepress({ presets })] };\n';
      return checkPresets(project, { cache, build, configure: () => project.write("vite.config.js", configuration) });
    });
  });
}
