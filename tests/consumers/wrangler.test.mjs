// Workers bundled by wrangler and run by its local server: a small one, and that of examples/worker/.
import { strict as assert } from "node:assert";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openSite } from "../package/support/site.mjs";
import { checkServer } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("wrangler");
/** Ports that the system chooses. By default the inspector takes one that another wrangler may take at the same time. */
const ADDRESS = ["--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0"];

test("wrangler dev", async (context) => {
  const server = await project.serve("dev", ...ADDRESS);
  context.after(server.close);
  await checkServer(project, server.url);
});

/** Words for whole numbers of times, and for their shares. */
const WORDS = { 2: "two", 3: "three", 4: "four", 5: "five" };
const SHARES = { 2: "a half", 3: "a third", 4: "a quarter", 5: "a fifth" };

/** What wrangler says that it would upload, compressed, in KiB. */
const uploaded = (script) => Number(/gzip: ([\d.]+) KiB/.exec(project.run(script))[1]);

/** What a pattern finds in a file of the repository, with numbers for digits. */
function documented(path, pattern) {
  const found = pattern.exec(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
  assert.ok(found, `${path} does not say ${pattern}`);
  return found.slice(1).map((words) => (/^\d/.test(words) ? Number(words.replace(",", "")) : words));
}

/** The sizes that docs/limits.md names, in KiB. */
const [DOCUMENTED, DOCUMENTED_WEB, DOCUMENTED_AVIF] = documented(
  "docs/limits.md",
  /takes ([\d,]+) KiB of it, `import … from\s"filepress\/web"` ([\d,]+) KiB, and `import … from "filepress\/avif"` ([\d,]+) KiB/,
);

test("wrangler bundles it for an upload within the limit of a free plan, of the size that is documented", () => {
  const size = uploaded("build");
  assert.ok(size < 3072 && Math.abs(size / DOCUMENTED - 1) < 0.05, `${size} KiB`);
});

test("filepress/web and filepress/avif take less than half of it, as documented", () => {
  for (const [script, documented] of [["build:web", DOCUMENTED_WEB], ["build:avif", DOCUMENTED_AVIF]]) {
    const size = uploaded(script);
    assert.ok(size > 0 && size <= 1200 && Math.abs(size / documented - 1) < 0.05, `${script}: ${size} KiB`);
  }
});

test("what the documents and types say of these sizes is the same everywhere", () => {
  const recipe = "docs/recipes/cloudflare-worker.md";
  assert.deepEqual(documented(recipe, /`filepress\/web`, which is \[small\][^ ]+ \(([\d,]+) KiB\)/), [DOCUMENTED_WEB]);
  assert.deepEqual(documented(recipe, /`import … from "filepress\/avif"` .* \(([\d,]+) KiB\)/), [DOCUMENTED_AVIF]);
  const [times, whole] = documented(recipe, /more than (\w+) times as large \(([\d,]+) KiB\)/);
  assert.deepEqual([times, whole], [WORDS[Math.floor(DOCUMENTED / DOCUMENTED_WEB)], DOCUMENTED]);
  const shares = [DOCUMENTED_WEB, DOCUMENTED_AVIF].map((size) => SHARES[Math.round(DOCUMENTED / size)]);
  assert.deepEqual(documented("README.md", /"filepress\/web"; .*; (a \w+) of the size of "filepress"/), shares.slice(0, 1));
  assert.deepEqual(documented("pkg-template/types/plugins/serve.d.ts", /"filepress\/web"` \((a \w+) of its size, no AVIF\) or `"filepress\/avif"` \(about (a \w+),/), shares);
});

test("wrangler dev of examples/worker/", async (context) => {
  cpSync(fileURLToPath(new URL("../../examples/worker", import.meta.url)), join(project.folder, "example"), { recursive: true });
  const upstream = await openSite(project.folder);
  context.after(upstream.close);
  const settings = ["--config", "example/wrangler.jsonc", "--var", `IMAGES_URL:${upstream.url}/images/`];
  const server = await project.serve("dev", ...ADDRESS, ...settings);
  context.after(server.close);
  const answers = await Promise.all(["/images/gone.jpg", "/v1/tasks/0", "/"].map((path) => fetch(server.url + path)));
  assert.deepEqual(answers.map(({ status }) => status), [404, 403, 404]);
  assert.deepEqual(upstream.requests, ["/images/gone.jpg"]);
});
