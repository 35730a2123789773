// Options: refused ones and their errors, documented defaults, and that the caller's object is not changed.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { expectFailure } from "./support/failure.mjs";
import { sample } from "./support/samples.mjs";

const api = await createConsumer().import();
const { compress, convert, inspect } = api;
const photo = await sample("baseline.jpg");
const drawing = await sample("palette.png");
const fail = (promise, name, code) => expectFailure(api, promise, name, code);

const invalid = {
  quality: [0, 101, -1, 80.5, "80", "best", NaN, Infinity, true, {}],
  minScore: [0, 101, -5, "80", NaN, true],
  targetSize: [0, -1, 1.5, "5000", Infinity, {}],
  effort: [-1, 10, 1.5, "4"],
  colors: [1, 257, 2.5, -2, "16", NaN, true, [16]],
  dither: [-0.1, 1.01, "0.5", NaN, true, {}],
  chroma: ["422", "4:4:4", "", 444, true],
  lossless: [1, "yes"],
  to: ["image/nonsense", "", 5],
  crop: [100, "50%", [0, 0, 9, 9]],
  rotate: [45, -90, 360, "90", true],
  flip: [true, "both"],
  resize: [100, "100x100", [100, 100]],
  overlay: [5, "logo.png", [5], true],
  background: ["red", "#12", "#12345g", "rgb(1,2,3)", 0xffffff],
  metadata: ["none", true],
  animation: ["last", "", true, 1],
  hdr: ["yes", "", true, 1],
  fonts: ["Arial", 5, {}, ["Arial"], [5], [{}], new Uint8Array(9)],
  limits: [5, [5]],
  signal: [{}, "abort"],
  onProgress: ["tell me", {}],
};

for (const [option, values] of Object.entries(invalid)) {
  test(`${option} out of its range or of another type`, async () => {
    for (const value of values) {
      const { details, message } = await fail(compress(drawing, { [option]: value }), "OptionsError", "invalid_option");
      assert.equal(details.option, option, `${option}: ${String(value)}`);
      assert.ok(message.includes(option), message);
    }
  });
}

const all = [...Object.keys(invalid), "engine", "as", "name", "client", "settings", "keepRemote"];

test("null is no value of any option", async () => {
  const named = async (promise, option) => assert.equal((await fail(promise, "OptionsError", "invalid_option")).details.option, option);
  for (const option of all) await named(compress(drawing, { [option]: null }), option);
  const members = { resize: ["width", "height", "maxWidth", "maxHeight", "fit", "position"], crop: ["x", "y", "width", "height"], overlay: ["image", "position", "opacity", "margin", "width"], limits: ["maxInputBytes", "maxPixels", "maxMemoryBytes"] };
  for (const [option, names] of Object.entries(members)) {
    for (const name of names) await named(compress(drawing, { [option]: { [name]: null } }), `${option}.${name}`);
  }
  await named(compress(drawing, { fonts: [null] }), "fonts");
  for (const limits of [null, { maxInputBytes: null }]) {
    for (const call of [inspect(drawing, { limits }), api.score(drawing, drawing, { limits })]) await named(call, limits ? "limits.maxInputBytes" : "limits");
  }
  await named(api.score(drawing, drawing, { background: null }), "background");
  await fail(compress(drawing, { qualty: null }), "OptionsError", "unknown_option");
});

test("values of a kind that no option has are refused by the option's name", async () => {
  for (const option of all) {
    for (const value of [5n, Symbol("five"), option === "onProgress" ? new Set() : () => 5, new Map(), new Date()]) {
      const { details, message } = await fail(compress(drawing, { [option]: value }), "OptionsError", "invalid_option");
      assert.equal(details.option, option, `${option}: ${String(value)}: ${message}`);
    }
  }
  const { details } = await fail(compress(drawing, { resize: { width: 5n } }), "OptionsError", "invalid_option");
  assert.equal(details.option, "resize.width");
});

test("a signal that throws is refused, wherever it does", async () => {
  const throws = () => {
    throw new Error("no");
  };
  const signal = (members) => Object.create({ aborted: false, addEventListener() {}, removeEventListener() {} }, members);
  for (const name of ["aborted", "addEventListener", "removeEventListener"]) {
    const broken = [signal({ [name]: { get: throws } }), ...(name === "aborted" ? [] : [signal({ [name]: { value: throws } })])];
    let touched = 0;
    if (name === "aborted") broken.push(signal({ aborted: { get: () => (touched++ > 3 ? throws() : false) } }));
    for (const each of broken) {
      for (const call of [compress(drawing, { signal: each }), inspect(drawing, { signal: each })]) {
        assert.equal((await fail(call, "OptionsError", "invalid_option")).details.option, "signal");
      }
    }
  }
  const aborted = signal({ aborted: { value: true }, reason: { get: throws } });
  assert.equal((await fail(compress(drawing, { signal: aborted }), "OptionsError", "invalid_option")).details.option, "signal");
});

