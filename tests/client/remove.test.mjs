// `compress` deletes its files on the server, unless `keepRemote` is set.
import { strict as assert } from "node:assert";
import { after, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createConsumer } from "../package/support/consumer.mjs";
import { failureOf } from "../package/support/failure.mjs";
import { until } from "../package/support/until.mjs";
import { conversion, document, file, pdf, removed, task } from "./support/documents.mjs";
import { clientOf, expectRemote } from "./support/expect.mjs";
import { answer, cut, openScripted, refusal, silence, stall } from "./support/scripted-service.mjs";

const api = await createConsumer().import();
let service;
beforeEach(async () => {
  await service?.close();
  service = await openScripted();
});
after(() => service.close());

const converted = ["POST /v1/files", "PUT /bytes/input/upload", "POST /v1/tasks", "GET /v1/tasks/task-1", "GET /bytes/output/download"];
const removals = ["DELETE /v1/files/input", "DELETE /v1/files/output"];
const failed = (code) => answer(200, document(task(service.url, "task-1", { status: "FAILED", processing_metadata: { error: { code } } })));

/** What was asked for, in order; the two removals are sent side by side. */
const seen = () => [...service.seen().slice(0, converted.length), ...service.seen().slice(converted.length).toSorted()];

test("both files are removed once the result is there", async () => {
  service.script(...conversion(service.url));
  const { blob } = await api.compress(pdf(), { client: clientOf(api, service) });
  assert.equal(await blob.text(), "bytes");
  assert.deepEqual(seen(), [...converted, ...removals]);
  service.done();
});

test("they stay where they are to be kept", async () => {
  service.script(...conversion(service.url).slice(0, -2));
  await api.compress(pdf(), { client: clientOf(api, service), keepRemote: true });
  assert.deepEqual(seen(), converted);
  service.script(answer(201, document(file(service.url, "input"))), answer(201), answer(201, document(task(service.url, "task-1"))), failed("corrupt_file"));
  await expectRemote(api, api.compress(pdf(), { client: clientOf(api, service), keepRemote: true }), "task_failed");
  service.done();
  for (const keepRemote of [null, 1, "yes"]) {
    const { code, details } = await failureOf(api.compress(pdf(), { client: clientOf(api, service), keepRemote }));
    assert.deepEqual([code, details.option], ["invalid_option", "keepRemote"]);
  }
});

test("a service that removes nothing takes nothing from the result", async () => {
  for (const answers of [[refusal(405, "method_not_allowed"), refusal(404, "not_found")], [cut({}), cut({})], [refusal(503, "queue_full"), refusal(409, "file_in_use")]]) {
    service.script(...conversion(service.url).slice(0, -2), ...answers);
    const { blob, warnings } = await api.compress(pdf(), { client: clientOf(api, service, { retry: {} }) });
    assert.deepEqual([await blob.text(), warnings], ["bytes", []]);
    service.done();
  }
});

test("a stream is read to its end before they are removed", async () => {
  service.script(...conversion(service.url));
  const { stream } = await api.compress(pdf(), { client: clientOf(api, service), as: "stream" });
  assert.deepEqual(service.seen(), converted.slice(0, -1), "nothing is fetched before it is wanted");
  assert.equal(await new Response(stream).text(), "bytes");
  assert.deepEqual(seen(), [...converted, ...removals]);
  service.done();
});

test("a stream that is not read to its end: they are removed once, however it ends", async () => {
  const whole = (stream) => new Response(stream).text();
  const ends = [
    { how: "canceled unread", steps: [], end: ({ stream }) => stream.cancel() },
    { how: "canceled", steps: [stall(answer(200, "bytes of it"))], end: async ({ stream }) => { const reader = stream.getReader(); await reader.read(); await reader.cancel(); } },
    { how: "aborted", steps: [stall(answer(200, "bytes of it"))], end: async ({ stream }, controller) => { const reader = stream.getReader(); await reader.read(); controller.abort("enough of it"); assert.equal(await failureOf(reader.read()), "enough of it"); } },
    { how: "refused", steps: [refusal(404, "not_found")], end: async ({ stream }) => assert.equal((await failureOf(whole(stream))).code, "not_found") },
    { how: "broken", steps: [cut(answer(200, "bytes of it"))], end: async ({ stream }) => assert.equal((await failureOf(whole(stream))).code, "network") },
  ];
  for (const { how, steps, end } of ends) {
    const from = service.requests.length;
    const controller = new AbortController();
    const events = [];
    service.script(...conversion(service.url).slice(0, -3), ...steps, removed(), removed());
    const options = { client: clientOf(api, service), as: "stream", signal: controller.signal, onProgress: ({ phase }) => events.push(phase) };
    await end(await api.compress(pdf(), options), controller);
    await until(() => service.requests.length === from + 4 + steps.length + 2);
    await sleep(20);
    assert.deepEqual(service.seen().slice(from + 4 + steps.length).toSorted(), removals, how);
    assert.ok(!events.includes("done"), how);
    service.done();
  }
});

