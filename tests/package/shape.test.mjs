// What `make lint-shape` sees in sources.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { circlesOf, rustImports } from "../../scripts/shape/imports.mjs";
import { upwardImports } from "../../scripts/shape/layers.mjs";
import { rustFunctions, scriptFunctions } from "../../scripts/shape/lengths.mjs";

const importsOf = (files) => rustImports("src/", new Map(Object.entries(files)));

test("grouped imports of Rust are imports", () => {
  const imports = importsOf({
    "src/lib.rs": "",
    "src/one.rs": "use super::{Thing, two};",
    "src/two.rs": "use crate::{\n    three::{self, Other},\n    four::{deep::{leaf, Type}, wide},\n};",
    "src/three.rs": "use super::{one};",
    "src/four/mod.rs": "",
    "src/four/deep.rs": "",
    "src/four/wide.rs": "// use super::{deep};\nuse super::Type;",
  });
  const named = Object.fromEntries([...imports].map(([path, files]) => [path, [...files]]));
  assert.deepEqual(named["src/one.rs"], ["src/two.rs"]);
  assert.deepEqual(named["src/two.rs"], ["src/three.rs", "src/four/deep.rs", "src/four/wide.rs"]);
  assert.deepEqual(named["src/four/wide.rs"], []);
  assert.deepEqual(circlesOf(imports), [["src/one.rs", "src/three.rs", "src/two.rs"]]);
});

test("functions are measured in every form that a line begins", () => {
  const body = ["  x();", "  y();"];
  const heads = ["function a() {", "export async function a(b) {", "const a = () => {", "export const a = async (b, c = {}) => {", "const a = b => {"];
  for (const head of heads) assert.deepEqual(scriptFunctions([head, ...body, head.includes("=>") ? "};" : "}"]), [{ name: "a", length: 4 }], head);
  assert.deepEqual(scriptFunctions(["  for (const a of b) {", ...body, "  }"]), []);
  assert.deepEqual(rustFunctions(["pub(crate) fn a() {", ...body, "}"]), [{ name: "a", length: 4 }]);
});

test("a layer of the engine imports none above it", () => {
  const imports = importsOf({
    "src/js/engine.rs": "use crate::image;\nuse crate::job::Job;",
    "src/image/mod.rs": "use crate::job;",
    "src/image/stage.rs": "use crate::image::other;\nuse crate::remote;",
    "src/image/other.rs": "",
    "src/remote.rs": "use crate::error;",
    "src/job.rs": "use crate::formats;",
    "src/formats/a.rs": "use crate::{image::other, pixels};",
    "src/formats/mod.rs": "",
    "src/pixels.rs": "use crate::error;",
    "src/error.rs": "use crate::pixels;",
  });
  assert.deepEqual(upwardImports(imports), [["src/image/stage.rs", "src/remote.rs"], ["src/formats/a.rs", "src/image/other.rs"]]);
});
