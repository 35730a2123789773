// Uppy with its plug-in @uppy/tus, as a page uses it: an upload goes on across cut connections, and after the page was closed.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { build } from "esbuild";
import { launchChromium } from "../package/support/chromium.mjs";
import { startService } from "../../scripts/service.mjs";
import { LOST_PER_CUT, MB, fileOf, noise, openLine } from "./support/line.mjs";

const SIZE = 200 * MB;
const content = noise(SIZE);
const sha256 = createHash("sha256").update(content).digest("hex");

/** The page. The file is the same each time, also for those who know it again by its name and date. */
const PAGE = `
  import Uppy from "@uppy/core";
  import Tus from "@uppy/tus";
  window.upload = async ({ endpoint, key }) => {
    const data = new File([await (await fetch("/film.mp4")).blob()], "film.mp4", { type: "video/mp4", lastModified: 1e12 });
    const uppy = new Uppy().use(Tus, {
      endpoint,
      headers: { Authorization: "Bearer " + key },
      retryDelays: [50, 100, 200, 500, 1000, 1000, 2000, 2000, 4000],
    });
    uppy.on("upload-progress", (_, { bytesUploaded }) => (window.uploaded = bytesUploaded));
    uppy.addFile({ name: data.name, type: data.type, data });
    const { successful, failed } = await uppy.upload();
    if (failed.length > 0) throw new Error(failed[0].error);
    return successful[0].uploadURL;
  };`;

const { outputFiles } = await build({ stdin: { contents: PAGE, resolveDir: import.meta.dirname }, bundle: true, format: "esm", write: false });
const answers = {
  "/": ["text/html", '<!doctype html><title>Uppy</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'],
  "/page.js": ["text/javascript", outputFiles[0].contents],
  "/film.mp4": ["video/mp4", content],
};
const site = createServer(({ url }, response) => {
  const [type, body] = answers[url];
  response.setHeader("content-type", type).end(body);
});
site.listen(0, "127.0.0.1");
await once(site, "listening");
const origin = `http://127.0.0.1:${site.address().port}`;
const browser = await launchChromium();
after(async () => {
  await browser.close();
  site.closeAllConnections();
  site.close();
});

/** A service behind a line that is cut as often as `cuts` says, and a page that has not begun yet. */
async function open(cuts) {
  const line = await openLine(cuts);
  const service = await startService({ args: ["--public-url", `http://127.0.0.1:${line.port}`, "--cors-origins", origin] });
  after(service.stop);
  line.target = Number(new URL(service.url).port);
  const page = await browser.newPage();
  after(() => page.close());
  const load = async () => {
    await page.goto(origin);
    await page.waitForFunction(() => window.upload);
  };
  await load();
  const target = { endpoint: `http://127.0.0.1:${line.port}/v1/uploads`, key: service.key };
  return { line, service, page, load, upload: () => page.evaluate((given) => window.upload(given), target) };
}

async function assertArrived({ service }, url) {
  const file = await fileOf(service, url);
  assert.deepEqual([file.attributes.size, file.attributes.format, file.meta.sha256], [SIZE, "video/mp4", sha256]);
}

test("200 MB arrive across three cut connections", async () => {
  const visit = await open([50 * MB, 110 * MB, 170 * MB]);
  await assertArrived(visit, await visit.upload());
  assert.equal(visit.line.cut, 3);
  assert.ok(visit.line.sent < SIZE + 3 * LOST_PER_CUT, `${visit.line.sent} bytes were sent`);
});

test("an upload goes on when the page is opened again and the file is added again", async () => {
  const visit = await open([]);
  const interrupted = visit.upload().catch(() => {});
  await visit.page.waitForFunction((half) => window.uploaded > half, SIZE / 2);
  await visit.load();
  await interrupted;
  await assertArrived(visit, await visit.upload());
  assert.ok(visit.line.sent < SIZE + LOST_PER_CUT, `${visit.line.sent} bytes were sent`);
});
