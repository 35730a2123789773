// Every image format to every other: another decoder confirms type and picture, or the call is refused as formats()
// says. `make matrix` prints the same as a table.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { decode } from "./support/decode.mjs";
import { madeTypes } from "./support/encode.mjs";
import { measure } from "./support/matrix.mjs";

const api = await createConsumer().import();
const rows = [];
for await (const row of measure(api)) rows.push(row);

test("all 17 image types are rows, all but JPEG XL are columns, and only drawings are refused", () => {
  assert.deepEqual(rows.map(({ from }) => from.type).sort(), madeTypes.toSorted());
  assert.equal(rows.length, 17);
  for (const { from, cells } of rows) {
    assert.deepEqual(cells.map(({ to }) => to.type).sort(), madeTypes.filter((type) => type !== "image/jxl").sort());
    for (const { to, refused } of cells) assert.ok(!refused || [from.type, to.type].includes("image/svg+xml"), `${from.name} → ${to.name}`);
  }
});

test("pixels do not become a drawing, and a drawing stays one", () => {
  for (const { from, cells } of rows) {
    const { refused = false, failure } = cells.find(({ to }) => to.type === "image/svg+xml");
    assert.equal(refused, from.type !== "image/svg+xml", `${from.name}: ${failure}`);
  }
});

for (const { from, cells } of rows) {
  for (const { to, off, allowed, failure, failed, results } of cells.filter(({ refused }) => !refused)) {
    test(`${from.name} → ${to.name}`, async () => {
      if (failure) throw failure;
      assert.ok(!failed, `the picture is ${off} off, allowed ${allowed}`);
      for (const { input, result, made } of results) {
        assert.deepEqual([result.type, result.blob.type, result.engine], [to.type, to.type, "local"]);
        assert.deepEqual([result.inputSize, result.outputSize, result.blob.size], [input.length, made.length, made.length]);
        assert.equal(result.name, `image.${to.extensions[0]}`);
        const { width, height } = await decode(made, to.type);
        assert.deepEqual([result.width, result.height], [width, height]);
      }
    });
  }
}