test("a stream that was read to its end tells that it is done", async () => {
  service.script(...conversion(service.url));
  const events = [];
  const { stream } = await api.compress(pdf(), { client: clientOf(api, service), as: "stream", onProgress: ({ phase, ratio }) => events.push([phase, ratio]) });
  assert.ok(events.every(([, ratio]) => ratio < 1));
  await new Response(stream).text();
  assert.deepEqual(events.at(-1), ["done", 1]);
  assert.equal(events.filter(([phase]) => phase === "done").length, 1);
});

test("an abort ends the task, and removes its input", async () => {
  const controller = new AbortController();
  const pending = (_request) => {
    controller.abort("enough of it");
    return answer(200, document(task(service.url, "task-1", { status: "PROCESSING" })));
  };
  const canceled = answer(200, document(task(service.url, "task-1", { status: "FAILED" })));
  service.script(answer(201, document(file(service.url, "input"))), answer(201), answer(201, document(task(service.url, "task-1"))), pending, canceled, removed());
  assert.equal(await failureOf(api.compress(pdf(), { client: clientOf(api, service), signal: controller.signal })), "enough of it");
  await until(() => service.requests.length === 6);
  assert.deepEqual(service.seen().slice(4), ["PATCH /v1/tasks/task-1", "DELETE /v1/files/input"]);
  const { headers, body } = service.requests[4];
  assert.equal(headers["content-type"], "application/vnd.api+json");
  assert.deepEqual(JSON.parse(body).data, { type: "tasks", id: "task-1", attributes: { status: "FAILED" } });
  service.done();
});

test("an abort before the answer about the new task ends that task as well", async () => {
  for (const keepRemote of [false, true]) {
    const from = service.requests.length;
    const controller = new AbortController();
    const silent = (_request) => {
      controller.abort("enough of it");
      return silence();
    };
    const created = answer(201, document(task(service.url, "task-1")));
    const canceled = answer(200, document(task(service.url, "task-1", { status: "FAILED" })));
    const later = keepRemote ? [created, canceled] : [refusal(409, "file_in_use"), created, canceled, removed()];
    service.script(answer(201, document(file(service.url, "input"))), answer(201), silent, ...later);
    const options = { client: clientOf(api, service), signal: controller.signal, keepRemote };
    assert.equal(await failureOf(api.compress(pdf(), options)), "enough of it");
    await until(() => service.requests.length === from + 3 + later.length);
    const removal = "DELETE /v1/files/input";
    const cancel = ["POST /v1/tasks", "PATCH /v1/tasks/task-1"];
    assert.deepEqual(service.seen().slice(from + 3), keepRemote ? cancel : [removal, ...cancel, removal]);
    const [first, second] = service.requests.slice(from).filter(({ method, path }) => method === "POST" && path.endsWith("/tasks"));
    assert.equal(second.headers["idempotency-key"], first.headers["idempotency-key"]);
    assert.deepEqual(JSON.parse(second.body), JSON.parse(first.body));
    service.done();
  }
});

test("a task that failed is not ended once more; its input is removed", async () => {
  service.script(answer(201, document(file(service.url, "input"))), answer(201), answer(201, document(task(service.url, "task-1"))), failed("corrupt_file"), removed());
  await expectRemote(api, api.compress(pdf(), { client: clientOf(api, service) }), "task_failed");
  await until(() => service.requests.length === 5);
  assert.equal(service.seen()[4], "DELETE /v1/files/input");
  service.done();
});

test("an upload that was refused leaves no record", async () => {
  service.script(answer(201, document(file(service.url, "input"))), refusal(413, "upload_too_large"), removed());
  await expectRemote(api, api.compress(pdf(), { client: clientOf(api, service) }), "upload_too_large", { status: 413 });
  await until(() => service.requests.length === 3);
  assert.equal(service.seen()[2], "DELETE /v1/files/input");
});

test("calls of their own", async () => {
  const client = clientOf(api, service);
  service.script(removed(), removed(), answer(200, document(task(service.url, "task-1", { status: "FAILED" }))), refusal(409, "task_ended"));
  assert.equal(await client.files.delete("a b"), undefined);
  assert.equal(await client.files.delete({ id: "file-2", links: {} }), undefined);
  const { id, status } = await client.tasks.cancel("task-1");
  assert.deepEqual([id, status], ["task-1", "FAILED"]);
  await expectRemote(api, client.tasks.cancel({ id: "task-2", status: "COMPLETED", links: {} }), "task_ended", { status: 409, retryable: false });
  assert.deepEqual(service.seen(), ["DELETE /v1/files/a%20b", "DELETE /v1/files/file-2", "PATCH /v1/tasks/task-1", "PATCH /v1/tasks/task-2"]);
  for (const id of ["", "..", 5, undefined]) {
    for (const call of [client.files.delete, client.tasks.cancel]) assert.equal((await failureOf(call(id))).code, "invalid_option");
  }
  service.done();
});
