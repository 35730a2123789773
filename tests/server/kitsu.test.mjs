// A public JSON:API client (kitsu-core) reads files, tasks and pages without special cases.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import { createClient } from "./support/client.mjs";
import { startService } from "../../scripts/service.mjs";

const service = await startService({ email: "kitsu@example.org" });
after(service.stop);
const client = createClient(`${service.url}/v1`, service.key);
const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: "teal" } }).png().toBuffer();

async function upload() {
  const { data: file } = await client.create("files", { size: picture.length, format: "image/png" });
  const { status } = await fetch(file.links.upload, { method: "PUT", body: picture });
  assert.equal(status, 201);
  return file;
}

async function finished(id) {
  for (;;) {
    const { data: task } = await client.get(`tasks/${id}`);
    if (["COMPLETED", "FAILED"].includes(task.status)) return task;
    await setTimeout(20);
  }
}

test("a file is created, uploaded and read", async () => {
  const { id } = await upload();
  const { data: file } = await client.get(`files/${id}`);
  assert.deepEqual([file.type, file.id, file.size, file.format], ["files", id, picture.length, "image/png"]);
  assert.ok(!Number.isNaN(Date.parse(file.created_at)));
  const bytes = await (await fetch(file.links.download)).arrayBuffer();
  assert.deepEqual(Buffer.from(bytes), picture);
});

test("a task is created and read with its files, which its relationships lead to", async () => {
  const { id } = await upload();
  const { data: created } = await client.create("tasks", {
    format: { output: "image/webp" },
    input: { data: { type: "files", id } },
  });
  assert.equal(created.type, "tasks");
  assert.equal(created.input.data.size, picture.length, "the input is included");
  const task = await finished(created.id);
  assert.equal(task.status, "COMPLETED", JSON.stringify(task.processing_metadata));
  const { data: output, links } = task.output;
  assert.equal(output.format, "image/webp");
  const bytes = Buffer.from(await (await fetch(output.links.download)).arrayBuffer());
  assert.deepEqual((({ format, width, height }) => ({ format, width, height }))(await sharp(bytes).metadata()), {
    format: "webp",
    width: 64,
    height: 48,
  });
  assert.equal((await client.follow(links.related)).data.size, bytes.length);
  assert.equal((await client.follow(links.self)).data.id, output.id);
});

test("pages are followed to the end and back", async () => {
  const made = [];
  for (let count = 0; count < 5; count += 1) made.unshift((await client.create("files", { size: 1 })).data.id);
  const seen = [];
  let page = await client.get("files", { page: { size: 2 } });
  for (;;) {
    seen.push(...page.data.map(({ id }) => id));
    assert.equal(page.meta.rangeTruncated, page.links.next !== null);
    if (page.links.next === null) break;
    page = await client.follow(page.links.next);
  }
  assert.deepEqual(seen.slice(0, 5), made);
  assert.equal(new Set(seen).size, seen.length);
  const back = [...page.data];
  while (page.links.prev !== null) {
    page = await client.follow(page.links.prev);
    back.unshift(...page.data);
  }
  assert.deepEqual(back.map(({ id }) => id), seen);
});

test("a page of tasks has their files", async () => {
  const { id } = await upload();
  await client.create("tasks", { input: { data: { type: "files", id } } });
  const { data: tasks } = await client.get("tasks", { page: { size: 1 } });
  assert.equal(tasks.length, 1);
  assert.deepEqual([tasks[0].input.data.id, tasks[0].input.data.format], [id, "image/png"]);
});

test("errors are read as errors", async () => {
  const refusal = await client.create("files", { size: 0 }).then(assert.fail, (error) => error);
  const [{ status, code, title, detail, source }] = refusal.errors;
  assert.deepEqual({ status, code, source }, {
    status: "422",
    code: "invalid_value",
    source: { pointer: "/data/attributes/size" },
  });
  assert.ok(title.length > 0 && detail.length > 0);
  const unknown = await client.get("files", { include: "tasks" }).then(assert.fail, (error) => error);
  assert.equal(unknown.errors[0].source.parameter, "include");
});

test("the user is read", async () => {
  const { data: user } = await client.get("users/me");
  assert.deepEqual([user.type, user.email], ["users", "kitsu@example.org"]);
});
