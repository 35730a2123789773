// examples/worker/ in workerd between the package's own client, which has no key, and a live service.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { startService } from "../../scripts/service.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { startExample } from "../package/support/example-worker.mjs";
import { until } from "../package/support/until.mjs";

const PAGE = "https://page.example";
const MEDIA_TYPE = "application/vnd.api+json";
const service = await startService();
const consumer = createConsumer();
const { Client, compress } = await consumer.import();
const worker = await startExample(consumer, { SERVICE_URL: service.url, SERVICE_KEY: service.key, PAGE_ORIGIN: PAGE });
after(() => Promise.all([worker.close(), service.stop()]));

const noise = ["-f", "lavfi", "-i", "anoisesrc=duration=2"];
execFileSync("ffmpeg", ["-v", "error", ...noise, "sound.wav"], { cwd: consumer.folder });
const sound = readFileSync(join(consumer.folder, "sound.wav"));

function call(method, path, document, headers = {}) {
  const body = document === undefined ? undefined : typeof document === "string" ? document : JSON.stringify(document);
  return fetch(worker.url + path, { method, body, headers: { origin: PAGE, ...(body && { "content-type": MEDIA_TYPE }), ...headers } });
}

const file = (attributes) => ({ data: { type: "files", attributes } });
const task = (attributes, id = "0") => ({
  data: { type: "tasks", attributes, relationships: { input: { data: { type: "files", id } } } },
});

