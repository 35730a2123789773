// Keys and signed URLs go to their own origin only, and no error contains them.
import { strict as assert } from "node:assert";
import { after, beforeEach, test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { expectFailure } from "../package/support/failure.mjs";
import { SIGNATURE, document, file, page, task, user } from "./support/documents.mjs";
import { KEY, all, assertDiscreet, clientOf, expectRemote, quick } from "./support/expect.mjs";
import { answer, cut, openScripted, redirect, refusal } from "./support/scripted-service.mjs";

const api = await createConsumer().import();
let service, other;
beforeEach(async () => {
  await Promise.all([service?.close(), other?.close()]);
  [service, other] = await Promise.all([openScripted(), openScripted()]);
});
after(() => Promise.all([service.close(), other.close()]));

const at = (upload, download = upload) => ({ id: "file-1", size: 5, createdAt: "", updatedAt: "", links: { upload, download } });
const five = new Uint8Array(5);

test("redirections are not followed with the key, to whatever place", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    for (const target of [other.url, service.url]) {
      for (const call of [(client) => client.users.me(), (client) => client.files.create({ size: 5 })]) {
        service.script(redirect(`${target}/v1/users/me`, status));
        const error = await expectRemote(api, call(clientOf(api, service, { retry: quick() })), "http_error", { retryable: false });
        assert.match(error.message, /baseUrl/);
        service.done();
      }
    }
  }
  assert.equal(other.requests.length, 0);
});

test("a download may be redirected, and nobody gets the key", async () => {
  service.script(redirect(`${other.url}/elsewhere`));
  other.script(answer(200, "bytes"));
  assert.equal(await (await clientOf(api, service).files.download(at(`${service.url}/bytes`))).text(), "bytes");
  for (const { headers } of [...service.requests, ...other.requests]) assert.equal(headers.authorization, undefined);
});

test("bytes on another origin travel without the key", async () => {
  other.script(answer(201, ""), answer(200, "bytes"));
  const client = clientOf(api, service);
  await client.files.upload(at(`${other.url}/put?signature=${SIGNATURE}`), five);
  await client.files.download(at(`${other.url}/get?signature=${SIGNATURE}`));
  assert.equal(service.requests.length, 0);
  for (const { headers } of other.requests) {
    assert.equal(headers.authorization, undefined);
    assert.equal(headers.referer, undefined);
    assert.equal(headers.cookie, undefined);
  }
});

test("the next page of a list is fetched from the own origin alone", async () => {
  for (const next of [`${other.url}/v1/files?page%5Bafter%5D=a`, "https://files.example.com/v1/files", "javascript:alert(1)", "file:///etc/passwd", "//evil.example/"]) {
    service.script(answer(200, page([file(service.url, "file-1")], { next })));
    await expectRemote(api, all(clientOf(api, service).files.list()), "foreign_link");
  }
  assert.equal(other.requests.length, 0);
});

const hostile = [
  "javascript:alert(1)", "data:text/plain,hello", "file:///etc/passwd", "blob:https://files.example.com/1", "ftp://files.example.com/a",
  "http://files.example.com/a", "http://127.0.0.1:1/admin", "http://localhost/admin", "https://user:word@files.example.com/", "//evil.example/a", "nothing",
];

test("beside a service on https, bytes travel over https alone", async () => {
  const sent = [];
  const fetch = async (request) => {
    sent.push(request.url);
    return new Response("bytes");
  };
  const client = new api.Client({ baseUrl: "https://files.example.com", apiKey: KEY, retry: false, fetch });
  for (const link of hostile) {
    await expectRemote(api, client.files.upload(at(link), five), "foreign_link", { retryable: false });
    await expectRemote(api, client.files.download(at(link)), "foreign_link", { retryable: false });
  }
  assert.deepEqual(sent, []);
  await client.files.download(at("https://bucket.example.org/a?b=c"));
  assert.deepEqual(sent, ["https://bucket.example.org/a?b=c"]);
});

