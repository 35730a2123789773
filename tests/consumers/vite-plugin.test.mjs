// filepress/vite in Vite 8 and Vite 7, in builds and in the development server: the configuration and the script of docs/plugins.md.
import { strict as assert } from "node:assert";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import sharp from "sharp";
import { launchChromium, openPage } from "../package/support/chromium.mjs";
import { openSite } from "../package/support/site.mjs";
import { examplesOf } from "./support/examples.mjs";
import { jpeg } from "./support/photos.mjs";
import { openProject } from "./support/project.mjs";

const browser = await launchChromium();
after(() => browser.close());

const HTML = '<!doctype html><html lang="en"><meta charset="utf-8"><title>pictures</title><link rel="icon" href="data:,"><body><script type="module" src="/src/pictures.js"></script></body></html>';
const photo = await jpeg(1000, 500);
const png = await sharp(photo).resize(300).png().toBuffer();

/** What the pages of the document's pictures hold: types, widths and what the browser shows. */
const EXPECTED = [
  { sources: [["image/avif", [400, 800, 1000]], ["image/webp", [400, 800, 1000]]], img: ["image/jpeg", [400, 800, 1000]], size: [1000, 500] },
  { sources: [["image/webp", [200, 400]]], img: ["image/jpeg", [200, 400]], size: [400, 200] },
  { sources: [["image/avif", [300]], ["image/webp", [300]]], img: ["image/png", [300]], size: [300, 150] },
];

/** Opens the page, and reads each file that its pictures name by sharp. */
async function checkPictures(url) {
  const { page, complaints } = await openPage(browser, url);
  await page.waitForFunction(() => document.images.length === 3 && [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
  const pictures = await page.evaluate(() =>
    [...document.querySelectorAll("picture")].map((picture) => {
      const img = picture.querySelector("img");
      return { sources: [...picture.querySelectorAll("source")].map(({ type, srcset }) => [type, srcset]), img: img.srcset, src: img.getAttribute("src"), size: [img.width, img.height], shown: img.currentSrc };
    }),
  );
  const read = async (srcset) => {
    const files = srcset.split(", ").map((entry) => entry.split(" "));
    const widths = [];
    let type;
    for (const [address, width] of files) {
      const metadata = await sharp(Buffer.from(await (await fetch(new URL(address, url))).arrayBuffer())).metadata();
      assert.equal(`${metadata.width}w`, width, address);
      type = `image/${metadata.format === "heif" ? "avif" : metadata.format}`;
      widths.push(metadata.width);
    }
    return [type, widths];
  };
  for (const [index, picture] of pictures.entries()) {
    const sources = await Promise.all(picture.sources.map(async ([type, srcset]) => [type, (await read(srcset))]));
    for (const [type, [found]] of sources) assert.equal(found, type);
    const found = { sources: sources.map(([, file]) => file), img: await read(picture.img), size: picture.size };
    assert.deepEqual(found, EXPECTED[index]);
    assert.ok(picture.img.includes(picture.src));
    assert.match(picture.shown, /\.(avif|webp)(\?.*)?$/, "the browser takes a modern format");
  }
  assert.deepEqual(complaints, []);
  await page.close();
}

for (const name of ["vite", "vite7"]) {
  describe(name, () => {
    const project = openProject(name);
    for (const [path, text] of examplesOf("vite")) project.write(path, text);
    project.write("index.html", HTML);
    project.write("src/photo.jpg", photo);
    project.write("src/gallery/one.png", png);
    const cache = join(project.folder, "node_modules/.cache/filepress");
    const build = () => stripVTControlCharacters(project.run("build"));

    test("a build writes the pictures, and says what became of each image", async (context) => {
      const said = build();
      assert.match(said, /^filepress: 16 files of 3 images, 16 encoded$/m);
      assert.match(said, /^ {2}src\/photo\.jpg +\d+ kB +9 files +[\d.]+ kB to [\d.]+ kB$/m);
      const site = await openSite(join(project.folder, "dist"), { policy: "default-src 'self' data:" });
      context.after(site.close);
      await checkPictures(`${site.url}/index.html`);
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
      await checkPictures(`${server.url}/`);
    });

    test("an image that cannot be read fails the build with its name and the reason", () => {
      project.write("src/photo.jpg", "just some words");
      assert.throws(build, /src\/photo\.jpg: .*(format|type)/);
      project.write("src/photo.jpg", photo);
      project.write("src/pictures.js", 'import picture from "./photo.jpg?qualty=3&picture";\nconsole.log(picture);\n');
      assert.throws(build, /src\/photo\.jpg: qualty is not one of quality/);
    });
  });
}
