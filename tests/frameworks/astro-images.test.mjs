// filepress/astro: the pages of docs/plugins.md in Astro 5 without sharp, built and by the development server, and on workerd by
// @astrojs/cloudflare. The images are those of Node.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { examplesOf, writeExamples } from "../consumers/support/examples.mjs";
import { jpeg } from "../consumers/support/photos.mjs";
import { openProject } from "../consumers/support/project.mjs";

process.env.ASTRO_TELEMETRY_DISABLED = "1";
const photo = await jpeg(1000, 500);
const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const TYPES = `
import type { AstroIntegration } from "astro";
import integration, { filepress, type FilepressAstroOptions } from "filepress/astro";
import { transform, type AstroTransform } from "filepress/astro/transform";

const options: FilepressAstroOptions = { quality: 70, effort: 3 };
export const integrations: AstroIntegration[] = [filepress(options), integration()];
const asked: AstroTransform = { format: "webp", quality: "mid", width: 300 };
export const data: Promise<{ data: Uint8Array; format: string }> = transform(new Uint8Array(), asked, { service: { config: options } });
// @ts-expect-error: Astro names files
filepress({ name: "photo.jpg" });
`;
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Opens a project without sharp, and puts the photo and the page of the document there. */
function open(name) {
  const project = openProject(name, "src/lib");
  for (const folder of ["sharp", "@img"]) rmSync(join(project.folder, "node_modules", folder), { recursive: true, force: true });
  assert.ok(!existsSync(join(project.folder, "node_modules/sharp")));
  for (const [path, text] of examplesOf("astro-images")) project.write(path, text);
  project.write("src/assets/wide.jpg", photo);
  return project;
}

/** The addresses in a page: of each image, and of each entry of a srcset. */
function addressesIn(html) {
  const decoded = html.replaceAll(/&#38;|&amp;/g, "&");
  const images = [...decoded.matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, address]) => address);
  const sets = [...decoded.matchAll(/srcset="([^"]+)"/gi)].flatMap(([, set]) => set.split(", ").map((entry) => entry.split(" ")));
  return { images, sets };
}

/** Compares the images of the page with Node's; `read` resolves to the bytes at an address. */
async function checkImages(project, html, read, defaults = {}) {
  const { compress } = await project.import();
  const { images, sets } = addressesIn(html);
  assert.equal(images.length, 3);
  const expected = [
    { to: "webp", resize: { width: 300 } },
    { to: "jpeg", quality: 50, resize: { width: 200, height: 200, fit: "cover" } },
  ];
  for (const [index, options] of expected.entries()) {
    const result = await compress(photo, { ...defaults, ...options });
    assert.equal(sha256(await read(images[index])), sha256(await result.bytes()), images[index]);
  }
  const files = await Promise.all(sets.map(async ([address, width]) => [(await sharp(Buffer.from(await read(address))).metadata()), width]));
  const found = files.map(([{ format, width }, descriptor]) => `${format} ${width} ${descriptor}`);
  assert.deepEqual(found.slice(0, 4), ["heif 200 200w", "heif 400 400w", "webp 200 200w", "webp 400 400w"]);
}

describe("Astro without sharp", () => {
  const project = open("astro");
  writeExamples(project, "astro");

  test("strict TypeScript takes the integration for one of Astro", () => {
    project.write("types/filepress.ts", TYPES);
    const settings = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", "esnext", "--moduleResolution", "bundler", "--skipLibCheck", "--types", ""];
    const { status, stdout } = spawnSync(process.execPath, [compiler, "--ignoreConfig", ...settings, "types/filepress.ts"], { cwd: project.folder, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });

  test("astro build", async () => {
    project.run("build");
    const html = readFileSync(join(project.folder, "dist/images/index.html"), "utf8");
    await checkImages(project, html, async (address) => readFileSync(join(project.folder, "dist", address)), { effort: 3 });
  });

  test("astro dev", async (context) => {
    const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1");
    context.after(server.close);
    const read = async (address) => {
      const response = await fetch(server.url + address);
      assert.equal(response.status, 200, address);
      return Buffer.from(await response.arrayBuffer());
    };
    await checkImages(project, (await read("/images")).toString(), read, { effort: 3 });
  });
});

test("Astro on workerd", async (context) => {
  const project = open("astro-cloudflare");
  writeExamples(project, "astro-cloudflare");
  project.run("build");
  const server = await project.serve("dev", "--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0");
  context.after(server.close);
  const read = async (address) => {
    const response = await fetch(server.url + address);
    assert.equal(response.status, 200, address);
    return Buffer.from(await response.arrayBuffer());
  };
  await checkImages(project, (await read("/images")).toString(), read);
  const gone = await fetch(`${server.url}/_image?href=%2F_astro%2Fgone.jpg&w=300&f=webp`);
  assert.equal(gone.status, 404);
});