test("no error tells an address or a key", async () => {
  const signed = `${service.url}/bytes?signature=${SIGNATURE}`;
  const steps = [
    () => cut(),
    () => refusal(403, "url_expired", { detail: `${signed} has expired.`, title: `GET ${signed}` }),
    () => refusal(500, "internal", { detail: `Authorization: Bearer ${KEY} was not taken.` }),
    () => answer(500, `${signed} ${KEY}`),
    () => answer(200, `{"data": "${signed} ${KEY}"`),
    () => redirect(`http://elsewhere.example/?signature=${SIGNATURE}`),
  ];
  const client = clientOf(api, service);
  const calls = [
    () => client.users.me(),
    () => client.files.create({ size: 5 }),
    () => client.files.upload(at(signed), five),
    () => client.files.download(at(signed)),
    () => client.tasks.wait("task-1"),
  ];
  for (const step of steps) {
    for (const call of calls) {
      service.script(step());
      const error = await call().then(() => undefined, (error) => error);
      if (error) assertDiscreet(error);
    }
  }
});

test("what a caller's fetch throws may quote the request; the error does not", async () => {
  for (const make of [
    (request) => new TypeError(`Failed to parse ${request.url} with ${request.headers.get("authorization")}`),
    (request) => Object.assign(new Error("no"), { cause: new Error(`connect ${request.url}: ${request.headers.get("authorization")}`) }),
    (request) => `${request.url} ${request.headers.get("authorization")}`,
  ]) {
    const client = clientOf(api, service, { fetch: async (request) => Promise.reject(make(request)) });
    for (const call of [client.users.me(), client.files.upload(at(`${service.url}/b?signature=${SIGNATURE}`), five)]) {
      await expectRemote(api, call, "network");
    }
  }
});

test("a client shows nothing of its key", async () => {
  const { inspect } = await import("node:util");
  const client = clientOf(api, service);
  assert.ok(!inspect(client, { depth: 10, showHidden: true }).includes(KEY));
  assert.ok(!JSON.stringify(client).includes(KEY));
});

test("a failed task says why, without the address that its tool may have quoted", async () => {
  const words = `ffmpeg: ${service.url}/b?signature=${SIGNATURE}: Invalid data.`;
  const failed = task(service.url, "task-1", { status: "FAILED", processing_metadata: { error: { code: "corrupt_file", title: "No", detail: words } } });
  service.script(answer(200, document(failed)));
  const error = await expectFailure(api, clientOf(api, service).tasks.wait("task-1"), "RemoteError", "task_failed");
  assert.ok(!error.message.includes(SIGNATURE), error.message);
  assert.deepEqual([error.details.reason, error.task.id, error.task.status], ["corrupt_file", "task-1", "FAILED"]);
});

test("tokens: asked for at each request, and once more after a 401", async () => {
  const tokens = ["one", "two", "three", "four"];
  const given = [];
  const getToken = async () => given.push(tokens[given.length]) && given.at(-1);
  const client = new api.Client({ baseUrl: service.url, getToken, retry: quick() });
  const me = () => answer(200, document(user(service.url)));
  service.script(me(), refusal(503, "queue_full"), refusal(401, "unauthorized"), me());
  await client.users.me();
  await client.users.me();
  assert.deepEqual(service.requests.map(({ headers }) => headers.authorization), tokens.map((token) => `Bearer ${token}`));
  const stale = new api.Client({ baseUrl: service.url, getToken: () => "stale", retry: quick() });
  service.script(refusal(401, "unauthorized"), refusal(401, "unauthorized"));
  await expectRemote(api, stale.users.me(), "unauthorized", { status: 401, retryable: false });
  service.script(refusal(401, "unauthorized"));
  await expectRemote(api, clientOf(api, service, { retry: quick() }).users.me(), "unauthorized");
  service.done();
});

test("tokens: what throws, rejects, or is none", async () => {
  const wrong = [
    () => { throw new Error(`logged out of ${KEY}`); },
    () => Promise.reject(new Error("logged out")),
    () => Promise.reject(undefined),
    ...[undefined, null, "", 5, {}, [], true, "two words", "line\nbreak", "ünï", Symbol("no")].map((value) => () => value),
    async () => undefined,
  ];
  for (const getToken of wrong) {
    const client = new api.Client({ baseUrl: service.url, getToken, retry: quick() });
    const error = await client.users.me().then(assert.fail, (error) => error);
    assert.ok(error instanceof api.FilepressError, `${error?.stack ?? String(error)}`);
    assert.match(error.message, /getToken/);
  }
  assert.equal(service.requests.length, 0);
});

test("tokens: one that never comes ends with the signal or the time", async () => {
  const client = new api.Client({ baseUrl: service.url, getToken: () => new Promise(() => {}), timeout: 100, retry: false });
  const signal = AbortSignal.timeout(120_000);
  const error = await client.users.me({ signal }).then(assert.fail, (error) => error);
  assert.equal(error.code, "no_token");
});
