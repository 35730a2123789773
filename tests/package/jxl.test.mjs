// JPEG XL, which the build jxl turns into PNG: pixels, metadata and animations beside cjxl's sources and djxl, limits, damaged files, and how
// the build is loaded.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import sharp from "sharp";
import { folderOf, run } from "./support/cli.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { difference } from "./support/decode.mjs";
import { readExif, TAGS } from "./support/exif.mjs";
import { expectFailure } from "./support/failure.mjs";
import { decodeJxl, encodeJxl } from "./support/formats/jxl.mjs";
import { readWithSharp } from "./support/formats/sharp.mjs";
import { glass, photo, random } from "./support/pictures.mjs";
import { toSharp } from "./support/samples.mjs";

const consumer = createConsumer();
const api = await consumer.import();
const { compress, compressAll, convert, decode, formats, init, inspect, placeholder, preload, score, variants } = api;
after(() => init({ decoders: {}, worker: true }));

const png = { rgb: await toSharp(photo(96, 64)).removeAlpha().png().toBuffer(), rgba: await toSharp(glass(96, 64)).png().toBuffer() };
const jxl = { rgb: encodeJxl(png.rgb), rgba: encodeJxl(png.rgba) };
const lossy = encodeJxl(await toSharp(photo(400, 300)).removeAlpha().png().toBuffer(), "-d", "1");
const bytesOf = async (result) => Buffer.from(await (await result).bytes());
const raw = (file) => sharp(file).raw({ depth: "ushort" }).toBuffer();

test("every output is what a PNG of the same pixels becomes", async () => {
  const types = (await formats()).filter(({ write, vector, engine }) => write && !vector && engine === "local").map(({ type }) => type);
  assert.equal(types.length, 15);
  for (const kind of ["rgb", "rgba"]) {
    for (const to of types) {
      const options = { resize: { maxWidth: 60 }, rotate: 90 };
      const result = await convert(new File([jxl[kind]], "a.b.jxl", { lastModified: 1e12 }), to, options);
      assert.deepEqual(await bytesOf(result), await bytesOf(convert(png[kind], to, options)), `${kind} to ${to}`);
      assert.deepEqual([result.inputType, result.inputSize, result.inputWidth, result.keptOriginal, result.name.slice(0, 4)], ["image/jxl", jxl[kind].length, 96, false, "a.b."]);
      assert.equal(result.file.lastModified, 1e12);
    }
  }
});

test("without `to` it becomes a JPEG, and with transparency a WebP", async () => {
  for (const [file, type] of [[jxl.rgb, "image/jpeg"], [jxl.rgba, "image/webp"], [lossy, "image/jpeg"]]) {
    const result = await compress(file, { metadata: "keep" });
    assert.deepEqual([result.type, result.warnings], [type, []]);
    assert.deepEqual(await bytesOf(result), await bytesOf(convert(await convert(file, "png").then(({ blob }) => blob), type)));
  }
});

