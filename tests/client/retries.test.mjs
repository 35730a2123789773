// Retries: what is sent again, when and how often, and how duplicates are prevented.
import { strict as assert } from "node:assert";
import { after, beforeEach, test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { until } from "../package/support/until.mjs";
import { document, file, task, user } from "./support/documents.mjs";
import { clientOf, expectRemote, quick } from "./support/expect.mjs";
import { DAY, begun, pass } from "./support/long-times.mjs";
import { answer, cut, openScripted, refusal, silence } from "./support/scripted-service.mjs";

const api = await createConsumer().import();
let service;
beforeEach(async () => {
  await service?.close();
  service = await openScripted();
});
after(() => service.close());

const me = () => answer(200, document(user(service.url)));
const made = () => answer(201, document(file(service.url, "file-1")));

test("what may pass is tried again, as often as is said", async () => {
  for (const status of [408, 425, 429, 500, 502, 503, 504]) {
    service.script(refusal(status, "for_now"), answer(status, "<html>"), cut(), me());
    assert.equal((await clientOf(api, service, { retry: quick() }).users.me()).id, "user-1");
    service.done();
  }
  const before = service.requests.length;
  service.script(...Array.from({ length: 3 }, () => refusal(503, "queue_full")));
  await expectRemote(api, clientOf(api, service, { retry: quick(2) }).users.me(), "queue_full", { status: 503, retryable: true });
  assert.equal(service.requests.length - before, 3);
});

test("what does not pass is not tried again", async () => {
  for (const status of [400, 401, 403, 404, 405, 406, 409, 410, 411, 413, 415, 422, 501]) {
    service.script(refusal(status, "for_ever"));
    await expectRemote(api, clientOf(api, service, { retry: quick() }).users.me(), "for_ever", { status });
    service.done();
  }
  for (const retry of [false, { attempts: 0 }]) {
    service.script(refusal(503, "queue_full"));
    await expectRemote(api, clientOf(api, service, { retry }).users.me(), "queue_full");
    service.done();
  }
});

test("the default is five further attempts", async () => {
  service.script(...Array.from({ length: 6 }, () => refusal(503, "queue_full", {}, { "retry-after": "0" })));
  await expectRemote(api, clientOf(api, service, { retry: undefined }).users.me(), "queue_full");
  service.done();
});

test("a timeout is tried again", async () => {
  service.script(silence(), me());
  const call = clientOf(api, service, { timeout: DAY, retry: quick() }).users.me();
  await until(() => service.requests.length === 1 && begun() > 0);
  pass();
  assert.equal((await call).id, "user-1");
  service.done();
});

test("Retry-After is kept to, in seconds and as a date", async () => {
  const second = () => new Date(Date.now() + 2000).toUTCString();
  for (const header of [() => "1", second]) {
    service.script(() => refusal(429, "rate_limited", {}, { "retry-after": header() }), me());
    await clientOf(api, service, { retry: quick() }).users.me();
    const [first, next] = service.requests.slice(-2);
    // A date has whole seconds, so that it may be up to one nearer.
    assert.ok(next.at - first.at >= 950, `${next.at - first.at} ms`);
  }
});

test("no attempt begins after the deadline", async () => {
  service.script(refusal(503, "shutting_down", {}, { "retry-after": `${DAY / 1000}` }));
  const before = begun();
  await expectRemote(api, clientOf(api, service, { retry: { deadline: DAY - 1 } }).users.me(), "shutting_down");
  assert.equal(begun(), before, "the call waited");
  service.done();
});

test("the attempts of a call have one Idempotency-Key, and each call has its own", async () => {
  const client = clientOf(api, service, { retry: quick() });
  const keys = [];
  for (let call = 0; call < 4; call++) {
    service.script(refusal(500, "internal"), cut(), refusal(409, "idempotency_in_flight"), made());
    const before = service.requests.length;
    if (call % 2) await client.files.create({ size: 5 });
    else await client.tasks.create({ input: "file-1" }).catch(() => {});
    const sent = service.requests.slice(before).map(({ headers, body }) => [headers["idempotency-key"], body.toString()]);
    assert.equal(sent.length, 4);
    for (const one of sent) assert.deepEqual(one, sent[0]);
    assert.match(sent[0][0], /^[!-~]{16,255}$/);
    keys.push(sent[0][0]);
  }
  assert.equal(new Set(keys).size, 4);
  service.script(made(), me());
  await client.files.create({ size: 5 }, { idempotencyKey: "my own key".replaceAll(" ", "-") });
  assert.equal(service.requests.at(-1).headers["idempotency-key"], "my-own-key");
  await client.users.me();
  assert.equal(service.requests.at(-1).headers["idempotency-key"], undefined);
});

const known = () => ({ id: "file-1", size: 5, createdAt: "", updatedAt: "", links: { upload: `${service.url}/stale?signature=1`, download: `${service.url}/stale?signature=2` } });
const five = new Uint8Array([1, 2, 3, 4, 5]);

test("bytes are sent to a fresh address where the old one has expired", async () => {
  service.script(refusal(403, "url_expired"), answer(200, document(file(service.url, "file-1"))), answer(201, ""));
  await clientOf(api, service, { retry: quick() }).files.upload(known(), new Blob([five]));
  assert.deepEqual(service.seen(), ["PUT /stale", "GET /v1/files/file-1", "PUT /bytes/file-1/upload"]);
  for (const { method, body, headers } of service.requests.filter(({ method }) => method === "PUT")) {
    assert.deepEqual([method, [...body], headers.authorization], ["PUT", [...five], undefined]);
  }
});

test("a download goes to a fresh address where the old one has expired", async () => {
  service.script(refusal(403, "url_expired"), answer(200, document(file(service.url, "file-1"))), answer(200, "bytes"));
  const blob = await clientOf(api, service, { retry: quick() }).files.download(known());
  assert.equal(await blob.text(), "bytes");
  service.done();
});

test("bytes whose answer was lost are not sent twice where they have arrived", async () => {
  const arrived = answer(200, document({ ...file(service.url, "file-1"), links: { download: `${service.url}/b` } }));
  service.script(cut(), arrived);
  await clientOf(api, service, { retry: quick() }).files.upload(known(), five);
  service.done();
});

test("a download that breaks off goes on where it ended", async () => {
  const whole = "0123456789";
  const resource = { ...known(), size: 10 };
  const rest = (request) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range)?.[1]);
    assert.equal(request.headers["if-range"], '"one"');
    return answer(206, whole.slice(from), { "content-range": `bytes ${from}-9/10`, etag: '"one"' });
  };
  service.script(cut(answer(200, whole, { etag: '"one"' })), rest);
  const client = clientOf(api, service, { retry: quick() });
  assert.equal(await (await client.files.download(resource)).text(), whole);
  // A service without ranges sends all of it again.
  service.script(cut(answer(200, whole)), answer(200, whole));
  assert.equal(await (await client.files.download(resource)).text(), whole);
  service.script(cut(answer(200, whole)), answer(200, whole));
  assert.equal(await new Response(await client.files.download(resource, { as: "stream" })).text(), whole);
  service.done();
});

test("other bytes than those that were begun with are not put together", async () => {
  const resource = { ...known(), size: 10 };
  service.script(cut(answer(200, "0123456789", { etag: '"one"' })), answer(200, "abcdefghij", { etag: '"two"' }));
  const outcome = await clientOf(api, service, { retry: quick() }).files.download(resource).then((blob) => blob.text(), (error) => error);
  if (typeof outcome === "string") assert.equal(outcome, "abcdefghij");
  else assert.equal(outcome.name, "RemoteError");
});

test("waiting outlives what is wrong for a moment", async () => {
  const state = (status) => answer(200, document(task(service.url, "task-1", { status })), { "retry-after": "0" });
  service.script(state("PENDING"), cut(), refusal(503, "shutting_down"), state("PROCESSING"), state("COMPLETED"));
  const done = await clientOf(api, service, { retry: quick() }).tasks.wait("task-1");
  assert.equal(done.status, "COMPLETED");
  service.done();
});
