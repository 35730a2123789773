// Aborts: the call rejects with the signal's reason at once, and nothing of it continues.
import { strict as assert } from "node:assert";
import { after, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createConsumer } from "../package/support/consumer.mjs";
import { failureOf } from "../package/support/failure.mjs";
import { until } from "../package/support/until.mjs";
import { document, file, page, pdf, removed, task, user } from "./support/documents.mjs";
import { all, clientOf, expectGone, quick } from "./support/expect.mjs";
import { DAY, stillRunning } from "./support/long-times.mjs";
import { answer, openScripted, refusal, silence, stall } from "./support/scripted-service.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const api = await createConsumer().import();
let service;
beforeEach(async () => {
  await service?.close();
  service = await openScripted();
});
after(() => service.close());

const known = ({ url }) => ({ id: "file-1", size: 5, createdAt: "", updatedAt: "", links: { upload: `${url}/put`, download: `${url}/get` } });

/** Each call that takes a signal. */
const calls = {
  "files.create": (client, signal) => client.files.create({ size: 5 }, { signal }),
  "files.upload": (client, signal, at = service) => client.files.upload(known(at), new Blob(["bytes"]), { signal }),
  "files.get": (client, signal) => client.files.get("file-1", { signal }),
  "files.list": (client, signal) => all(client.files.list({ signal })),
  "files.list().page": (client, signal) => client.files.list({ signal }).page(),
  "files.download": (client, signal, at = service) => client.files.download(known(at), { signal }),
  "files.download as a stream": async (client, signal, at = service) =>
    new Response(await client.files.download(known(at), { as: "stream", signal })).text(),
  "tasks.create": (client, signal) => client.tasks.create({ input: "file-1" }, { signal }),
  "tasks.get": (client, signal) => client.tasks.get("task-1", { signal }),
  "tasks.wait": (client, signal) => client.tasks.wait("task-1", { signal }),
  "tasks.list": (client, signal) => all(client.tasks.list({ signal })),
  "files.delete": (client, signal) => client.files.delete("file-1", { signal }),
  "tasks.cancel": (client, signal) => client.tasks.cancel("task-1", { signal }),
  "users.me": (client, signal) => client.users.me({ signal }),
  compress: (client, signal) => api.compress(pdf(), { client, signal }),
};

/** Resolves when the server has been asked so often. */
const asked = (count) => until(() => service.requests.length >= count);

/** What a call rejects with that is aborted once `count` requests were made. */
async function abortAfter(call, count, options) {
  const controller = new AbortController();
  const reason = new Error("changed my mind");
  const pending = call(clientOf(api, service, options), controller.signal);
  pending.catch(() => {});
  await asked(count);
  // Node's Request follows its signal for as long as something holds the Request.
  collectGarbage();
  controller.abort(reason);
  assert.equal(await failureOf(pending), reason);
}

for (const [name, call] of Object.entries(calls)) {
  test(`${name}: aborted already`, async () => {
    for (const reason of [undefined, "words", null, 5]) {
      const controller = new AbortController();
      controller.abort(reason);
      assert.equal(await failureOf(call(clientOf(api, service), controller.signal)), controller.signal.reason);
    }
    assert.equal(service.requests.length, 0);
  });

  test(`${name}: aborted while there is no answer, and while one comes`, async () => {
    const steps = [silence(), stall(answer(200, document(user(service.url))))];
    // Bytes that were sent have arrived with the head of the answer.
    if (name === "files.upload") steps.pop();
    for (const [index, step] of steps.entries()) {
      service.script(step);
      await abortAfter(call, index + 1, { retry: quick() });
      await expectGone(service.requests.at(-1));
    }
    await sleep(50);
    assert.equal(service.requests.length, steps.length, "nothing is asked afterwards");
  });
}

