// filepress/next/config: the configuration and the page of docs/plugins.md, with Turbopack and with webpack; and with webpack the route and the
// loader of filepress/next, and a route handler that calls the package.
import { strict as assert } from "node:assert";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { checkPage, checkServer } from "./support/check.mjs";
import { writeExamples } from "./support/examples.mjs";
import { checkNextImages, writeNextImages } from "./support/next-images.mjs";
import { checkPictures, photo } from "./support/pictures.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("next", "lib");
writeNextImages(project);
writeExamples(project, "next-pictures");
project.write("app/pictures/photo.jpg", photo);
const { compress } = await project.import();
const browser = await launchChromium();
after(() => browser.close());

/** Resolves once the page is compiled, which takes a development server as long as a build. */
const open = async (url) => assert.equal((await fetch(url)).status, 200);

/** When each file was written that the builds have made. */
function writtenAt() {
  const cache = join(project.folder, "node_modules/.cache/filepress");
  return readdirSync(cache, { recursive: true }).sort().map((path) => [path, statSync(join(cache, path)).mtimeMs]);
}

describe("with webpack", () => {
  const check = async (context, url) => {
    await open(`${url}/pictures`);
    await context.test("the pictures", () => checkPictures(browser, `${url}/pictures`, 2));
    await context.test("the images of next/image", () => checkNextImages(browser, url, compress));
    await context.test("a page", () => checkPage(project, browser, url));
    await context.test("a route handler", () => checkServer(project, `${url}/compress-file`));
  };

  test("next build --webpack and next start", async (context) => {
    project.run("build:webpack");
    const server = await project.serve("start", "--port", "0");
    context.after(server.close);
    await check(context, server.url);
  });

  test("next dev --webpack", async (context) => {
    const server = await project.serve("dev:webpack", "--port", "0");
    context.after(server.close);
    await check(context, server.url);
  });
});

describe("with Turbopack", () => {
  test("next build and next start, which encodes nothing again", async (context) => {
    const before = writtenAt();
    assert.equal(before.filter(([path]) => /\.(avif|webp|jpg)$/.test(path)).length, 13);
    project.run("build");
    assert.deepEqual(writtenAt(), before);
    const server = await project.serve("start", "--port", "0");
    context.after(server.close);
    await checkPictures(browser, `${server.url}/pictures`, 2);
    await checkNextImages(browser, server.url, compress);
  });

  test("next dev", async (context) => {
    const server = await project.serve("dev", "--port", "0");
    context.after(server.close);
    await open(`${server.url}/pictures`);
    await checkPictures(browser, `${server.url}/pictures`, 2);
  });
});
