// Options of the client and of its calls: wrong ones are refused by name.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { expectFailure, failureOf } from "../package/support/failure.mjs";
import { KEY, all, assertDiscreet, clientOf } from "./support/expect.mjs";
import { openScripted } from "./support/scripted-service.mjs";

const api = await createConsumer().import();
const service = await openScripted();
after(service.close);
const client = clientOf(api, service);
const { url: baseUrl } = service;
/** Requests that were due. */
let due = 0;

/** Expects a refusal that names the option, from a function that throws or rejects. */
async function refuses(call, code, option) {
  const error = await expectFailure(api, (async () => call())(), "OptionsError", code);
  if (option !== undefined) assert.equal(error.details.option, option, error.message);
  assertDiscreet(error);
  return error;
}

const invalid = {
  baseUrl: [undefined, null, "", "files.example.com", "/v1", 5, {}, "http://files.example.com", "ftp://files.example.com", "javascript:alert(1)",
    "file:///etc", "https://user@files.example.com", "https://user:word@files.example.com", "http://localhost.example.com", "https://"],
  apiKey: [null, "", 5, {}, "two words", "line\nbreak", "ünï", ["fp_key"]],
  getToken: [null, "token", 5, {}],
  fetch: [null, "fetch", 5, {}],
  timeout: [null, 0, -1, 1.5, "60", NaN, Infinity, 2 ** 31, {}],
  retry: [null, true, 5, "never", []],
  "retry.attempts": [null, -1, 101, 1.5, "5"],
  "retry.minDelay": [null, -1, 1.5, "5", Infinity],
  "retry.maxDelay": [null, -1, 1.5, "5"],
  "retry.deadline": [null, -1, 1.5, "5"],
  dangerouslyAllowBrowser: ["yes", 1, {}],
};

for (const [path, values] of Object.entries(invalid)) {
  test(`a client with another ${path}`, async () => {
    const [option, member] = path.split(".");
    for (const value of values) {
      const given = { baseUrl, [option]: member ? { [member]: value } : value };
      await refuses(() => new api.Client(given), "invalid_option", path);
    }
  });
}

test("a client with members that do not exist, or without any", async () => {
  await refuses(() => new api.Client({ baseUrl, apikey: KEY }), "unknown_option", "apikey");
  await refuses(() => new api.Client({ baseUrl, retry: { retries: 5 } }), "unknown_option", "retry.retries");
  for (const options of [undefined, null, 5, "https://files.example.com", [], new Map()]) await refuses(() => new api.Client(options), "invalid_option");
  await refuses(() => new api.Client({ baseUrl, apiKey: KEY, getToken: () => KEY }), "invalid_option");
});

test("what is undefined is as absent, and loopback may be spoken to in plain", () => {
  const nothing = Object.fromEntries(Object.keys(invalid).filter((path) => path !== "baseUrl" && !path.includes(".")).map((path) => [path, undefined]));
  for (const address of [baseUrl, "http://localhost:1", "http://[::1]:1/x", "https://files.example.com", new URL("https://files.example.com/a/")]) {
    assert.ok(new api.Client({ ...nothing, baseUrl: address, retry: { attempts: undefined } }) instanceof api.Client);
  }
});

test("the options object is not changed, and changes to it come too late", async () => {
  const mine = { baseUrl, apiKey: KEY, retry: { attempts: 0 } };
  const before = structuredClone(mine);
  const own = new api.Client(mine);
  assert.deepEqual(mine, before);
  mine.apiKey = "fp_another";
  mine.retry.attempts = 5;
  service.script({ status: 503, body: Buffer.alloc(0), headers: {} });
  await failureOf(own.users.me());
  due += 1;
  assert.equal(service.requests.at(-1).headers.authorization, `Bearer ${KEY}`);
  service.done();
});

const known = { id: "file-1", size: 5, createdAt: "", updatedAt: "", links: { upload: `${baseUrl}/a`, download: `${baseUrl}/b` } };
const calls = {
  "files.create": (...given) => client.files.create({ size: 5 }, ...given),
  "files.upload": (...given) => client.files.upload(known, new Uint8Array(5), ...given),
  "files.get": (...given) => client.files.get("file-1", ...given),
  "files.list": async (...given) => all(client.files.list(...given)),
  "files.list().page": async (...given) => client.files.list(...given).page(),
  "files.download": (...given) => client.files.download(known, ...given),
  "tasks.create": (...given) => client.tasks.create({ input: "file-1" }, ...given),
  "tasks.get": (...given) => client.tasks.get("task-1", ...given),
  "tasks.wait": (...given) => client.tasks.wait("task-1", ...given),
  "tasks.list": async (...given) => all(client.tasks.list(...given)),
  "users.me": (...given) => client.users.me(...given),
};

