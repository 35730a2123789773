// Responses: every status of the API, malformed responses, and broken connections.
import { strict as assert } from "node:assert";
import { after, beforeEach, test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { until } from "../package/support/until.mjs";
import { document, file, page, task, user } from "./support/documents.mjs";
import { KEY, all, clientOf, expectGone, expectRemote } from "./support/expect.mjs";
import { DAY, passUntil } from "./support/long-times.mjs";
import { answer, cut, openScripted, refusal, silence, stall } from "./support/scripted-service.mjs";

const api = await createConsumer().import();
let service;
beforeEach(async () => {
  await service?.close();
  service = await openScripted();
});
after(() => service.close());

/** The answers of refusal to requests for resources. */
const resources = [
  [400, "invalid_json"], [400, "invalid_document"], [400, "unknown_parameter"], [400, "invalid_parameter"], [400, "invalid_header"],
  [400, "max_file_size_exceeded"], [401, "unauthorized"], [401, "key_expired"], [403, "https_required"], [403, "missing_scope"], [403, "client_generated_id"], [404, "not_found"],
  [405, "method_not_allowed"], [406, "not_acceptable"], [408, "request_timeout"], [409, "type_mismatch"], [409, "file_not_uploaded"],
  [409, "idempotency_in_flight"], [413, "document_too_large"], [415, "unsupported_media_type"], [422, "missing_member"],
  [422, "invalid_value"], [422, "idempotency_mismatch"], [422, "format_mismatch"], [422, "unknown_format"], [422, "unsupported_pair"],
  [422, "unknown_setting"], [422, "invalid_setting"], [425, "too_early"], [429, "rate_limited"], [429, "too_many_pending_tasks"],
  [429, "too_many_callbacks"], [422, "callback_not_allowed"],
  [500, "internal"], [501, "not_implemented"], [502, "bad_gateway"], [503, "queue_full"], [503, "disk_full"], [503, "storage_unavailable"], [503, "shutting_down"],
  [504, "gateway_timeout"], [402, "a_code_that_nobody_knows"], [418, "teapot"], [599, "far_out"],
];

/** The answers of refusal to requests for bytes. */
const bytes = [
  [400, "size_mismatch"], [403, "invalid_signature"], [404, "not_found"], [408, "request_timeout"], [409, "already_uploaded"],
  [410, "file_expired"], [411, "length_required"], [413, "upload_too_large"], [416, "range_not_satisfiable"], [429, "rate_limited"],
  [500, "internal"], [503, "disk_full"], [503, "storage_unavailable"], [503, "shutting_down"],
];

/** Also where the same request is under way already. */
const retryable = (status, code) => [408, 425, 429, 500, 502, 503, 504].includes(status) || code === "idempotency_in_flight";

/** Each call that sends one request for a resource. */
const calls = {
  "files.create": (client) => client.files.create({ size: 5 }),
  "files.get": (client) => client.files.get("file-1"),
  "files.list().page": (client) => client.files.list().page(),
  "files.list": (client) => all(client.files.list()),
  "tasks.create": (client) => client.tasks.create({ input: "file-1" }),
  "tasks.get": (client) => client.tasks.get("task-1"),
  "tasks.wait": (client) => client.tasks.wait("task-1"),
  "tasks.list": (client) => all(client.tasks.list()),
  "users.me": (client) => client.users.me(),
};

const sent = new Uint8Array([1, 2, 3, 4, 5]);
/** What is done when the head of the answer is there, and what reads the answer. */
const transfers = {
  "files.upload": (client) => client.files.upload(known(), sent),
  "files.download": (client) => client.files.download(known()),
  "files.download as a stream": (client) => client.files.download(known(), { as: "stream" }).then((stream) => new Response(stream).arrayBuffer()),
};

/** A file as `files.create` gives it. */
function known() {
  const { id, attributes, links } = file(service.url, "file-1");
  return { id, size: attributes.size, createdAt: attributes.created_at, updatedAt: attributes.updated_at, links };
}

for (const [status, code] of resources) {
  test(`${status} ${code}`, async () => {
    const client = clientOf(api, service);
    const source = { pointer: "/data/attributes/size" };
    for (const [name, call] of Object.entries(calls)) {
      service.script(refusal(status, code, { id: `of ${name}`, source }));
      const error = await expectRemote(api, call(client), code, { status, requestId: `of ${name}`, source, retryable: retryable(status, code) });
      assert.match(error.message, /What was wrong this time/, name);
    }
    service.done();
  });
}

for (const [status, code] of bytes) {
  test(`${status} ${code}, where bytes are sent or received`, async () => {
    const client = clientOf(api, service);
    for (const call of Object.values(transfers)) {
      service.script(refusal(status, code));
      await expectRemote(api, call(client), code, { status, requestId: `request-${code}`, retryable: retryable(status) });
    }
    service.done();
  });
}

test("the parts of a request that can be wrong", async () => {
  const client = clientOf(api, service);
  for (const source of [{ pointer: "/data" }, { parameter: "page[size]" }, { header: "Accept" }, undefined]) {
    service.script(refusal(400, "invalid_value", { source }));
    await expectRemote(api, client.users.me(), "invalid_value", { source });
  }
});

test("the request's name comes from the header where the error has none", async () => {
  const client = clientOf(api, service);
  service.script(refusal(404, "not_found", { id: undefined }, { "x-request-id": "in-the-header" }));
  await expectRemote(api, client.users.me(), "not_found", { requestId: "in-the-header" });
  service.script(refusal(404, "not_found", { id: undefined }));
  await expectRemote(api, client.users.me(), "not_found", { requestId: undefined });
  service.script(answer(502, "<html>no", { "content-type": "text/html", "x-request-id": "of-the-proxy" }));
  await expectRemote(api, client.users.me(), "http_error", { requestId: "of-the-proxy" });
});

/** Bodies of a failure that say nothing. */
const empty = {
  nothing: "",
  "a page": "<!doctype html><title>502</title><p>Bad gateway, and so on and so forth.",
  "half of a document": '{"jsonapi":{"version":"1.1"},"errors":[{"code":"int',
  "another shape": { errors: "no" },
  "no errors": { errors: [] },
  "an error without a code": { errors: [{}] },
  "numbers": { errors: [{ code: 5, status: 400 }] },
  "null": "null",
  "a list": [[]],
};

for (const [name, body] of Object.entries(empty)) {
  test(`a failure whose body is ${name}`, async () => {
    const client = clientOf(api, service);
    for (const status of [404, 503]) {
      for (const call of [...Object.values(calls), ...Object.values(transfers)]) {
        service.script(answer(status, body));
        await expectRemote(api, call(client), "http_error", { status, retryable: retryable(status) });
      }
    }
  });
}

const nonsense = Buffer.alloc(10_000_000, '{"data":[[[');
const good = () => document(user(service.url));
/** Bodies of a success that cannot be one. */
const garbage = {
  nothing: () => "",
  "a page": () => "<!doctype html><title>Log in</title>",
  "half of a document": () => JSON.stringify(good()).slice(0, 80),
  "bytes that are no text": () => Buffer.from([0xff, 0xfe, 0, 0xc3, 0x28]),
  "a number": () => "5",
  "null": () => "null",
  "data without members": () => ({ data: {} }),
  "data that is null": () => ({ data: null }),
  "another resource": () => document({ ...user(service.url), type: "cats" }),
  "members of other types": () => ({ data: { type: 5, id: {}, attributes: [], links: "no", relationships: 7 } }),
  "10 MB of nonsense": () => nonsense,
  "a document within 3,000 lists": () => `${"[".repeat(3000)}${"]".repeat(3000)}`,
};

for (const [name, body] of Object.entries(garbage)) {
  test(`a success whose body is ${name}`, async () => {
    const client = clientOf(api, service);
    for (const [called, call] of Object.entries(calls)) {
      service.script(answer(200, body()));
      const error = await expectRemote(api, call(client), "bad_answer", { status: 200 });
      assert.ok(error.message.length < 1000, `${called} repeats the body`);
    }
    service.done();
  });
}

test("a success without a body, where a resource is due", async () => {
  const client = clientOf(api, service);
  for (const status of [202, 204]) {
    service.script(answer(status, ""));
    await expectRemote(api, client.files.create({ size: 5 }), "bad_answer");
  }
});

test("a resource of the wrong kind, and a state that nobody knows", async () => {
  const client = clientOf(api, service);
  service.script(answer(200, document(task(service.url, "task-1"))));
  await expectRemote(api, client.files.get("file-1"), "bad_answer");
  for (const status of ["DONE", null, 5]) {
    service.script(answer(200, document(task(service.url, "task-1", { status }))));
    await expectRemote(api, client.tasks.get("task-1"), "bad_answer");
  }
});

test("more bytes than 4 GiB are told as they are", async () => {
  const client = clientOf(api, service);
  service.script(answer(200, document(file(service.url, "file-1", { size: 5_000_000_000 }))));
  assert.equal((await client.files.get("file-1")).size, 5_000_000_000);
});

test("any success of the 2xx is one", async () => {
  const client = clientOf(api, service);
  for (const status of [200, 201, 202, 203]) {
    service.script(answer(status, document(file(service.url, "file-1"))), answer(status, document(task(service.url, "task-1"))));
    assert.equal((await client.files.create({ size: 5 })).id, "file-1");
    assert.equal((await client.tasks.create({ input: "file-1" })).id, "task-1");
  }
  for (const status of [200, 201, 202, 204]) {
    service.script(answer(status, ""));
    assert.equal(await client.files.upload(known(), sent), undefined);
  }
});

test("a connection that ends before the answer or within it", async () => {
  const client = clientOf(api, service);
  const whole = () => answer(200, good());
  for (const [name, call] of Object.entries({ ...calls, ...transfers })) {
    // Bytes have arrived when the head of the answer says so.
    for (const step of name === "files.upload" ? [cut()] : [cut(), cut(whole())]) {
      service.script(step);
      await expectRemote(api, call(client), "network", { status: undefined, retryable: true });
    }
  }
});

test("nobody there", async () => {
  const gone = await openScripted();
  await gone.close();
  await expectRemote(api, clientOf(api, gone).users.me(), "network", { status: undefined, retryable: true });
});

test("no answer in time, before its head and within its body", async (context) => {
  const client = clientOf(api, service, { timeout: DAY });
  const { fetch } = globalThis;
  context.after(() => (globalThis.fetch = fetch));
  let heads = 0;
  globalThis.fetch = async (...given) => {
    const response = await fetch(...given);
    heads += 1;
    return response;
  };
  for (const [name, call] of Object.entries({ ...calls, ...transfers })) {
    const steps = name === "files.upload" ? [silence()] : [silence(), stall(answer(200, good()))];
    for (const step of steps) {
      service.script(step);
      const [requests, expected] = [service.requests.length, heads + (step.stalled ? 1 : 0)];
      const pending = call(client);
      pending.catch(() => {});
      await until(() => service.requests.length > requests && heads === expected);
      await expectRemote(api, passUntil(pending), "timeout", { retryable: true });
      await expectGone(service.requests.at(-1));
    }
  }
  service.done();
});

test("what fetch itself throws, whatever it is", async () => {
  for (const thrown of [new TypeError(`fetch failed for ${KEY}`), "words", null, undefined, 5, { a: 1 }, Object.create(null), Symbol("no")]) {
    const refusing = clientOf(api, service, { fetch: () => Promise.reject(thrown) });
    await expectRemote(api, refusing.users.me(), "network", { retryable: true });
    const throwing = clientOf(api, service, { fetch: () => { throw thrown; } });
    await expectRemote(api, throwing.users.me(), "network", { retryable: true });
  }
});

test("a fetch that resolves with something else than a Response", async () => {
  for (const value of [undefined, null, 5, "text", {}, { status: 200 }, { ok: true, status: 200, headers: new Headers() }]) {
    const client = clientOf(api, service, { fetch: async () => value });
    const error = await client.users.me().then(assert.fail, (error) => error);
    assert.ok(error instanceof api.FilepressError, `${error?.stack}`);
  }
});

test("a page of a list with items that are none", async () => {
  const client = clientOf(api, service);
  for (const data of [5, {}, null, [null], [{}], [file(service.url, "file-1"), 7]]) {
    service.script(answer(200, { ...page([]), data }));
    await expectRemote(api, client.files.list().page(), "bad_answer");
  }
});

test("a download with fewer bytes than the file has", async () => {
  const client = clientOf(api, service);
  service.script(answer(200, "four", { "content-type": "application/octet-stream" }));
  await expectRemote(api, client.files.download(known()), "network", { retryable: true });
});
