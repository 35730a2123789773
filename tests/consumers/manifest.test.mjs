// The manifest of the tarball and the types of each of its entries, as publint and attw see them.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createConsumer } from "../package/support/consumer.mjs";

const tarball = fileURLToPath(new URL("../../dist/filepress.tgz", import.meta.url));
const consumer = createConsumer(fileURLToPath(new URL("manifest", import.meta.url)));

function run(tool, ...args) {
  const { status, stdout, stderr } = spawnSync(join(consumer.folder, "node_modules/.bin", tool), args, { cwd: consumer.folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

test("publint finds neither an error nor a warning", () => {
  const said = run("publint", tarball, "--strict");
  assert.match(said, /Linting/);
  assert.doesNotMatch(said, /^(Errors|Warnings):/m);
});

test("attw finds the types of every entry", () => {
  const said = run("attw", tarball, "--profile", "esm-only", "--no-emoji");
  const entries = Object.keys(consumer.manifest.exports).map((name) => `"${name.replace(/^\./, "filepress")}"`);
  assert.ok(entries.length >= 5, `${entries}`);
  assert.deepEqual(entries.filter((entry) => !said.includes(entry)), []);
});
