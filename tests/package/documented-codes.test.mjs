// docs/errors.md has a row for each code of an error, of a failed task and of a warning, and no row for a code that there is not.
import { strict as assert } from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const document = read("docs/errors.md");

/** The codes in the first column of the tables below a heading. */
function documented(heading) {
  const [, section] = document.split(new RegExp(`^##+ ${heading}\n`, "m"));
  const rows = section.split(/^#/m)[0].matchAll(/^\| (`[^|]*) \|/gm);
  return [...rows].flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code)).sort();
}

/** The codes of a union of the type declarations. */
function declared(path, name) {
  const [, union] = new RegExp(`export type ${name} =([^;]*);`).exec(read(path));
  return [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code).sort();
}

for (const name of ["InputError", "OptionsError", "LimitError", "RemoteError", "InternalError"]) {
  test(`the codes of ${name} are documented`, () => {
    assert.deepEqual(documented(name), declared("pkg-template/types/errors.d.ts", `${name}Code`));
  });
}

test("the reasons of failed tasks are documented", () => {
  const reasons = [...read("wire/src/task_error.rs").matchAll(/\("(\w+)", "/g)].map(([, code]) => code);
  assert.ok(reasons.length >= 20, `${reasons.length} reasons`);
  assert.deepEqual(documented("Failed tasks"), reasons.sort());
});

test("the warnings are documented, and each further row is one of the server", () => {
  const warnings = declared("pkg-template/types/results.d.ts", "WarningCode");
  const rows = documented("Warnings");
  assert.deepEqual(warnings.filter((code) => !rows.includes(code)), []);
  const media = new URL("../../server/src/media/", import.meta.url);
  const server = readdirSync(media, { recursive: true }).filter((name) => name.endsWith(".rs")).map((name) => readFileSync(new URL(name, media), "utf8")).join("");
  assert.deepEqual(rows.filter((code) => !warnings.includes(code) && !server.includes(`"${code}"`)), []);
});