for (const [name, call] of Object.entries(calls)) {
  test(`${name} with options that are none`, async () => {
    const before = service.requests.length;
    for (const options of [null, 5, "now", [], new Map()]) await refuses(() => call(options), "invalid_option");
    for (const signal of [{}, "abort", null, 5]) await refuses(() => call({ signal }), "invalid_option", "signal");
    await refuses(() => call({ singal: undefined, surprise: 1 }), "unknown_option");
    assert.equal(service.requests.length, before);
  });
}

test("options of single calls", async () => {
  for (const onProgress of [null, {}, "tell"]) {
    for (const name of ["files.upload", "files.download", "tasks.wait"]) await refuses(() => calls[name]({ onProgress }), "invalid_option", "onProgress");
  }
  for (const idempotencyKey of [null, "", 5, "ü", "two words", "a".repeat(256)]) {
    for (const name of ["files.create", "tasks.create"]) await refuses(() => calls[name]({ idempotencyKey }), "invalid_option", "idempotencyKey");
  }
  for (const timeout of [null, 0, -1, 1.5, "5", NaN]) await refuses(() => calls["tasks.wait"]({ timeout }), "invalid_option", "timeout");
  for (const as of [null, "text", 5]) await refuses(() => calls["files.download"]({ as }), "invalid_option", "as");
  for (const pageSize of [null, 0, 101, 1.5, "5"]) await refuses(() => calls["files.list"]({ pageSize }), "invalid_option", "pageSize");
  for (const after of [null, 5, {}]) await refuses(() => calls["tasks.list"]({ after }), "invalid_option", "after");
  await refuses(() => calls["tasks.list"]({ after: "a", before: "b" }), "invalid_option");
});

test("files, tasks and bytes that are none", async () => {
  for (const file of [undefined, null, 5, "5", {}]) await refuses(() => client.files.create(file), "invalid_option");
  for (const size of [0, -1, 1.5, "5", NaN, Infinity, 2 ** 53]) await refuses(() => client.files.create({ size }), "invalid_option", "file.size");
  for (const format of [null, "", 5]) await refuses(() => client.files.create({ size: 5, format }), "invalid_option", "file.format");
  await refuses(() => client.files.create({ size: 5, name: "a.png" }), "unknown_option", "file.name");
  for (const id of [undefined, null, "", 5, {}, ".", ".."]) {
    await refuses(() => client.files.get(id), "invalid_option");
    await refuses(() => client.tasks.wait(id), "invalid_option");
    await refuses(() => client.files.download(id), "invalid_option");
    await refuses(() => client.tasks.create({ input: id }), "invalid_option");
  }
  for (const bytes of [undefined, null, "text", 5, {}, [1, 2]]) await refuses(() => client.files.upload(known, bytes), "invalid_option", "bytes");
  for (const settings of [null, 5, "crf", []]) await refuses(() => client.tasks.create({ input: "a", settings }), "invalid_option", "task.settings");
  for (const format of [null, 5, "image/png", { output: 5 }]) await refuses(() => client.tasks.create({ input: "a", format }), "invalid_option");
  for (const inputs of [null, "a", {}]) await refuses(() => client.tasks.create({ inputs }), "invalid_option", "task.inputs");
  for (const inputs of [[5], [{}], [undefined]]) await refuses(() => client.tasks.create({ inputs }), "invalid_option");
  await refuses(() => client.tasks.create({ input: "a", inputs: ["b"] }), "invalid_option", "task.inputs");
  await refuses(() => client.tasks.create({ input: "a", output: "image/png" }), "unknown_option", "task.output");
});

test("options of compress that concern a service", async () => {
  const pdf = new Blob(["%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n"]);
  for (const other of [null, 5, {}, { files: {} }, "https://files.example.com"]) await refuses(() => api.compress(pdf, { client: other }), "invalid_option", "client");
  for (const engine of ["here", true, 5]) await refuses(() => api.compress(pdf, { client, engine }), "invalid_option", "engine");
  for (const as of [null, "bytes", 5]) await refuses(() => api.compress(pdf, { client, as }), "invalid_option", "as");
  for (const settings of [null, 5, "crf=30", []]) await refuses(() => api.compress(pdf, { client, settings }), "invalid_option", "settings");
  await refuses(() => api.compress(pdf, { engine: "remote" }), "needs_service");
  await refuses(() => api.compress(pdf, { engine: "local", client }), "needs_service");
  const { details } = await refuses(() => api.convert(pdf, "video/mp4", { client }), "unsupported_pair");
  assert.ok(details.outputs.includes("image/png") && !details.outputs.includes("video/mp4"));
});

test("nothing of all this was sent", () => assert.equal(service.requests.length, due));
