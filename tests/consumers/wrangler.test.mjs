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

/** What wrangler says that it would upload, compressed, in KiB. */
const uploaded = (script) => Number(/gzip: ([\d.]+) KiB/.exec(project.run(script))[1]);

/** The sizes that docs/limits.md names, in KiB. */
const [DOCUMENTED, DOCUMENTED_WEB, DOCUMENTED_AVIF] =
  /takes ([\d,]+) KiB of it, `import … from\s"filepress\/web"` ([\d,]+) KiB, and `import … from "filepress\/avif"` ([\d,]+) KiB/
  .exec(readFileSync(new URL("../../docs/limits.md", import.meta.url), "utf8"))
  .slice(1)
  .map((digits) => Number(digits.replace(",", "")));

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
