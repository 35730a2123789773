// Every call against the real service over TLS, from Node, Chromium and workerd, each of which trusts its certificate; and from Node, with
// uploads and downloads that go to an object store and come from it.
import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { startService } from "../../scripts/service.mjs";
import { createBrowserProject } from "../package/support/browser-project.mjs";
import { launchChromium } from "../package/support/chromium.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { sample } from "../package/support/samples.mjs";
import { STRICT } from "../package/support/site.mjs";
import { bundle, startWorker } from "../package/support/workerd.mjs";
import { startGuardedObjects } from "../../scripts/guarded-objects.mjs";

const run = promisify(execFile);
const consumer = createConsumer();
copyFileSync(fileURLToPath(new URL("./support/live.mjs", import.meta.url)), join(consumer.folder, "live.mjs"));
const picture = await sample("rgba.png", [64, 48]);

/** A service of its own for each runtime, so that lists hold what that runtime made. */
async function live(context, args = []) {
  const service = await startService({ tls: true, args, email: "live@example.org" });
  context.after(service.stop);
  assert.match(service.url, /^https:/);
  return { ...service, certificate: join(service.data, "tls", "self-signed.crt") };
}

async function check(report) {
  const { made, listed, uploads, ratios, ...rest } = report;
  const failed = (name, code, status) => ({ ours: true, name, code, status, named: true });
  assert.equal(rest.me, "live@example.org");
  assert.deepEqual(rest.sizes, Array(4).fill(picture.length));
  assert.ok(rest.same);
  assert.deepEqual([rest.format, rest.status, rest.public], ["image/png", "COMPLETED", true]);
  assert.deepEqual(uploads.at(0), ["upload", 0, picture.length]);
  assert.deepEqual(uploads.at(-1), ["upload", picture.length, picture.length]);
  assert.ok(ratios.every((ratio, index) => ratio >= (ratios[index - 1] ?? 0) && ratio <= 1), `${ratios}`);
  const { format, width, height } = await sharp(Buffer.from(made)).metadata();
  assert.deepEqual([format, width, height], ["webp", 64, 48]);
  // Five, the output and the input, in three pages.
  assert.deepEqual(listed.listed.slice(0, 5), listed.files.toReversed());
  assert.equal(listed.listed.length, 7);
  assert.deepEqual([...listed.first, ...listed.second], listed.listed.slice(0, 6));
  assert.equal(listed.more, true);
  assert.deepEqual(rest.tasks, [[rest.created, 2]]);
  assert.deepEqual(rest.unknown, failed("RemoteError", "not_found", 404));
  assert.deepEqual(rest.stranger, failed("RemoteError", "unauthorized", 401));
  const { engine, type, outputSize, blobSize, task } = rest.remote;
  assert.deepEqual([engine, type, task, blobSize], ["remote", "image/webp", "COMPLETED", outputSize]);
}

/** Makes every call in a Node of its own. */
async function exerciseInNode({ url, key, certificate }) {
  const program = consumer.write("live-in-node.mjs", `
    import { readFileSync } from "node:fs";
    import * as filepress from "filepress";
    import { exercise } from "./live.mjs";
    const [, , baseUrl, apiKey] = process.argv;
    console.log(JSON.stringify(await exercise(filepress, { baseUrl, apiKey, picture: readFileSync("picture.png") })));`);
  consumer.write("picture.png", picture);
  const env = { ...process.env, ...(certificate && { NODE_EXTRA_CA_CERTS: certificate }) };
  const { stdout, stderr } = await run(process.execPath, [program, url, key], { cwd: consumer.folder, env });
  assert.equal(stderr, "");
  await check(JSON.parse(stdout));
}

test("in Node", async (context) => {
  const service = await live(context);
  await exerciseInNode(service);
  // Without the certificate nothing is trusted, and that is no answer.
  const stranger = run(process.execPath, ["--input-type=module", "-e", `
    import { Client } from "filepress";
    await new Client({ baseUrl: ${JSON.stringify(service.url)}, retry: false }).users.me().catch(({ code }) => console.log(code));`], { cwd: consumer.folder });
  assert.equal((await stranger).stdout, "network\n");
});

test("in Node, with uploads to an object store and downloads from it", async (context) => {
  const objects = await startGuardedObjects();
  context.after(objects.stop);
  const args = ["--blobs", objects.blobs, "--direct-uploads", "--direct-downloads"];
  const service = await startService({ args, env: objects.env, email: "live@example.org" });
  context.after(service.stop);
  await exerciseInNode(service);
  // The server took none of them and sent none, though it logs every request.
  assert.match(service.log(), /method="GET" path="\/v1\/files\/[^/]+\/content" status=307/);
  assert.doesNotMatch(service.log(), /method="GET" path="\/v1\/files\/[^/]+\/content" status=20/);
  assert.doesNotMatch(service.log(), /\bPUT\b|X-Amz/);
});

test("in Chromium, from a page of another origin", async (context) => {
  const browser = await launchChromium();
  context.after(() => browser.close());
  const policy = STRICT.replace("connect-src 'self'", "connect-src 'self' https://127.0.0.1:*");
  const made = new Map([["/picture.png", picture]]);
  const { page, complaints, origin, close } = await createBrowserProject(consumer, browser, made).open(policy, { ignoreHTTPSErrors: true });
  context.after(close);
  const service = await live(context, ["--cors-origins", origin]);
  const report = await page.evaluate(
    ({ baseUrl, apiKey }) =>
      asPage(async () => {
        const { exercise } = await import("./live.mjs");
        const picture = new Uint8Array(await (await fetch("/picture.png")).arrayBuffer());
        return exercise(filepress, { baseUrl, apiKey, picture, allowed: true });
      }),
    { baseUrl: service.url, apiKey: service.key },
  );
  await check(report);
  // The console tells of the two answers of refusal, and of nothing else.
  assert.deepEqual(complaints.filter((text) => !/status of 40[14]/.test(text)), []);
  const refused = await page.evaluate((baseUrl) => {
    try {
      return new filepress.Client({ baseUrl, apiKey: "fp_key" }) && "taken";
    } catch (error) {
      return { name: error.name, code: error.code, option: error.details.option, told: error.message.includes("fp_key") };
    }
  }, service.url);
  assert.deepEqual(refused, { name: "OptionsError", code: "key_in_browser", option: "apiKey", told: false });
});

test("in workerd", async (context) => {
  const service = await live(context);
  const script = consumer.write("live-in-worker.mjs", `
    import * as filepress from "filepress";
    import { exercise } from "./live.mjs";
    export default {
      async fetch(request) {
        const [baseUrl, apiKey] = [request.headers.get("x-url"), request.headers.get("x-key")];
        const picture = new Uint8Array(await request.arrayBuffer());
        return Response.json(await exercise(filepress, { baseUrl, apiKey, picture }).catch((error) => ({ error: error.stack })));
      },
    };`);
  const { modules } = await bundle(script);
  const trustedCertificates = [readFileSync(service.certificate, "utf8")];
  const outboundService = { network: { allow: ["public", "private"], tlsOptions: { trustedCertificates } } };
  const worker = await startWorker(modules, { outboundService });
  context.after(worker.close);
  const headers = { "x-url": service.url, "x-key": service.key };
  const report = await (await worker.post("/", picture, headers)).json();
  assert.equal(report.error, undefined);
  await check(report);
});
