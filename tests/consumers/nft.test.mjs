// The file tracer of Vercel, Netlify, Nuxt and Next.js: the files that it lists are copied elsewhere, and the server
// runs there.
import { strict as assert } from "node:assert";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { CALLS, expected, photo } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";
import { outcomeOf } from "../package/support/outcome.mjs";

const project = openProject("nft");
const { nodeFileTrace } = createRequire(join(project.folder, "package.json"))("@vercel/nft");
const entry = project.write("server.mjs", 'export { compress } from "filepress";\n');
const { fileList } = await nodeFileTrace([entry], { base: project.folder });
const traced = [...fileList];

test("the builds and the workers' scripts are listed", () => {
  const own = traced.filter((path) => path.startsWith("node_modules/filepress/")).map((path) => path.slice("node_modules/filepress/".length));
  const builds = ["client", "photo", "photo_avif", "avif", "core", "full", "jxl"];
  const needed = [...builds.map((build) => `wasm/${build}/filepress_bg.wasm`), ...builds.slice(1).map((build) => `worker-${build}.node.js`)];
  assert.deepEqual(needed.filter((path) => !own.includes(path)), []);
  assert.deepEqual(own.filter((path) => /browser|workerd/.test(path)), []);
});

test("a copy of the listed files runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "filepress-traced-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of traced) cpSync(join(project.folder, path), join(folder, path), { recursive: true });
  const { compress } = await import(pathToFileURL(join(folder, "server.mjs")));
  const outcomes = await Promise.all(CALLS.map(async (options) => outcomeOf(await compress(photo, options))));
  assert.deepEqual(outcomes, await expected(project));
});