test("16 bits and gray are kept without loss", async () => {
  const { data, info } = await toSharp(photo(70, 50)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const deep = Uint16Array.from(data, (value, index) => (value << 8) | ((index * 37) & 255));
  const source = await sharp(deep, { raw: { ...info, depth: "ushort" } }).toColorspace("rgb16").png().toBuffer();
  const gray = await toSharp(photo(70, 50)).removeAlpha().toColorspace("b-w").png().toBuffer();
  for (const [original, bitDepth, colorSpace] of [[source, 16, "rgb"], [gray, 8, "gray"]]) {
    const file = encodeJxl(original);
    const { type, width, height, ...facts } = await inspect(file);
    assert.deepEqual([type, width, height, facts.bitDepth, facts.colorSpace, facts.hasAlpha], ["image/jxl", 70, 50, bitDepth, colorSpace, false]);
    assert.deepEqual(await raw(await bytesOf(convert(file, "png"))), await raw(original));
  }
});

test("lossy files look as djxl shows them", async () => {
  for (const settings of [["-d", "1"], ["-d", "2", "-p"], ["-d", "1", "-m", "1"], ["-d", "4", "--epf=3"]]) {
    const file = encodeJxl(png.rgb, ...settings);
    const [ours, theirs] = await Promise.all([bytesOf(convert(file, "png")), decodeJxl(file)].map(async (made) => readWithSharp(await made)));
    assert.ok(difference(ours, theirs) < 0.5, `${settings}: ${difference(ours, theirs)}`);
  }
});

test("animations keep their frames and times; without a format for them they become a WebP", async () => {
  const strip = await sharp(photo(40, 90).data, { raw: { width: 40, height: 90, channels: 4, pageHeight: 30 } }).gif({ delay: [40, 100, 250], loop: 0 }).toBuffer();
  const file = encodeJxl(strip, "-d", "0");
  const facts = await inspect(file);
  assert.deepEqual([facts.type, facts.frames, facts.isAnimated, facts.width, facts.height], ["image/jxl", 3, true, 40, 30]);
  for (const to of [undefined, "webp", "gif"]) {
    const result = await compress(file, { to });
    const { pages, delay, format } = await sharp(await bytesOf(result), { pages: -1 }).metadata();
    assert.deepEqual([pages, delay, format], [3, [40, 100, 250], to ?? "webp"]);
  }
  const animated = await inspect(await bytesOf(convert(file, "png")));
  assert.deepEqual([animated.type, animated.frames], ["image/png", 3]);
  assert.deepEqual((await convert(file, "jpeg")).warnings.map(({ code }) => code), ["animation_dropped"]);
});

test("metadata and profile are kept as the policy says, and pictures are upright once", async () => {
  const source = await toSharp(photo(96, 64)).removeAlpha().withIccProfile("p3").withExif({ IFD0: { Copyright: "me", Make: "Acme" } }).withMetadata({ orientation: 6 }).jpeg({ quality: 90 }).toBuffer();
  const file = encodeJxl(source, "-j", "1");
  const { width, height, hasIccProfile, orientation } = await inspect(file);
  assert.deepEqual([width, height, hasIccProfile, orientation], [64, 96, true, 1]);
  for (const [metadata, make] of [["keep", "Acme"], ["safe", undefined]]) {
    const result = await convert(file, "jpeg", { metadata });
    assert.deepEqual([result.width, result.height, result.warnings], [64, 96, []]);
    const found = await sharp(await bytesOf(result)).metadata();
    assert.ok(found.icc.length > 100 && [undefined, 1].includes(found.orientation));
    const exif = readExif(found.exif);
    assert.deepEqual([exif.get(TAGS.copyright), exif.get(TAGS.make)], ["me", make]);
  }
  assert.equal((await sharp(await bytesOf(convert(file, "jpeg", { metadata: "strip" }))).metadata()).exif, undefined);
});

test("every function that takes an image takes it", async () => {
  assert.deepEqual(await decode(jxl.rgba), await decode(png.rgba));
  assert.deepEqual(await placeholder(jxl.rgb), await placeholder(png.rgb));
  assert.equal((await score(jxl.rgb, png.rgb)).score, 100);
  const outputs = [];
  for await (const { index, width, type, inputType } of variants(jxl.rgb, [{ resize: { maxWidth: 20 } }, { to: "avif", resize: { maxWidth: 30 } }])) outputs[index] = [width, type, inputType];
  assert.deepEqual(outputs, [[20, "image/jpeg", "image/jxl"], [30, "image/avif", "image/jxl"]]);
  const all = await compressAll([jxl.rgb, png.rgb, jxl.rgb.subarray(0, 90), jxl.rgba]);
  assert.deepEqual(all.map(({ value, reason }) => value?.inputType ?? reason.code), ["image/jxl", "image/png", "corrupt", "image/jxl"]);
});

test("limits hold for the file and its header, before pixels", async () => {
  const limited = (limits, code) => Promise.all([compress, decode].map((call) => expectFailure(api, call(lossy, { limits }), "LimitError", code)));
  const [{ details }] = await limited({ maxPixels: 119_999 }, "too_many_pixels");
  assert.deepEqual(details, { actual: 120_000, limit: 119_999 });
  await limited({ maxInputBytes: lossy.length - 1 }, "input_too_large");
  await limited({ maxMemoryBytes: 2e6 }, "too_much_memory");
  await compress(lossy, { limits: { maxPixels: 120_000, maxInputBytes: lossy.length } });
  // A header of 2^20 × 2^20 pixels, and nothing else.
  const huge = Buffer.from("ff0afeff7f00f0ffff0330", "hex");
  await expectFailure(api, compress(huge), "LimitError", "too_many_pixels");
  await expectFailure(api, inspect(huge), "LimitError", "too_much_memory");
  // The properties need no pixels.
  assert.equal((await inspect(lossy, { limits: { maxPixels: 1, maxMemoryBytes: 8 << 20 } })).width, 400);
  await expectFailure(api, inspect(lossy, { limits: { maxInputBytes: lossy.length - 1 } }), "LimitError", "input_too_large");
});

test("a color profile takes no more memory than the limit, and most take little", async () => {
  for (const [format, settings] of [["png", ["-d", "0"]], ["jpeg", ["-d", "1"]], ["jpeg", ["-j", "1"]]]) {
    const source = await toSharp(photo(96, 64)).removeAlpha().withIccProfile("p3").toFormat(format).toBuffer();
    const file = encodeJxl(source, ...settings);
    assert.ok((await inspect(file, { limits: { maxMemoryBytes: 16e6 } })).width === 96);
    assert.equal((await compress(file, { limits: { maxMemoryBytes: 16e6 } })).inputType, "image/jxl");
  }
  // A pixel with a profile of 256 MiB, of which there are 128 bytes.
  const file = Buffer.from("ff0a06000000300000000052689d4480f74f8000c0ff0000000000000000000000000000000000", "hex");
  for (const call of [compress, inspect]) {
    await expectFailure(api, call(file, { limits: { maxMemoryBytes: 200e6 } }), "LimitError", "too_much_memory");
    await expectFailure(api, call(file, { limits: { maxMemoryBytes: 400e6 } }), "InputError", "corrupt");
  }
  assert.equal((await compress(jxl.rgb, { limits: { maxMemoryBytes: 16e6 } })).type, "image/jpeg");
});

test("damaged files are corrupt, and the next call succeeds", async () => {
  for (const file of [jxl.rgb, lossy]) {
    for (let end = 13; end < file.length; end += Math.ceil(file.length / 40)) await expectFailure(api, compress(file.subarray(0, end)), "InputError", "corrupt");
  }
  const next = random(23);
  const codes = new Map();
  for (let round = 0; round < 300; round++) {
    const file = Buffer.from([jxl.rgb, jxl.rgba, lossy][round % 3]);
    // The signature stays.
    for (let flips = 0; flips < 3; flips++) file[2 + Math.floor(next() * (file.length - 2))] ^= 1 << Math.floor(next() * 8);
    const code = await compress(file, { limits: { maxPixels: 1e6 } }).then(() => "done", (error) => error.code);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  const unexpected = [...codes.keys()].filter((code) => !["done", "corrupt", "too_many_pixels", "too_much_memory", "unsupported_type"].includes(code));
  assert.deepEqual(unexpected, []);
  assert.ok(codes.get("corrupt") > 50, JSON.stringify([...codes]));
  assert.equal((await compress(jxl.rgb)).type, "image/jpeg");
});

test("a call that is aborted ends at once, and progress is told", async () => {
  const large = encodeJxl(await toSharp(photo(1500, 1000)).removeAlpha().png().toBuffer(), "-d", "0", "-e", "2");
  const controller = new AbortController();
  const onProgress = ({ phase, ratio }) => phase === "decode" && ratio > 0 && controller.abort("enough");
  const begun = performance.now();
  assert.equal(await convert(large, "avif", { signal: controller.signal, onProgress }).catch((reason) => reason), "enough");
  const ended = performance.now() - begun;
  const events = [];
  await convert(large, "bmp", { onProgress: ({ phase, ratio }) => events.push([phase, ratio]) });
  const ratios = events.map(([, ratio]) => ratio);
  assert.deepEqual(ratios, ratios.toSorted((one, other) => one - other));
  assert.ok(events.filter(([phase]) => phase === "decode").length > 5, JSON.stringify(events));
  assert.deepEqual(events.at(-1), ["done", 1], `aborted after ${ended} ms`);
});

test("a decoder of init goes first", async () => {
  await init({ decoders: { "image/jxl": () => glass(20, 10) } });
  assert.deepEqual([(await compress(jxl.rgb)).width, (await inspect(jxl.rgb)).width], [20, 20]);
  await init({ decoders: {} });
  assert.equal((await inspect(jxl.rgb)).width, 96);
});

test("on the calling thread the bytes are the same, and damage is told", async () => {
  const inWorker = await bytesOf(compress(jxl.rgba));
  await init({ worker: false });
  assert.deepEqual(await bytesOf(compress(jxl.rgba)), inWorker);
  await expectFailure(api, compress(jxl.rgba.subarray(0, 200)), "InputError", "corrupt");
  await init({ worker: true });
});

test("the build is loaded for such a file alone, from where init says", async () => {
  const program = `
    import { readFile } from "node:fs/promises";
    import { compress, init, preload } from "filepress";
    const code = (promise) => promise.then((result) => result?.type ?? "done", ({ code, message }) => [code, message]);
    const file = await readFile("photo.jxl");
    const wasm = await readFile("node_modules/filepress/wasm/jxl/filepress_bg.wasm");
    const core = await readFile("node_modules/filepress/wasm/core/filepress_bg.wasm");
    await (await import("node:fs/promises")).rm("node_modules/filepress/wasm/jxl/filepress_bg.wasm");
    const told = [await code(compress(await readFile("photo.png"))), await code(compress(file)), await code(preload(["jxl"]))];
    told.push(await code(init({ wasm: { jxl: core } })), await code(init({ wasm: core })), await code(compress(file)));
    await init({ wasm: { jxl: wasm } });
    told.push(await code(preload(["image/jxl"])), await code(compress(file)));
    console.log(JSON.stringify(told));
    process.exit();`;
  const own = createConsumer();
  own.write("photo.jxl", jxl.rgb);
  own.write("photo.png", png.rgb);
  const told = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: own.folder, encoding: "utf8" }));
  assert.deepEqual(told.map((one) => (Array.isArray(one) ? one[0] : one)), ["image/png", "engine_load", "engine_load", "invalid_option", "done", "engine_load", "done", "image/jpeg"]);
  assert.match(told[3][1], /wasm\.jxl is the "core" build, not "jxl"/);
});

