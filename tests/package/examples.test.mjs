// Runs examples/node/ as its README describes.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";

const consumer = createConsumer();
const { folder } = consumer;
cpSync(fileURLToPath(new URL("../../examples/node/shrink.mjs", import.meta.url)), join(folder, "shrink.mjs"));
const run = (...args) => spawnSync(process.execPath, ["shrink.mjs", ...args], { cwd: folder, encoding: "utf8" });

test("a folder is made smaller, with its structure, and no file of it larger", async () => {
  const { compress } = await consumer.import();
  const photo = Buffer.from(await sample("baseline.jpg"));
  const least = Buffer.from(await (await compress(photo, { quality: 10 })).bytes());
  const files = { "photo.jpg": photo, "deep/er/picture.png": await sample("rgb.png"), "deep/least.jpg": least, "notes.txt": "words", "deep/broken.jpg": photo.subarray(0, 900) };
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(join(folder, "photos", dirname(name)), { recursive: true });
    writeFileSync(join(folder, "photos", name), bytes);
  }
  const { status, stdout, stderr } = run("photos", "small");
  assert.equal(status, 1);
  assert.match(stderr, /^photos\/deep\/broken\.jpg: .+\n$/);
  const made = readdirSync(join(folder, "small"), { recursive: true }).filter((name) => statSync(join(folder, "small", name)).isFile());
  assert.deepEqual(made.sort(), Object.keys(files).sort());
  const read = (name) => readFileSync(join(folder, "small", name));
  const expected = await (await compress(photo, { quality: 80, resize: { maxWidth: 2560, maxHeight: 2560 } })).bytes();
  assert.deepEqual(read("photo.jpg"), Buffer.from(expected));
  for (const name of ["deep/least.jpg", "notes.txt", "deep/broken.jpg"]) assert.deepEqual(read(name), Buffer.from(files[name]), name);
  const [, smaller, copied, before, after] = /^(\d) made smaller, (\d) copied; (\d+) bytes became (\d+),/.exec(stdout).map(Number);
  const sum = (lengths) => lengths.reduce((total, length) => total + length, 0);
  assert.deepEqual([smaller + copied, before], [5, sum(Object.values(files).map((bytes) => Buffer.from(bytes).length))]);
  assert.equal(after, sum(made.map((name) => read(name).length)));
});

test("a folder that is not there is told in a line", () => {
  const { status, stderr } = run("gone", "small");
  assert.deepEqual([status, stderr], [2, "gone is no folder that can be read (ENOENT)\n"]);
});

test("a copy inside the folder is refused", () => {
  assert.deepEqual([run("photos", "photos/small").status, run("photos", "photos").status, run().status], [2, 2, 2]);
});