test("each call: aborted between two attempts", async () => {
  for (const [index, [name, call]] of Object.entries(calls).entries()) {
    service.script(refusal(503, "queue_full", {}, { "retry-after": `${DAY / 1000}` }));
    const controller = new AbortController();
    const pending = call(clientOf(api, service, { retry: quick(5, { deadline: 2 * DAY }) }), controller.signal);
    pending.catch(() => {});
    await until(() => stillRunning() === 1);
    controller.abort();
    assert.equal(await failureOf(pending), controller.signal.reason, name);
    assert.deepEqual([stillRunning(), service.requests.length], [0, index + 1], `${name}: the delay goes on`);
  }
});

test("waiting and lists: aborted between two questions", async () => {
  service.script(answer(200, document(task(service.url, "task-1")), { "retry-after": "1" }));
  await abortAfter(calls["tasks.wait"], 1);
  const next = `${service.url}/v1/files?page%5Bafter%5D=one`;
  service.script(answer(200, page([file(service.url, "file-1")], { next })));
  const controller = new AbortController();
  const seen = [];
  const walk = (async () => {
    for await (const { id } of clientOf(api, service).files.list({ signal: controller.signal })) {
      seen.push(id);
      controller.abort();
    }
  })();
  assert.equal(await failureOf(walk), controller.signal.reason);
  await sleep(1200);
  assert.deepEqual([seen, service.requests.length], [["file-1"], 2]);
});

test("compress: aborted at each of its steps", async () => {
  const { url } = service;
  const state = (status) => answer(200, document(task(url, "task-1", { status }), [file(url, "output")]));
  const steps = () => [
    answer(201, document(file(url, "input"))),
    answer(201, ""),
    answer(201, document(task(url, "task-1"))),
    state("PROCESSING"),
    state("COMPLETED"),
  ];
  const canceled = state("FAILED");
  const input = "DELETE /v1/files/input";
  // What the server holds by then is given back.
  const later = [[], [input], [input], ["PATCH /v1/tasks/task-1", input], ["PATCH /v1/tasks/task-1", input], [input, "DELETE /v1/files/output"]];
  for (const [count, requests] of later.entries()) {
    const before = service.requests.length;
    const expected = before + count + 1 + requests.length;
    const answers = requests.map((request) => (request.startsWith("PATCH") ? canceled : removed()));
    service.script(...steps().slice(0, count), silence(), ...answers);
    await abortAfter(calls.compress, before + count + 1);
    await asked(expected);
    await sleep(20);
    assert.deepEqual(service.seen().slice(before + count + 1).toSorted((one, other) => other.localeCompare(one)), requests.toSorted((one, other) => other.localeCompare(one)), `step ${count}`);
    service.done();
  }
});

test("a call beside an aborted one goes on", async () => {
  const client = clientOf(api, service);
  const controller = new AbortController();
  service.script(silence(), answer(200, document(user(service.url))));
  const aborted = client.users.me({ signal: controller.signal });
  aborted.catch(() => {});
  await asked(1);
  const beside = client.users.me();
  controller.abort();
  await failureOf(aborted);
  assert.equal((await beside).id, "user-1");
});

test("a stream that is cancelled ends its request", async () => {
  service.script(stall(answer(200, "bytes of a file that never ends")));
  const stream = await clientOf(api, service).files.download({ ...known(service), size: 31 }, { as: "stream" });
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel();
  await expectGone(service.requests[0]);
  await sleep(50);
  assert.equal(service.requests.length, 1);
});

test("a stream that is read no further ends its request when it is aborted", async () => {
  const controller = new AbortController();
  const reason = new Error("changed my mind");
  service.script(stall(answer(200, "bytes of a file that never ends")));
  const stream = await clientOf(api, service).files.download({ ...known(service), size: 31 }, { as: "stream", signal: controller.signal });
  const reader = stream.getReader();
  await reader.read();
  // The read is over, and all that it did.
  await sleep(20);
  controller.abort(reason);
  await expectGone(service.requests[0]);
  assert.equal(await failureOf(reader.read()), reason);
  assert.equal(service.requests.length, 1);
});