test("a script that cannot be loaded is told like a build that cannot be loaded", async () => {
  const own = createConsumer();
  rmSync(join(own.installed, "lib/jxl/reader.js"));
  const { compress: compressHere, inspect: inspectHere } = await own.import();
  for (const call of [compressHere(jxl.rgb), inspectHere(jxl.rgb)]) {
    const { name, code, retryable, message } = await call.catch((error) => error);
    assert.deepEqual([name, code, retryable], ["InternalError", "engine_load", true]);
    assert.match(message, /"jxl" build.*reader\.js/);
  }
});

test("filepress/web has no such build, and says that it needs a decoder", async () => {
  for (const name of ["filepress/web", "filepress/avif"]) {
    const entry = await consumer.import(name);
    await assert.rejects(entry.compress(jxl.rgb), { code: "needs_decoder" });
    assert.ok(!(await entry.formats()).some(({ type }) => type === "image/jxl"));
    await entry.init({ decoders: { "image/jxl": () => photo(8, 8) } });
    assert.equal((await entry.compress(jxl.rgb)).width, 8);
  }
});

test("the command line takes them, from folders too", async () => {
  const folder = folderOf({ "photos/one.jxl": jxl.rgb, "photos/two.jxl": jxl.rgba });
  const made = run(folder, ["photos", "--to", "png", "--out", "out"]);
  assert.equal(made.status, 0, made.stderr);
  for (const [name, kind] of [["one", "rgb"], ["two", "rgba"]]) {
    assert.deepEqual(await raw(readFileSync(join(folder, "out", `${name}.png`))), await raw(png[kind]));
  }
  assert.match(run(folder, ["inspect", "photos/two.jxl"]).lines[0], /two\.jxl: image\/jxl, 96 × 64, 8 bits, rgb, alpha/);
  assert.match(run(folder, ["formats"]).lines.join("\n"), /image\/jxl +JPEG XL +read +jxl/);
});
