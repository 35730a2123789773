// Unusual responses to uploads in a page, which reports upload progress, and in workerd.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createBrowserProject } from "../package/support/browser-project.mjs";
import { launchChromium } from "../package/support/chromium.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { STRICT } from "../package/support/site.mjs";
import { bundle, startWorker } from "../package/support/workerd.mjs";
import { answer, openScripted, redirect, refusal } from "./support/scripted-service.mjs";

const consumer = createConsumer();

test("in a page every status of an upload is an answer", async (context) => {
  const service = await openScripted();
  const browser = await launchChromium();
  const policy = STRICT.replace("connect-src 'self'", `connect-src 'self' ${service.url}`);
  const { page, origin, close } = await createBrowserProject(consumer, browser).open(policy);
  context.after(async () => {
    await close();
    await Promise.all([service.close(), browser.close()]);
  });
  const cors = { "access-control-allow-origin": origin, "access-control-expose-headers": "x-request-id" };
  // Asked for before each upload.
  const preflight = () => answer(204, "", { ...cors, "access-control-allow-methods": "PUT", "access-control-max-age": "0" });
  const send = () =>
    page.evaluate((baseUrl) => asPage(async () => {
      const client = new filepress.Client({ baseUrl, retry: false });
      const phases = [];
      const file = { id: "file-1", size: 5, links: { upload: `${baseUrl}/put` } };
      const sent = client.files.upload(file, new Blob(["bytes"]), { onProgress: ({ phase, loaded }) => phases.push([phase, loaded]) });
      const { code = "none", status, requestId } = await sent.then(() => ({}), (error) => error);
      return { code, status, requestId, last: phases.at(-1) };
    }), service.url);

  for (const status of [200, 201, 204]) {
    service.script(preflight(), answer(status, "", cors));
    const { last, ...told } = await send();
    assert.deepEqual([told, last], [{ code: "none", status: undefined, requestId: undefined }, ["upload", 5]], `${status}`);
  }
  for (const [status, code] of [[400, "too_odd"], [599, "too_odd"], [999, "too_odd"]]) {
    service.script(preflight(), refusal(status, code, {}, cors));
    const { last, ...told } = await send();
    assert.deepEqual(told, { code, status, requestId: "request-too_odd" });
  }
  service.script(preflight(), answer(700, "no document", { ...cors, "x-request-id": "in-the-header" }));
  const { last, ...told } = await send();
  assert.deepEqual(told, { code: "http_error", status: 700, requestId: "in-the-header" });
  service.done();
});

test("in workerd the bytes of an upload go to no other address", async (context) => {
  const [service, other] = await Promise.all([openScripted(), openScripted()]);
  const script = consumer.write("upload-in-worker.mjs", `
    import { Client } from "filepress";
    export default {
      async fetch(request) {
        const baseUrl = request.headers.get("x-url");
        const client = new Client({ baseUrl, retry: false });
        const file = { id: "file-1", size: 5, links: { upload: baseUrl + "/put" } };
        const { code = "none", status } = await client.files.upload(file, await request.blob()).then(() => ({}), (error) => error);
        return Response.json({ code, status });
      },
    };`);
  const worker = await startWorker((await bundle(script)).modules);
  context.after(() => Promise.all([worker.close(), service.close(), other.close()]));
  for (const status of [301, 302, 303, 307, 308]) {
    service.script(redirect(`${other.url}/elsewhere`, status));
    other.script(answer(201, ""));
    assert.deepEqual(await (await worker.post("/", "bytes", { "x-url": service.url })).json(), { code: "http_error", status });
  }
  assert.equal(other.requests.length, 0);
  service.script(answer(201, ""));
  assert.deepEqual(await (await worker.post("/", "bytes", { "x-url": service.url })).json(), { code: "none" });
  assert.equal(service.requests.at(-1).body.toString(), "bytes");
  service.done();
});
