// Jest: tests of a component that imports the package, in jsdom, as ES modules and as CommonJS with the mock of
// docs/recipes/testing.md.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { photo } from "./support/check.mjs";
import { openProject } from "./support/project.mjs";

const project = openProject("jest");
project.write("src/photo.jpg", photo);

test("ES modules, in jsdom and in Node", () => project.run("modules"));

test("CommonJS, with a mock", () => project.run("commonjs"));

test("the mock and the settings are those of the recipe", () => {
  const recipe = readFileSync(new URL("../../docs/recipes/testing.md", import.meta.url), "utf8");
  const blocks = [...recipe.matchAll(/```[^\n]*\n(.*?)```/gs)].map(([, code]) => code);
  const files = ["src/filepress.mock.cjs", "modules.config.json", "commonjs.config.json"];
  for (const file of files) assert.ok(blocks.includes(readFileSync(join(project.folder, file), "utf8")), file);
});
