// A malicious service, and callers' functions that throw: inconsistent bytes, circular values, exceptions.
import { strict as assert } from "node:assert";
import { after, beforeEach, test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { expectFailure } from "../package/support/failure.mjs";
import { until } from "../package/support/until.mjs";
import { conversion, document, file, page, pdf, SIGNATURE, task, user } from "./support/documents.mjs";
import { all, assertDiscreet, clientOf, expectRemote, quick } from "./support/expect.mjs";
import { answer, cut, openScripted, redirect } from "./support/scripted-service.mjs";

const api = await createConsumer().import();
const TEN = "0123456789";
let service;
beforeEach(async () => {
  await service?.close();
  service = await openScripted();
});
after(() => service.close());

const known = (size = TEN.length) => ({ id: "file-1", size, links: { download: `${service.url}/bytes/file-1` } });
const half = (headers = { etag: '"one"' }) => cut(answer(200, TEN, headers));
const part = (from, text) => answer(206, text, { etag: '"one"', "content-range": `bytes ${from}-9/10` });
const download = (size) => clientOf(api, service, { retry: quick() }).files.download(known(size));

test("a part that does not continue what came is refused", async () => {
  service.script(half(), part(5, TEN.slice(5)));
  assert.equal(await (await download()).text(), TEN);
  service.done();
  for (const wrong of [part(3, TEN.slice(3)), part(0, TEN), answer(206, TEN.slice(5), { etag: '"one"' })]) {
    service.script(half(), wrong);
    await expectRemote(api, download(), "bad_answer");
    service.done();
  }
  service.script(part(5, TEN.slice(5)));
  await expectRemote(api, download(), "bad_answer");
});

test("bytes without a name are asked for from the beginning", async () => {
  service.script(half({}), (request) => {
    assert.equal(request.headers.range, undefined);
    return answer(200, TEN);
  });
  assert.equal(await (await download()).text(), TEN);
});

test("a service that breaks off at every byte is not flooded", async () => {
  service.script(...Array.from({ length: 400 }, () => half()));
  const signal = AbortSignal.timeout(1500);
  const reason = await clientOf(api, service, { retry: quick(100) }).files.download(known(), { signal }).catch((thrown) => thrown);
  assert.equal(reason.name, "TimeoutError");
  assert.ok(service.requests.length < 10, `${service.requests.length} requests`);
});

test("a stream that is cancelled while it opens ends its request", async () => {
  let sent = 0;
  const counted = (request) => {
    sent += 1;
    return fetch(request);
  };
  const stream = await clientOf(api, service, { retry: quick(), fetch: counted }).files.download(known(), { as: "stream" });
  service.script(...Array.from({ length: 20 }, () => answer(503, "")));
  const reader = stream.getReader();
  const reading = reader.read().catch((thrown) => thrown);
  await until(() => service.requests.length > 0);
  await reader.cancel("enough");
  await reading;
  const before = sent;
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(sent, before);
});

test("lists that lead in a circle end", async () => {
  const list = (id, next) => answer(200, page([file(service.url, id)], { next: `${service.url}/v1/files?page%5Bafter%5D=${next}` }));
  service.script(list("a", "one"), list("b", "two"), list("c", "one"));
  assert.deepEqual((await all(clientOf(api, service).files.list())).map(({ id }) => id), ["a", "b", "c"]);
  service.done();
});

test("a download is not redirected to where nothing is encrypted", async () => {
  for (const place of ["http://192.0.2.1/meta", "http://169.254.169.254/", "file:///etc/passwd"]) {
    service.script(redirect(place, 302));
    const error = await expectRemote(api, clientOf(api, service).files.download(known()), "network");
    assert.match(error.message, /unencrypted/);
  }
  service.script(...Array.from({ length: 7 }, () => redirect(`${service.url}/again`, 307)));
  await expectRemote(api, clientOf(api, service).files.download(known()), "network");
});

test("links and redirections lead no server of the caller's into its own network", async (context) => {
  // No address of the internet can be reached here: what is asked there is answered by this function, in the place of Node's own.
  const { fetch } = globalThis;
  context.after(() => (globalThis.fetch = fetch));
  const asked = [];
  const places = {};
  globalThis.fetch = async (request) => {
    const url = request.url ?? request;
    asked.push(url);
    return places[url] ? new Response(null, { status: 302, headers: { location: places[url] } }) : new Response("bytes", { status: 201 });
  };
  const pub = "https://files.example.com";
  const client = (baseUrl) => new api.Client({ baseUrl, retry: false });
  const linked = (link) => ({ id: "file-1", size: 5, links: { download: link, upload: link } });
  const bytes = new Blob(["bytes"]);

  const near = [
    "10.0.0.1", "127.0.0.1", "127.8.0.1", "2130706433", "0.0.0.0", "100.64.1.1", "169.254.169.254", "172.31.0.1", "192.168.0.1", "198.19.0.1", "255.255.255.255",
    "localhost", "a.localhost", "localhost.", "printer", "nas.local", "metadata.google.internal", "router.home.arpa", "[::1]", "[::]", "[fd00::1]", "[fe80::1]",
    "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]",
  ];
  for (const host of near) {
    const target = `https://${host}/a`;
    for (const call of [client(pub).files.download(linked(target)), client(pub).files.upload(linked(target), bytes)]) {
      const error = await expectRemote(api, call, "network");
      assert.match(error.message, /not part of/, host);
    }
    places[`${pub}/a`] = target;
    await expectRemote(api, client(pub).files.download(linked(`${pub}/a`)), "network");
  }
  assert.ok(asked.length === near.length && asked.every((url) => url === `${pub}/a`), `${asked}`);

  const allowed = [
    [pub, "https://8.8.8.8/a"], [pub, "https://172.32.0.1/a"], [pub, "https://[2606:4700::1111]/a"], [pub, "https://bucket.example.org/a"],
    ["https://10.0.0.1", "https://192.168.0.1/a"], ["https://nas.local", "https://10.0.0.1/a"], ["https://[fd00::1]", "https://bucket.example.org/a"],
    ["http://127.0.0.1:1", "http://localhost:2/a"], ["http://localhost:1", "https://bucket.example.org/a"], ["http://[::1]:1", "https://10.0.0.1/a"],
  ];
  for (const [baseUrl, link] of allowed) {
    assert.equal(await (await client(baseUrl).files.download(linked(link))).text(), "bytes", `${baseUrl} to ${link}`);
    await client(baseUrl).files.upload(linked(link), bytes);
  }
  places["https://bucket.example.org/a"] = "http://localhost:1/b";
  await expectRemote(api, client("http://localhost:1").files.download(linked("https://bucket.example.org/a")), "network");
  places["https://bucket.example.org/a"] = "https://localhost:1/b";
  await expectRemote(api, client("http://localhost:1").files.download(linked("https://bucket.example.org/a")), "network");
});

test("odd answers of a caller's fetch end its own call alone", async () => {
  const answers = [
    { status: 200, headers: { get: () => 5 } },
    { status: 65_736, headers: new Headers() },
    { status: -1, headers: new Headers() },
    { get status() { throw new Error(`at ?signature=${SIGNATURE}`); } },
    { status: 200, headers: { get() { throw new Error(`at ?signature=${SIGNATURE}`); } } },
  ];
  for (const odd of answers) {
    service.script(() => new Promise((resolve) => setTimeout(() => resolve(answer(200, document(user(service.url)))), 50)));
    const innocent = clientOf(api, service).users.me();
    const error = await clientOf(api, service, { fetch: async () => odd }).users.me().catch((thrown) => thrown);
    assert.equal(error.name, "RemoteError", `${error}`);
    assertDiscreet(error);
    assert.equal((await innocent).id, "user-1");
  }
});

test("settings that JSON cannot hold are the caller's fault, and nothing is sent", async () => {
  const cyclic = {};
  cyclic.self = cyclic;
  for (const settings of [{ a: 1n }, cyclic, { toJSON: () => 5 }, { get crf() { throw new Error("no"); } }]) {
    const error = await expectFailure(api, clientOf(api, service).tasks.create({ input: "a", settings }), "OptionsError", "invalid_option");
    assert.equal(error.details.option, "task.settings");
  }
  assert.equal(service.requests.length, 0);
});

test("numbers and names that are none are not passed on", async () => {
  for (const size of [-5, 1e308, "7", [7], null]) {
    service.script(answer(200, document(file(service.url, "file-1", { size }))));
    assert.equal((await clientOf(api, service).files.get("file-1")).size, 0);
  }
  service.script(answer(200, document(task(service.url, "task-1", { status: "COMPLETED" }), [{ type: "files" }, { type: "files", id: 5 }])));
  assert.deepEqual((await clientOf(api, service).tasks.get("task-1")).files, []);
});

test("words of a service are short, and move no terminal's cursor", async () => {
  const detail = `\u001b[2J${"long ".repeat(100_000)}`;
  service.script(answer(400, { errors: [{ code: "bad", title: "Bad", detail }] }));
  const { message } = await expectRemote(api, clientOf(api, service).users.me(), "bad");
  assert.ok(message.length < 1200 && !message.includes("\u001b"), `${message.length} characters`);
});

test("codes, names of requests and warnings of a service move no terminal's cursor", async () => {
  const moving = "x\u001b[2J\u009b2J\u202ey";
  const harmless = "x\ufffd[2J\ufffd2J\ufffdy";
  const source = { pointer: moving };
  service.script(answer(400, { errors: [{ code: moving, title: `${moving}.`, source }] }, { "x-request-id": "x\u009by" }));
  const error = await expectRemote(api, clientOf(api, service).users.me(), harmless, { source: { pointer: harmless }, requestId: "x\ufffdy" });
  assert.ok(error.message.endsWith(`${harmless}.`), error.message);

  const metadata = { error: { code: moving, title: `${moving}.` } };
  service.script(answer(200, document(task(service.url, "task-1", { status: "FAILED", processing_metadata: metadata }))));
  const failed = await expectRemote(api, clientOf(api, service).tasks.wait("task-1"), "task_failed");
  assert.deepEqual([failed.details.reason, failed.task.processingMetadata], [harmless, metadata]);

  const warnings = [{ code: moving, message: `${moving}\r\nz` }, { code: 5, message: moving }, null];
  service.script(...conversion(service.url, { processing_metadata: { warnings } }));
  const result = await api.compress(pdf(), { client: clientOf(api, service) });
  assert.deepEqual(result.warnings, [{ code: harmless, message: `${harmless} z` }]);
  service.done();
});

test("whatever a service calls the output, the result has a type that the package knows", async () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const told = { "image/jpg": "image/jpeg", "x/\u001b": "image/jpeg", "": "image/jpeg", "IMAGE/JPEG; q=1": "image/jpeg", "image/webp": "image/webp" };
  for (const [output, type] of Object.entries(told)) {
    service.script(...conversion(service.url, { format: { input: "image/png", output } }));
    const client = clientOf(api, service);
    const result = await api.convert(new File([png], "a.png"), "jpeg", { client, engine: "remote" });
    const name = type === "image/webp" ? "a.webp" : "a.jpg";
    assert.deepEqual([result.type, result.blob.type, result.name, result.task.format.output], [type, type, name, output], output);
  }
  service.done();
});

test("getters and proxies as options are refused by name", async () => {
  const thrower = new Proxy({}, { ownKeys: () => { throw new Error("p"); } });
  assert.throws(() => new api.Client(thrower), { code: "invalid_option" });
  await expectFailure(api, clientOf(api, service).files.get("a", thrower), "OptionsError", "invalid_option");
});
