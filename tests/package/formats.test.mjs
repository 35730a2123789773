// Every type that is read, into every type that is written: the result says what it is, another decoder agrees, and the
// picture is still the picture.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { decode, difference, over } from "./support/decode.mjs";
import { isOpaque } from "./support/pictures.mjs";
import { samples } from "./support/samples.mjs";

const { compress, convert, formats, inspect } = await createConsumer().import();
const inputs = await samples([96, 64]);
const types = await formats();
const written = types.filter(({ write, engine }) => write && engine === "local");

/** The type of each sample, by its name. */
const typeOf = (name) => types.find(({ extensions }) => extensions.includes(name.split(".")[1])).type;

/** How far off a picture may be after it was written, as a mean over all channels, 0..255; where not named, not at all. */
const tolerance = { "image/jpeg": 7, "image/webp": 6, "image/gif": 6 };
/** Types whose transparency is on or off. */
const hardEdged = new Set(["image/gif"]);

test("formats() lists the types of the interface and what is read and written here", () => {
  assert.equal(types.length, 39);
  assert.equal(new Set(types.map(({ type }) => type)).size, 39);
  const core = ["bmp", "gif", "jpeg", "png", "qoi", "webp", "x-farbfeld", "x-icon", "x-portable-anymap", "x-tga"];
  assert.deepEqual(written.map(({ type }) => type.replace("image/", "")).sort(), core);
  for (const format of types) {
    assert.deepEqual(Object.keys(format).sort(), ["build", "class", "engine", "extensions", "name", "read", "type", "write"]);
    assert.ok(format.extensions.length > 0 && format.extensions.every((extension) => /^[a-z0-9]+$/.test(extension)), format.type);
  }
});

test("formats() hands out its own copy", async () => {
  types[0].extensions.push("mine");
  assert.ok(!(await formats())[0].extensions.includes("mine"));
  types[0].extensions.pop();
});

for (const [name, bytes] of inputs) {
  test(`${name} into each of the types`, async () => {
    const type = typeOf(name);
    const found = await inspect(bytes);
    assert.equal(found.type, type);
    const original = await decode(bytes, type);
    assert.deepEqual([found.width, found.height], [original.width, original.height]);

    for (const target of written) {
      const result = await convert(bytes, target.type);
      const made = await result.bytes();
      const label = `${name} → ${target.type}`;
      assert.deepEqual([result.type, result.blob.type], [target.type, target.type], label);
      assert.deepEqual([result.inputSize, result.outputSize, result.blob.size], [bytes.length, made.length, made.length], label);
      assert.deepEqual([result.engine, result.keptOriginal], ["local", target.type === type && Buffer.compare(made, bytes) === 0], label);
      assert.equal(result.name, `image.${target.extensions[0]}`);
      const picture = await decode(made, target.type);
      assert.deepEqual([result.width, result.height], [picture.width, picture.height], label);
      if (hardEdged.has(target.type) && !isOpaque(original)) continue;
      // sharp takes CMYK without a profile for another ink than filepress does; inverted, it would be 100 off.
      const allowed = (tolerance[target.type] ?? 0) + (name === "cmyk.jpg" ? 22 : 0.6);
      const off = difference(over(original), over(picture));
      assert.ok(off <= allowed, `${label}: the picture is ${off} off, allowed ${allowed}`);
    }
  });
}

test("compress without options keeps the type and never grows the file", async () => {
  for (const [name, bytes] of inputs) {
    const result = await compress(bytes);
    assert.equal(result.type, typeOf(name));
    assert.ok(result.outputSize <= bytes.length, `${name}: ${result.outputSize} of ${bytes.length}`);
    if (result.keptOriginal) assert.deepEqual(await result.bytes(), bytes, name);
  }
});
