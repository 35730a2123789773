// Every call against an emulation of the public service, whose responses differ from those of ours where the API
// allows it.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { all, clientOf, expectRemote, quick } from "./support/expect.mjs";
import { BODY, openPublicService } from "./support/public-service.mjs";

const api = await createConsumer().import();
const service = await openPublicService();
after(service.close);
const client = clientOf(api, service, { retry: quick() });
const pdf = new Blob(["%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n"], { type: "application/pdf" });

test("files", async () => {
  const declared = await client.files.create({ size: pdf.size, format: "application/pdf" });
  assert.deepEqual([declared.size, declared.format, declared.createdAt], [pdf.size, "application/pdf", "2025-09-01T12:00:00Z"]);
  await client.files.upload(declared, pdf);
  const put = service.requests.at(-1);
  assert.deepEqual([put.method, put.headers.authorization, put.body.length], ["PUT", undefined, pdf.size]);
  const read = await client.files.get(declared.id);
  assert.deepEqual(read, declared);
  assert.equal("expiresAt" in read && read.expiresAt !== undefined, false);
});

test("a task without its files, from new to done", async () => {
  const created = await client.tasks.create({ input: "f0", format: { output: "image/png" } });
  assert.deepEqual([created.status, created.startedAt, created.processedAt, created.output, created.files], ["PENDING", undefined, undefined, undefined, []]);
  const done = await client.tasks.wait(created);
  assert.deepEqual([done.status, done.processedAt, done.startedAt], ["COMPLETED", "2025-09-01T12:00:01Z", "2025-09-01T12:00:00.200000Z"]);
  assert.deepEqual([done.output, done.files, done.processingMetadata.nested], [`${created.id}-output`, [], { deep: [1, null] }]);
  assert.match(done.links.download, /\/storage\//);
  assert.equal((await client.tasks.get(created.id)).status, "COMPLETED");
});

test("lists over several pages", async () => {
  for (let count = 0; count < 6; count++) await client.files.create({ size: 1 });
  const files = await all(client.files.list({ pageSize: 3 }));
  assert.equal(files.length, 7);
  assert.equal(new Set(files.map(({ id }) => id)).size, 7);
  const tasks = await all(client.tasks.list());
  assert.deepEqual(tasks.map(({ id }) => id), ["t0"]);
});

test("the user", async () => {
  const { email, plan } = await client.users.me();
  assert.deepEqual([email, plan], ["someone@example.com", undefined]);
});

test("errors without a request's name, and a limit without a Retry-After", async () => {
  const error = await expectRemote(api, client.files.get("nothing"), "not_found", { status: 404, requestId: undefined, source: undefined });
  assert.match(error.message, /Resource not found\./);
  service.limit(2);
  assert.equal((await client.users.me()).email, "someone@example.com");
});

test("one call for a file, whose result hangs on the task alone", async () => {
  const phases = [];
  const onProgress = ({ phase }) => phases.push(phase);
  const result = await api.compress(pdf, { client, engine: "remote", onProgress });
  assert.equal(await result.blob.text(), BODY);
  assert.deepEqual([result.type, result.engine, result.outputSize, result.keptOriginal], ["application/pdf", "remote", BODY.length, false]);
  assert.deepEqual([...new Set(phases)], ["load", "upload", "process", "download", "done"]);
  const stream = await api.convert(pdf, "image/png", { client, as: "stream" });
  assert.equal(await new Response(stream.stream).text(), BODY);
  assert.equal(stream.type, "image/png");
});
