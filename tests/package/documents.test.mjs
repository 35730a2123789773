// The examples of README.md and docs/: all are programs, and that for Node does what it says.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { photo } from "./support/pictures.mjs";
import { toSharp } from "./support/samples.mjs";

const root = new URL("../../", import.meta.url);
const names = ["README.md", ...readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
const examples = names.flatMap((name) =>
  [...readFileSync(new URL(name, root), "utf8").matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => ({ name, code })),
);
const consumer = createConsumer();

const node = (...args) => spawnSync(execPath, args, { cwd: consumer.folder, encoding: "utf8" });

test("every example is a program that imports what the package exports", async () => {
  assert.ok(examples.length >= 5, `${examples.length} examples`);
  const exported = Object.keys(await consumer.import());
  for (const [index, { name, code }] of examples.entries()) {
    const { status, stderr } = node("--check", consumer.write(`example-${index}.mjs`, code));
    assert.equal(status, 0, `${name}: ${stderr}`);
    for (const [, imported] of code.matchAll(/import \{([^}]*)\} from "filepress"/g)) {
      assert.deepEqual(imported.split(",").map((word) => word.trim()).filter((word) => !exported.includes(word)), [], name);
    }
  }
});

test("the example for Node makes a photo smaller", async () => {
  const [{ code }] = examples.filter(({ name, code }) => name === "README.md" && code.includes("node:fs"));
  writeFileSync(join(consumer.folder, "photo.jpg"), await toSharp(photo(2400, 1200)).removeAlpha().jpeg().toBuffer());
  const { status, stderr } = node(consumer.write("readme-node.mjs", code));
  assert.equal(status, 0, stderr);
  const { format, width } = await sharp(join(consumer.folder, "photo.small.jpg")).metadata();
  assert.deepEqual([format, width], ["jpeg", 1920]);
});