test("the package's client needs no key, and no answer has one", async () => {
  const [answers, calls] = [[], []];
  const fetchAsPage = async (request) => {
    const isWorker = request.url.startsWith(worker.url);
    if (isWorker) request.headers.set("origin", PAGE);
    const response = await fetch(request);
    if (isWorker) calls.push(`${request.method} ${new URL(request.url).pathname.split("/")[2]} ${response.status}`);
    if (isWorker) answers.push(JSON.stringify([...response.headers]) + (await response.clone().text()));
    return response;
  };
  const client = new Client({ baseUrl: worker.url, fetch: fetchAsPage });
  const result = await compress(new File([sound], "sound.wav"), { client, to: "mp3", settings: { bitrate: 64_000 } });
  assert.deepEqual([result.engine, result.type, result.name], ["remote", "audio/mpeg", "sound.mp3"]);
  assert.ok(result.outputSize > 10_000 && result.outputSize < sound.length / 4, `${result.outputSize}`);
  assert.ok(answers.length >= 3, `${answers.length} answers`);
  assert.equal(calls.filter((call) => call === "DELETE files 204").length, 2, "the input and the output are deleted");
  assert.ok(answers.every((answer) => !answer.includes(service.key)));
  const links = answers.flatMap((answer) => [...answer.matchAll(/"(?:self|related)":"([^"]+)"/g)].map(([, link]) => link));
  assert.ok(links.length >= 3 && links.every((link) => link.startsWith(`${worker.url}/v1/`)), links.join(" "));
});

test("an interrupted upload is repeated", async () => {
  const sent = [];
  const fetchAsPage = async (request) => {
    if (request.url.startsWith(worker.url)) request.headers.set("origin", PAGE);
    sent.push(request.method);
    if (request.method === "PUT" && sent.filter((method) => method === "PUT").length === 1) throw new TypeError("the connection broke");
    return fetch(request);
  };
  const client = new Client({ baseUrl: worker.url, fetch: fetchAsPage, retry: { minDelay: 0 } });
  const result = await compress(new File([sound], "sound.wav"), { client, to: "mp3" });
  assert.equal(result.type, "audio/mpeg");
  assert.equal(sent.filter((method) => method === "PUT").length, 2);
});

test("a page is told the server's name for its request", async () => {
  const { headers } = await call("GET", "/v1/tasks/0");
  assert.match(headers.get("x-request-id"), /^[\w-]{8,}$/);
  assert.match(headers.get("access-control-expose-headers"), /\bx-request-id\b/);
});

test("pages of other origins, and what is no page, are refused", async () => {
  for (const headers of [{ origin: "https://other.example" }, { origin: "null" }, { origin: `${PAGE}.other.example` }]) {
    const response = await call("POST", "/v1/files", file({ size: 10, format: "audio/wav" }), headers);
    assert.equal(response.status, 403);
    assert.equal((await response.json()).errors[0].code, "origin_not_allowed");
    assert.equal(response.headers.get("access-control-allow-origin"), PAGE);
  }
  assert.equal((await fetch(`${worker.url}/v1/tasks/0`)).status, 403);
  const preflight = await call("OPTIONS", "/v1/files");
  assert.deepEqual([preflight.status, preflight.headers.get("access-control-allow-methods")], [204, "GET, POST, PATCH, DELETE"]);
});

test("nothing but the six calls is handed on", async () => {
  const cases = [
    ["GET", "/v1/files", 405], ["GET", "/v1/tasks", 405], ["GET", "/v1/users/me", 404], ["DELETE", "/v1/files", 405], ["DELETE", "/v1/tasks/0", 405], ["PATCH", "/v1/files/0", 405],
    ["GET", "/v1/tasks/..%2fusers%2fme", 404], ["GET", "/v1/tasks/0/output", 404], ["GET", "/v1/files/..%2fusers%2fme", 404], ["GET", "/v1/openapi.json", 404], ["GET", "/metrics", 404],
  ];
  for (const [method, path, status] of cases) assert.equal((await call(method, path)).status, status, `${method} ${path}`);
  for (const path of ["/v1/files/0", "/v1/tasks/0"]) {
    const response = await call("GET", path);
    assert.deepEqual([response.status, response.headers.has("x-request-id")], [404, true], "the server's own answer");
  }
});

test("sizes, types and settings that are not allowed never reach the server", async () => {
  const cases = [
    ["/v1/files", file({ size: 500_000_001, format: "audio/wav" }), 400, "max_file_size_exceeded"],
    ["/v1/files", file({ size: 0, format: "audio/wav" }), 422, "invalid_value"],
    ["/v1/files", file({ size: 10, format: "text/html" }), 422, "invalid_value"],
    ["/v1/files", file({ size: 10, format: ["audio/wav"] }), 422, "invalid_value"],
    ["/v1/files", file({ size: 10, format: { toString: 1, valueOf: 1 } }), 422, "invalid_value"],
    ["/v1/files", file({ size: 10, format: `audio/${"x".repeat(9000)}` }), 422, "invalid_value"],
    ["/v1/files", file({ size: 10 }), 422, "invalid_value"],
    ["/v1/files", { data: { type: "tasks" } }, 409, "wrong_type"],
    ["/v1/files", "{", 400, "invalid_json"],
    ["/v1/files", "x".repeat(20_000), 413, "body_too_large"],
    ["/v1/tasks", task({ settings: { preset: "veryslow" } }), 422, "setting_not_allowed"],
    ["/v1/tasks", task({ settings: { crf: 1 } }), 422, "setting_not_allowed"],
    ["/v1/tasks", task({ settings: { resize: { width: 9000 } } }), 422, "setting_not_allowed"],
    ["/v1/tasks", task({ settings: [] }), 422, "setting_not_allowed"],
    ["/v1/tasks", task({ format: { output: "application/zip" } }), 422, "invalid_value"],
    ["/v1/tasks", task({}, "../users/me"), 422, "invalid_value"],
  ];
  for (const [path, document, status, code] of cases) {
    const response = await call("POST", path, document);
    assert.deepEqual([response.status, (await response.json()).errors[0].code], [status, code], JSON.stringify(document).slice(0, 100));
  }
  const form = await call("POST", "/v1/files", file({ size: 10, format: "audio/wav" }), { "content-type": "text/plain" });
  assert.equal(form.status, 415);
});

test("an aborted call cancels its task, and nothing else about a task can be changed", async () => {
  const statuses = [];
  const controller = new AbortController();
  const fetchAsPage = async (request) => {
    if (request.url.startsWith(worker.url)) request.headers.set("origin", PAGE);
    const response = await fetch(request);
    if (request.method === "GET" && request.url.includes("/v1/tasks/")) controller.abort();
    if (request.method === "PATCH") statuses.push(response.status);
    return response;
  };
  const client = new Client({ baseUrl: worker.url, fetch: fetchAsPage });
  await assert.rejects(compress(new File([sound], "sound.wav"), { client, to: "mp3", signal: controller.signal }), { name: "AbortError" });
  await until(() => statuses.length > 0);
  assert.ok([200, 409].includes(statuses[0]), `${statuses}: canceled, or it had ended`);
  const change = (attributes, id = "0") => call("PATCH", "/v1/tasks/0", { data: { type: "tasks", id, attributes } });
  for (const [response, status, code] of [
    [await change({ status: "FAILED" }, "1"), 409, "id_mismatch"],
    [await change({ status: "COMPLETED" }), 422, "invalid_value"],
    [await change({ status: "FAILED", public: true }), 404, "not_found"],
  ]) assert.deepEqual([response.status, (await response.json()).errors[0].code], [status, code]);
});

test("a visitor who creates too much is told to wait", async () => {
  const statuses = [];
  for (let count = 0; count < 70; count += 1) {
    const response = await call("POST", "/v1/files", file({ size: 10, format: "audio/wav" }), { "cf-connecting-ip": "192.0.2.7" });
    statuses.push(response.status);
    if (response.status === 429) assert.equal(response.headers.get("retry-after"), "60");
  }
  assert.ok(statuses.includes(201) && statuses.includes(429), statuses.join(" "));
});

test("a key that the server refuses is no matter of the page", async (context) => {
  const wrong = await startExample(consumer, { SERVICE_URL: service.url, SERVICE_KEY: "wrong-key", PAGE_ORIGIN: PAGE });
  context.after(wrong.close);
  const response = await fetch(`${wrong.url}/v1/tasks/0`, { headers: { origin: PAGE } });
  assert.deepEqual([response.status, (await response.text()).includes("wrong-key")], [502, false]);
});
