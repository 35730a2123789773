// The pictures of docs/plugins.md on a page, as a plug-in for a bundler made them.
import { strict as assert } from "node:assert";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { openPage } from "../../package/support/chromium.mjs";
import { examplesOf } from "./examples.mjs";
import { jpeg } from "./photos.mjs";

const html = (script) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>pictures</title><link rel="icon" href="data:,"><body>${script}</body></html>`;
export const photo = await jpeg(1000, 500);
export const png = await sharp(photo).resize(300).png().toBuffer();

/** What the pages of the document's pictures hold: types, widths and what the browser shows. */
const EXPECTED = [
  { sources: [["image/avif", [400, 800, 1000]], ["image/webp", [400, 800, 1000]]], img: ["image/jpeg", [400, 800, 1000]], size: [1000, 500] },
  { sources: [["image/webp", [200, 400]]], img: ["image/jpeg", [200, 400]], size: [400, 200] },
  { sources: [["image/avif", [300]], ["image/webp", [300]]], img: ["image/png", [300]], size: [300, 150] },
];

/** Opens the page, and reads each file that its pictures name, the first `count` of those, by sharp. */
export async function checkPictures(browser, url, count = EXPECTED.length) {
  const { page, complaints } = await openPage(browser, url);
  await page.waitForFunction((count) => document.images.length === count && [...document.images].every(({ naturalWidth }) => naturalWidth > 0), count);
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

/** Builds with an image that is none, and with an option that there is not: both fail with the name of the image and the reason. */
export function checkRefusals(project, build) {
  project.write("src/photo.jpg", "just some words");
  assert.throws(build, /src\/photo\.jpg: .*(format|type)/);
  project.write("src/photo.jpg", photo);
  project.write("src/pictures.js", 'import picture from "./photo.jpg?qualty=3&picture";\nconsole.log(picture);\n');
  assert.throws(build, /src\/photo\.jpg: qualty is not one of quality/);
}

/**
 * Puts the page, whose script has the element `script`, the images and the examples for the project `name` into the project. The script of
 * the page is the same for all bundlers.
 */
export function writePictures(project, name, script) {
  const [page] = examplesOf("vite").filter(([path]) => path === "src/pictures.js");
  for (const [path, text] of [page, ...examplesOf(name)]) project.write(path, text);
  project.write("index.html", html(script));
  project.write("src/photo.jpg", photo);
  project.write("src/gallery/one.png", png);
}

/** What the presets below make of an image of 1000 × 500 pixels. */
const WIDTHS = { cropped: [200, 300], turned: [200, 500], limited: [200, 250], inMemory: [100], inFile: [100] };
const PRESETS = `export const presets = {
  cropped: { widths: [200, 400, 1000], formats: ["webp"], crop: { x: "20%", width: 300 } },
  turned: { widths: [200, 1000], formats: ["webp"], crop: { height: 500 }, rotate: 90 },
  limited: { widths: [200, 400, 1000], formats: ["webp"], resize: { maxWidth: 250 } },
  inMemory: { widths: [100], formats: ["webp"], overlay: { image: new Blob([Buffer.from("MARK", "base64")]) } },
  inFile: { widths: [100], formats: [{ to: "webp", overlay: { image: new URL("./mark.png", import.meta.url) } }] },
};`;

/**
 * Builds with presets of other sizes than that of the image, and with overlays: the bytes of an overlay count as those of the image do. `configure`
 * writes a configuration with `presets` of presets.mjs, `cache` is the folder of results.
 */
export async function checkPresets(project, { cache, build, configure }) {
  const mark = (background) => sharp({ create: { width: 40, height: 40, channels: 3, background } }).png().toBuffer();
  const results = () => {
    const folders = readdirSync(cache).map((name) => join(cache, name));
    return folders.map((folder) => JSON.parse(readFileSync(join(folder, "files.json"), "utf8")).map((file) => ({ ...file, sum: readFileSync(join(folder, file.name)).toString("base64") })));
  };
  const widthsIn = (made) => made.map((files) => files.map(({ width }) => width).join()).sort();
  configure();
  project.write("presets.mjs", PRESETS.replace("MARK", (await mark("blue")).toString("base64")));
  project.write("mark.png", await mark("red"));
  project.write("src/photo.jpg", photo);
  project.write("src/a|b.jpg", photo);
  const names = Object.keys(WIDTHS);
  const imports = [...names.map((name) => `import ${name} from "./photo.jpg?${name}";`), 'import odd from "./a|b.jpg?inFile";'];
  project.write("src/pictures.js", `${imports.join("\n")}\nconsole.log(${[...names, "odd"].join()});\n`);
  rmSync(cache, { recursive: true, force: true });
  build();
  const first = results();
  assert.deepEqual(widthsIn(first), [...Object.values(WIDTHS), WIDTHS.inFile].map(String).sort());
  const marked = (made) => made.flat().filter(({ width }) => width === 100);
  assert.deepEqual(marked(first).map(({ name }) => name).sort(), ["a_b-100.webp", "photo-100.webp", "photo-100.webp"]);
  assert.equal(new Set(marked(first).map(({ sum }) => sum)).size, 2, "the overlay in memory and that in the file");
  build();
  assert.equal(results().length, first.length);
  project.write("mark.png", await mark("lime"));
  build();
  assert.equal(results().length, first.length + 2);
  assert.equal(new Set(marked(results()).map(({ sum }) => sum)).size, 3);
  project.write("presets.mjs", `${PRESETS}\npresets.inFile.formats[0].overlay.image = new Response("once");\n`);
  assert.throws(build, /options\.overlay\.image must be bytes, a Blob or a file: URL/);
}
