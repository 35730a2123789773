// The requests that each call sends, byte for byte where the API specifies it, and the results it returns.
import { strict as assert } from "node:assert";
import { after, beforeEach, test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { document, file, page, task, user } from "./support/documents.mjs";
import { KEY, all, clientOf } from "./support/expect.mjs";
import { answer, openScripted } from "./support/scripted-service.mjs";

const MEDIA_TYPE = "application/vnd.api+json";
const api = await createConsumer().import();
let service, client;
beforeEach(async () => {
  await service?.close();
  service = await openScripted();
  client = clientOf(api, service);
});
after(() => service.close());

/** Runs a call that is answered with `body`; resolves to its value and its one request. */
async function exchange(call, body, status = 200) {
  service.script(answer(status, body));
  const value = await call();
  service.done();
  return { value, request: service.requests.at(-1) };
}

const sentDocument = ({ body }) => JSON.parse(body.toString("utf8"));

test("every request for a resource says what it takes and who asks", async () => {
  const { url } = service;
  const requests = [
    await exchange(() => client.files.create({ size: 5 }), document(file(url, "file-1")), 201),
    await exchange(() => client.files.get("file-1"), document(file(url, "file-1"))),
    await exchange(() => client.files.list().page(), page([])),
    await exchange(() => client.tasks.create({ input: "file-1" }), document(task(url, "task-1")), 201),
    await exchange(() => client.tasks.get("task-1"), document(task(url, "task-1"))),
    await exchange(() => client.tasks.list().page(), page([])),
    await exchange(() => client.users.me(), document(user(url))),
  ];
  for (const { request } of requests) {
    const { accept, authorization } = request.headers;
    assert.deepEqual([accept, authorization], [MEDIA_TYPE, `Bearer ${KEY}`], request.path);
    assert.equal(request.headers["content-type"], request.method === "POST" ? MEDIA_TYPE : request.headers["content-type"]);
    assert.ok([undefined, MEDIA_TYPE].includes(request.headers["content-type"]), request.headers["content-type"]);
    assert.equal(request.headers.cookie, undefined);
  }
  assert.deepEqual(service.seen(), [
    "POST /v1/files", "GET /v1/files/file-1", "GET /v1/files", "POST /v1/tasks", "GET /v1/tasks/task-1", "GET /v1/tasks", "GET /v1/users/me",
  ]);
});

test("tasks.create takes several inputs, and hands back their ids", async () => {
  const made = document(task(service.url, "task-1"));
  made.data.relationships.inputs = { data: [{ type: "files", id: "a" }, { type: "files", id: "b" }], links: {} };
  const inputs = ["a", { id: "b", links: {} }];
  const { request, value } = await exchange(() => client.tasks.create({ inputs, format: { output: "application/pdf" } }), made, 201);
  assert.deepEqual(sentDocument(request).data, {
    type: "tasks",
    attributes: { format: { output: "application/pdf" } },
    relationships: { inputs: { data: [{ type: "files", id: "a" }, { type: "files", id: "b" }] } },
  });
  assert.deepEqual(value.inputs, ["a", "b"]);
});

test("files.create declares a size, and a format where there is one", async () => {
  const made = document(file(service.url, "file-1", { size: 7, format: "image/png" }));
  const plain = await exchange(() => client.files.create({ size: 7 }), made, 201);
  assert.deepEqual(sentDocument(plain.request), { data: { type: "files", attributes: { size: 7 } } });
  const { request, value } = await exchange(() => client.files.create({ size: 7, format: "image/png" }), made, 201);
  assert.deepEqual(sentDocument(request), { data: { type: "files", attributes: { size: 7, format: "image/png" } } });
  const { links } = made.data;
  assert.deepEqual(value, {
    id: "file-1",
    format: "image/png",
    size: 7,
    createdAt: "2026-01-01T10:00:00Z",
    updatedAt: "2026-01-01T10:00:00Z",
    links: { self: links.self, upload: links.upload, download: links.download },
  });
});

test("what the server tells beyond the interface", async () => {
  const resource = { ...file(service.url, "file-1"), meta: { expires_at: "2026-01-03T10:00:00Z", sha256: "ab".repeat(32), more: 1 } };
  const { value } = await exchange(() => client.files.get("file-1"), document(resource));
  assert.deepEqual([value.expiresAt, value.sha256, value.more], ["2026-01-03T10:00:00Z", "ab".repeat(32), undefined]);
});

test("files.upload sends the bytes as they are, to the signed address, without the key", async () => {
  const bytes = new Uint8Array([9, 8, 7, 6, 5]);
  const whole = new Uint8Array([0, 9, 8, 7, 6, 5, 0]);
  const inputs = [bytes, bytes.buffer, new Blob([bytes]), new File([bytes], "a.bin", { type: "text/plain" }), whole.subarray(1, 6), new DataView(whole.buffer, 1, 5), Buffer.from(bytes)];
  const shared = new SharedArrayBuffer(5);
  new Uint8Array(shared).set(bytes);
  for (const input of [...inputs, shared]) {
    const resource = file(service.url, "file-1");
    const { value: remote } = await exchange(() => client.files.get("file-1"), document(resource));
    const { request, value } = await exchange(() => client.files.upload(remote, input), "", 201);
    assert.equal(value, undefined);
    assert.deepEqual([request.method, `${service.url}${request.path}`], ["PUT", resource.links.upload]);
    assert.deepEqual([...request.body], [...bytes]);
    assert.deepEqual([request.headers["content-length"], request.headers.authorization], ["5", undefined]);
  }
  assert.deepEqual([...bytes], [9, 8, 7, 6, 5]);
});

test("files.upload asks for the address where it has only the id", async () => {
  service.script(answer(200, document(file(service.url, "file-1"))), answer(201, ""));
  await client.files.upload("file-1", new Uint8Array(5));
  assert.deepEqual(service.seen(), ["GET /v1/files/file-1", "PUT /bytes/file-1/upload"]);
});

test("files.download gives a Blob or a stream, without the key", async () => {
  const resource = file(service.url, "file-1", { format: "image/png" });
  const { value: remote } = await exchange(() => client.files.get("file-1"), document(resource));
  const bytes = answer(200, "bytes", { "content-type": "image/png" });
  service.script(bytes, bytes, bytes);
  const blob = await client.files.download(remote);
  assert.ok(blob instanceof Blob);
  assert.deepEqual([blob.size, blob.type, await blob.text()], [5, "image/png", "bytes"]);
  assert.equal(await (await client.files.download(remote, { as: "blob" })).text(), "bytes");
  const stream = await client.files.download(remote, { as: "stream" });
  assert.ok(stream instanceof ReadableStream);
  assert.equal(await new Response(stream).text(), "bytes");
  for (const request of service.requests.slice(1)) {
    assert.deepEqual([`${service.url}${request.path}`, request.headers.authorization], [resource.links.download, undefined]);
  }
  service.script(answer(200, document(resource)), bytes);
  assert.equal((await client.files.download("file-1")).size, 5);
  service.done();
});

test("a stream is sent for as it is read, not before", async () => {
  const { value: remote } = await exchange(() => client.files.get("file-1"), document(file(service.url, "file-1")));
  service.script(answer(200, "bytes"));
  const stream = await client.files.download(remote, { as: "stream" });
  const reader = stream.getReader();
  const { value } = await reader.read();
  assert.ok(value instanceof Uint8Array);
  assert.equal(Buffer.from(value).toString(), "bytes");
  assert.equal((await reader.read()).done, true);
  service.done();
});

test("tasks.create says what is wanted, and nothing that was not given", async () => {
  const made = document(task(service.url, "task-1"), [file(service.url, "file-1")]);
  const relationships = { input: { data: { type: "files", id: "file-1" } } };
  const plain = await exchange(() => client.tasks.create({ input: "file-1" }), made, 201);
  assert.deepEqual(normal(sentDocument(plain.request)), { data: { type: "tasks", attributes: {}, relationships } });
  const { value: remote } = await exchange(() => client.files.get("file-1"), document(file(service.url, "file-1")));
  const settings = { crf: 30, resize: { max_width: 640 }, trim: { start: 0.5 }, background: "#ff00ff", nothing: null, list: [1, "ä"] };
  const format = { input: "video/mp4", output: "video/webm" };
  const callbackUrl = "https://example.org/hook?id=ä";
  const { request } = await exchange(() => client.tasks.create({ input: remote, format, settings, public: true, callbackUrl }), made, 201);
  const wanted = { format, settings, public: true, callback_url: callbackUrl };
  assert.deepEqual(sentDocument(request), { data: { type: "tasks", attributes: wanted, relationships } });
  const half = await exchange(() => client.tasks.create({ input: "file-1", format: { output: "image/gif" } }), made, 201);
  assert.deepEqual(normal(sentDocument(half.request)).data.attributes, { format: { output: "image/gif" } });
});

/** A document of a new task without the members that say the default. */
function normal({ data }) {
  const { settings = {}, format = {}, public: open = false, ...attributes } = data.attributes ?? {};
  const kept = { ...(Object.keys(settings).length > 0 && { settings }), ...(Object.keys(format).length > 0 && { format }), ...(open && { public: open }) };
  return { data: { ...data, attributes: { ...attributes, ...kept } } };
}

test("a task as it is handed back", async () => {
  const attributes = {
    status: "COMPLETED",
    public: true,
    format: { input: "video/mp4", output: "video/webm" },
    settings: { crf: 30, resize: { max_width: 640 } },
    started_at: "2026-01-01T10:00:00.5Z",
    processed_at: "2026-01-01T10:00:09Z",
    processing_metadata: { progress: 1, output: { width: 640, codec: "vp9" }, warnings: [] },
    callback_url: "https://example.org/hook",
  };
  const meta = { callback: { status: "PENDING", attempts: 2, failure: "status_503" } };
  const links = { download: `${service.url}/bytes/output/download` };
  const [input, output] = [file(service.url, "input"), file(service.url, "output", { format: "video/webm" })];
  const { value } = await exchange(() => client.tasks.get("task-1"), document(task(service.url, "task-1", attributes, { links, meta }), [input, output]));
  const { files, ...rest } = value;
  assert.deepEqual(rest, {
    id: "task-1",
    status: "COMPLETED",
    public: true,
    format: attributes.format,
    settings: attributes.settings,
    createdAt: "2026-01-01T10:00:00.123456Z",
    updatedAt: "2026-01-01T10:00:01.123456Z",
    startedAt: "2026-01-01T10:00:00.5Z",
    processedAt: "2026-01-01T10:00:09Z",
    processingMetadata: attributes.processing_metadata,
    callbackUrl: attributes.callback_url,
    callback: meta.callback,
    input: "input",
    output: "output",
    links: { self: `${service.url}/v1/tasks/task-1`, download: links.download },
  });
  assert.deepEqual(files.map(({ id, format }) => [id, format]), [["input", undefined], ["output", "video/webm"]]);
});

test("a task that has not begun lacks what is not known yet", async () => {
  const { value } = await exchange(() => client.tasks.get("task-1"), document(task(service.url, "task-1")));
  assert.deepEqual([value.startedAt, value.processedAt, value.output, value.files, value.processingMetadata], [undefined, undefined, undefined, [], {}]);
});

test("users.me", async () => {
  const { value } = await exchange(() => client.users.me(), document(user(service.url)));
  assert.deepEqual(value, { id: "user-1", email: "one@example.org", name: "One", createdAt: "2026-01-01T10:00:00Z", updatedAt: "2026-01-01T10:00:00Z" });
});

test("ids are put into paths, whatever is in them", async () => {
  for (const id of ["../users/me", "a/b", "a?b=c", "a#b", "ä ü", "%2e%2e", "..", "."]) {
    const own = await openScripted(answer(200, document(file(service.url, id))));
    const error = await clientOf(api, own).files.get(id).then(() => undefined, (error) => error);
    await own.close();
    if (error) assert.ok(error instanceof api.FilepressError, `${error.stack}`);
    assert.deepEqual(own.seen().map((seen) => decodeURIComponent(seen)), error ? [] : [`GET /v1/files/${id}`]);
    for (const { path } of own.requests) assert.match(path, /^\/v1\/files\/[^/?#]+$/, id);
  }
});

test("the address may have a path, and a slash at its end", async () => {
  for (const path of ["", "/", "/files-api", "/files-api/", "/a/b%20c"]) {
    for (const baseUrl of [`${service.url}${path}`, new URL(`${service.url}${path}`)]) {
      service.script(answer(200, document(user(service.url))));
      await new api.Client({ baseUrl, retry: false }).users.me();
      assert.equal(service.requests.at(-1).path, `${path.replace(/\/$/, "")}/v1/users/me`);
      assert.equal(service.requests.at(-1).headers.authorization, undefined, "no key was given");
    }
  }
});

test("lists: pages by size and cursor, and the items of all pages", async () => {
  const { url } = service;
  const files = [1, 2, 3, 4, 5].map((number) => file(url, `file-${number}`));
  const cursor = "2026-01-01T10:00:00.000000002Z";
  const next = (after) => `${url}/v1/files?page%5Bsize%5D=2&page%5Bafter%5D=${encodeURIComponent(after)}`;
  service.script(answer(200, page(files.slice(0, 2), { next: next(cursor) })));
  const first = await client.files.list({ pageSize: 2 }).page();
  assert.deepEqual([first.items.map(({ id }) => id), first.next, first.prev, first.rangeTruncated], [["file-1", "file-2"], cursor, undefined, true]);
  assert.equal(decodeURIComponent(service.requests.at(-1).path), "/v1/files?page[size]=2");

  service.script(answer(200, page([], { prev: `${url}/v1/files?page%5Bbefore%5D=newer`, rangeTruncated: false })));
  const second = await client.files.list({ after: cursor }).page();
  assert.deepEqual([second.items, second.next, second.prev, second.rangeTruncated], [[], undefined, "newer", false]);
  assert.equal(decodeURIComponent(service.requests.at(-1).path), `/v1/files?page[after]=${cursor}`);

  service.script(
    answer(200, page(files.slice(0, 2), { next: next("two") })),
    answer(200, page(files.slice(2, 4), { next: next("four") })),
    answer(200, page(files.slice(4))),
  );
  const before = service.requests.length;
  assert.deepEqual((await all(client.files.list({ pageSize: 2 }))).map(({ id }) => id), files.map(({ id }) => id));
  const asked = service.requests.slice(before).map(({ path }) => decodeURIComponent(path));
  assert.deepEqual(asked, ["/v1/files?page[size]=2", "/v1/files?page[size]=2&page[after]=two", "/v1/files?page[size]=2&page[after]=four"]);
  for (const { headers } of service.requests) assert.equal(headers.authorization, `Bearer ${KEY}`);
  service.done();
});

test("lists towards what is newer follow the other link", async () => {
  const { url } = service;
  const files = [1, 2, 3, 4].map((number) => file(url, `file-${number}`));
  const prev = `${url}/v1/files?page%5Bbefore%5D=three`;
  const next = `${url}/v1/files?page%5Bafter%5D=oldest`;
  service.script(answer(200, page(files.slice(2), { prev, next, rangeTruncated: true })), answer(200, page(files.slice(0, 2), { next })));
  const items = await all(client.files.list({ before: "five" }));
  assert.deepEqual(items.map(({ id }) => id).toSorted(), files.map(({ id }) => id));
  assert.deepEqual(service.requests.map(({ path }) => decodeURIComponent(path)), ["/v1/files?page[before]=five", "/v1/files?page[before]=three"]);
  service.done();
});

test("lists ask for a page when its first item is wanted, and for no more", async () => {
  const files = [1, 2].map((number) => file(service.url, `file-${number}`));
  service.script(answer(200, page(files, { next: `${service.url}/v1/files?page%5Bafter%5D=two` })));
  const list = client.files.list();
  assert.equal(service.requests.length, 0);
  for await (const { id } of list) {
    if (id === "file-2") break;
  }
  assert.equal(service.requests.length, 1);
  service.script(answer(200, page(files)));
  assert.equal((await all(list)).length, 2, "a list can be gone through again");
});

test("a list whose link leads back to where it was ends", async () => {
  const files = [file(service.url, "file-1")];
  const again = `${service.url}/v1/files?page%5Bafter%5D=one`;
  const step = () => answer(200, page(files, { next: again }));
  service.script(...Array.from({ length: 20 }, step));
  assert.ok((await all(client.files.list())).length <= 3);
  assert.ok(service.requests.length <= 3);
});

test("a list of tasks has their files", async () => {
  const tasks = [task(service.url, "task-1"), task(service.url, "task-2", {}, { input: "other" })];
  service.script(answer(200, page(tasks, { included: [file(service.url, "input"), file(service.url, "other")] })));
  const items = await all(client.tasks.list());
  assert.deepEqual(items.map(({ id, files }) => [id, files.map(({ id }) => id)]), [["task-1", ["input"]], ["task-2", ["other"]]]);
});