test("members of resize and limits are named by their path", async () => {
  for (const [member, values] of Object.entries({ width: [0, -5, 1.5, 16384, "100"], height: [0, 16384], maxWidth: [0], maxHeight: [0], fit: ["around", 3], position: ["middle", "left right", 3] })) {
    for (const value of values) {
      const { details } = await fail(compress(drawing, { resize: { [member]: value } }), "OptionsError", "invalid_option");
      assert.equal(details.option, `resize.${member}`);
    }
  }
  for (const value of [-1, "many", 1.5]) {
    const { details } = await fail(compress(drawing, { limits: { maxPixels: value } }), "OptionsError", "invalid_option");
    assert.equal(details.option, "limits.maxPixels");
  }
});

test("options that do not exist, at any depth", async () => {
  for (const [options, name] of [[{ qualty: 80 }, "qualty"], [{ resize: { wide: 5 } }, "resize.wide"], [{ limits: { maxBytes: 5 } }, "limits.maxBytes"]]) {
    const { message } = await fail(compress(drawing, options), "OptionsError", "unknown_option");
    assert.ok(message.includes(name.split(".").at(-1)), message);
  }
  const { message } = await fail(compress(drawing, { qualty: 80 }), "OptionsError", "unknown_option");
  assert.deepEqual(/options are ([^.]*)\./.exec(message)[1].split(", ").toSorted(), all.toSorted());
  await fail(inspect(drawing, { quality: 80 }), "OptionsError", "unknown_option");
  await fail(convert(drawing, "webp", { qualty: 80 }), "OptionsError", "unknown_option");
  for (const options of [null, "fast", 5, [], new Map()]) await fail(compress(drawing, options), "OptionsError", "invalid_option");
});

test("options that contain themselves", async () => {
  const options = {};
  options.resize = options;
  await fail(compress(drawing, options), "OptionsError", "invalid_option");
  const [deep, list, map] = [{}, [], new Map()];
  deep.deep = deep;
  list.push(list);
  map.set("map", map);
  for (const cycle of [deep, list, map]) {
    for (const name of ["to", "resize", "limits", "quality", "background"]) await fail(compress(drawing, { [name]: cycle }), "OptionsError", "invalid_option");
    await fail(inspect(drawing, { limits: cycle }), "OptionsError", "invalid_option");
  }
  await compress(drawing);
});

test("an option that is undefined is as one left out", async () => {
  const nothing = Object.fromEntries([...Object.keys(invalid)].map((option) => [option, undefined]));
  const [plain, padded] = await Promise.all([compress(photo), compress(photo, nothing)]);
  assert.deepEqual(await padded.bytes(), await plain.bytes());
});

test("types that cannot be written, and lossless where it cannot be", async () => {
  await fail(convert(photo, "image/svg+xml"), "OptionsError", "unsupported_output");
  await fail(convert(photo, "jpeg", { lossless: true, resize: { width: 50 } }), "OptionsError", "lossless_unsupported");
  await fail(convert(drawing, "jpeg", { lossless: true }), "OptionsError", "lossless_unsupported");
  await fail(convert(drawing, "gif", { lossless: true }), "OptionsError", "lossless_unsupported");
  for (const to of [undefined, null, 5, {}]) await fail(convert(photo, to), "OptionsError", "invalid_option");
  await fail(convert(photo, "png", { to: "webp" }), "OptionsError", "invalid_option");
});

test("the options object is not changed, and changes to it come too late", async () => {
  const options = Object.freeze({ quality: 60, resize: Object.freeze({ width: 80 }), limits: Object.freeze({ maxPixels: 1e6 }) });
  assert.equal((await compress(photo, options)).width, 80);
  const mine = { quality: 60, resize: { width: 80 } };
  const call = compress(photo, mine);
  mine.resize.width = 10;
  mine.quality = "no";
  assert.equal((await call).width, 80);
});

test("the documented defaults are the defaults", async () => {
  const png = await sample("rgb.png");
  const same = async (input, to, one, other) => assert.deepEqual(await (await convert(input, to, one)).bytes(), await (await convert(input, to, other)).bytes(), `${to} ${JSON.stringify(other)}`);
  await same(photo, "jpeg", {}, { hdr: "drop" });
  for (const to of ["jpeg", "webp"]) await same(png, to, {}, { quality: 80, effort: 4, lossless: false, metadata: "safe", background: "white" });
  await same(png, "png", {}, { effort: 4, lossless: true });
  await same(png, "gif", {}, { quality: 100, animation: "keep", fonts: [] });
  await same(png, "avif", {}, { quality: 60, effort: 4 });
  await same(png, "jpeg", { quality: "auto" }, { quality: "auto", minScore: 80 });
  await same(png, "png", { resize: { width: 50, height: 50 } }, { resize: { width: 50, height: 50, fit: "fill" } });
  await same(png, "png", {}, { limits: { maxInputBytes: 268_435_456, maxPixels: 100_000_000, maxMemoryBytes: 1_073_741_824 } });
  const sizes = await Promise.all([20, 50, 80, 95].map(async (quality) => (await convert(png, "jpeg", { quality })).outputSize));
  assert.deepEqual(sizes, sizes.toSorted((one, other) => one - other));
});
