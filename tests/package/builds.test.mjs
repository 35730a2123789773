// The image engine builds: larger builds give the same bytes as smaller ones, and a smaller build names the build
// that a call needs.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { openEngine } from "./support/engine.mjs";
import { photo } from "./support/pictures.mjs";
import { coreSampleNames, sample, toSharp } from "./support/samples.mjs";

const consumer = createConsumer();
const engines = {};
for (const build of ["photo", "photo_avif", "avif", "core", "full"]) engines[build] = await openEngine(consumer.installed, build);

const jpeg = (settings, { gray = false, profile, turned } = {}) => {
  let made = toSharp(photo(331, 207)).removeAlpha();
  if (gray) made = made.toColorspace("b-w");
  if (profile) made = made.withIccProfile(profile);
  if (turned) made = made.withMetadata({ orientation: turned });
  return made.jpeg(settings).toBuffer();
};
const inputs = {
  "4:2:0": await jpeg({ quality: 92 }),
  "4:4:4, progressive": await jpeg({ quality: 95, chromaSubsampling: "4:4:4", progressive: true }),
  gray: await jpeg({ quality: 92 }, { gray: true }),
  "with a profile": await jpeg({ quality: 92 }, { profile: "p3" }),
  "turned by a quarter": await jpeg({ quality: 92 }, { turned: 6 }),
};
const calls = {
  "fewer bytes": {},
  "the highest quality": { quality: 100, metadata: "keep" },
  "the most effort": { effort: 9, quality: 60 },
  "no effort": { effort: 0 },
  "a smaller picture": { resize: { maxWidth: 90 } },
  "a larger picture": { resize: { width: 500, height: 300, fit: "cover" }, metadata: "strip" },
  "a padded picture": { resize: { width: 200, height: 200, fit: "contain", position: "top" }, background: "#369" },
  "so many bytes": { targetSize: 4000 },
};

for (const [name, input] of Object.entries(inputs)) {
  for (const to of ["image/jpeg", "image/webp"]) {
    test(`${name} to ${to}: the same bytes by photo, core and full`, () => {
      for (const [call, options] of Object.entries(calls)) {
        const made = ["photo", "core", "full"].map((build) => engines[build]).map(({ process }) => process(input, undefined, { ...options, to }, undefined));
        const [first, ...others] = made.map(({ bytes, report }) => [bytes && createHash("sha256").update(bytes).digest("hex"), report]);
        assert.ok(made[0].bytes?.length > 0 || made[0].report.keptOriginal, call);
        for (const other of others) assert.deepEqual(other, first, call);
      }
    });
  }
}

const toAvif = {
  "the defaults": {},
  "the highest quality, no effort": { quality: 100, effort: 0, metadata: "keep" },
  "no loss": { lossless: true, effort: 1 },
  "a smaller picture": { effort: 1, resize: { maxWidth: 61 }, metadata: "strip" },
  "a turned part": { effort: 1, crop: { x: 9, width: 40 }, rotate: 90, flip: "vertical" },
  "a padded picture": { effort: 1, resize: { width: 90, height: 90, fit: "contain" }, background: "#369" },
  "so many bytes": { effort: 0, targetSize: 1500 },
};
const seen = coreSampleNames.filter((name) => name.endsWith(".jpg"));
const pictures = { ...inputs, ...Object.fromEntries(await Promise.all(seen.map(async (name) => [name, await sample(name, [97, 61])]))) };

for (const [name, input] of Object.entries(pictures)) {
  test(`${name} to AVIF: the same bytes by photo_avif, avif and full`, () => {
    for (const [call, options] of Object.entries(toAvif)) {
      const [small, ...larger] = ["photo_avif", "avif", "full"].map((build) => engines[build].process(input, undefined, { ...options, to: "avif" }, undefined));
      assert.ok(small.bytes.length > 0, call);
      for (const large of larger) assert.deepEqual(small, large, call);
    }
  });
}

const toLargerAvif = {
  ...toAvif,
  "transparent padding": { effort: 1, resize: { width: 90, height: 90, fit: "contain" } },
  "a crop of what is salient": { effort: 1, resize: { width: 40, height: 40, fit: "cover", position: "attention" } },
  "a background": { effort: 1, background: "#369", chroma: "444" },
};
const others = coreSampleNames.filter((name) => /\.(png|webp)$/.test(name));
for (const name of others) {
  test(`${name} to AVIF: the same bytes by avif and full`, async () => {
    // Animations are of a fourth of it, and a part of 40 pixels is cut out of each.
    const input = await sample(name, [200, 124]);
    for (const [call, options] of Object.entries(toLargerAvif)) {
      const [small, large] = ["avif", "full"].map((build) => engines[build].process(input, undefined, { ...options, to: "avif" }, undefined));
      assert.ok(small.bytes.length > 0, call);
      assert.deepEqual(small, large, call);
    }
  });
}
test("these were PNGs and WebPs", () => assert.ok(others.length >= 10 && others.some((name) => name.endsWith("webp")), others.join()));


test("what follows from the header is the same in all builds: limits, and what is damaged", async () => {
  const codeOf = (build, input, options) => {
    try {
      return engines[build].process(input, undefined, { to: "avif", ...options }, undefined) && "done";
    } catch ({ code, details }) {
      return [code, details];
    }
  };
  const input = inputs["4:2:0"];
  for (const [bytes, options] of [[input, { limits: { maxPixels: 50 } }], [input, { limits: { maxMemoryBytes: 90_000 } }], [input.slice(0, 60), {}], [input.slice(0, -400), {}]]) {
    const [small, ...larger] = ["photo_avif", "avif", "full"].map((build) => codeOf(build, bytes, options));
    assert.notEqual(small, "done");
    for (const large of larger) assert.deepEqual(small, large);
  }
});

test("the same is told of a file by photo, photo_avif, avif, core and full", () => {
  for (const input of Object.values(inputs)) {
    const [first, ...others] = Object.values(engines).map(({ inspect }) => inspect(input, undefined, {}));
    assert.deepEqual([first.type, first.width * first.height], ["image/jpeg", 331 * 207]);
    for (const other of others) assert.deepEqual(other, first);
  }
});

test("what a build cannot do is refused with the build that can", async () => {
  const inks = await toSharp(photo(40, 30)).removeAlpha().toColorspace("cmyk").withIccProfile("cmyk").jpeg().toBuffer();
  const [picture, moving] = [await sample("rgba.png"), await sample("animated.webp")];
  const refusals = [
    ["photo", picture, {}, "core"],
    ["photo", moving, {}, "core"],
    ["photo", inputs.gray, { to: "png" }, "core"],
    ["photo", inputs.gray, { to: "webp", lossless: true }, "core"],
    ["photo", inputs.gray, { to: "webp", resize: { width: 99, height: 99, fit: "contain" } }, "core"],
    ["photo", inputs.gray, { to: "avif" }, "photo_avif"],
    ["photo", inputs.gray, { quality: "auto" }, "full"],
    ["photo", inputs.gray, { lossless: true }, "full"],
    ["photo", inks, {}, "full"],
    ["core", inks, {}, "full"],
    ["core", inputs.gray, { to: "avif" }, "photo_avif"],
    ["core", picture, { to: "avif" }, "avif"],
    ["photo_avif", picture, { to: "avif" }, "avif"],
    ["photo_avif", inputs.gray, { to: "avif", resize: { width: 99, height: 99, fit: "contain" } }, "avif"],
    ["avif", picture, { to: "avif", overlay: { image: picture } }, "full"],
    ["avif", await sample("animated.gif"), { to: "avif" }, "full"],
    ["avif", inputs.gray, { to: "avif", quality: "auto" }, "full"],
    ["avif", inks, { to: "avif" }, "full"],
    ["avif", picture, { to: "png" }, "core"],
    ["avif", picture, { to: "webp" }, "core"],
    ["avif", inputs.gray, { to: "webp" }, "photo"],
    ["avif", inputs.gray, {}, "photo"],
    ["avif", await sample("lossy.avif"), { to: "avif" }, "full"],
  ];
  for (const [build, input, options, needed] of refusals) {
    const thrown = { kind: "options", code: "not_in_build" };
    assert.throws(() => engines[build].process(input, undefined, options, undefined), (error) => {
      assert.deepEqual({ kind: error.kind, code: error.code, needed: error.details.build }, { ...thrown, needed }, JSON.stringify(options));
      return true;
    });
  }
  assert.throws(() => engines.photo.inspect(picture, undefined, {}), ({ code, details }) => code === "not_in_build" && details.build === "core");
});

test("a call goes on in the build that its file turns out to need", async () => {
  const { compress } = await consumer.import();
  const input = await toSharp(photo(60, 40)).removeAlpha().toColorspace("cmyk").withIccProfile("cmyk").jpeg({ quality: 95 }).toBuffer();
  const { blob, warnings } = await compress(input, { to: "webp" });
  assert.equal((await sharp(await blob.arrayBuffer()).metadata()).space, "srgb");
  assert.ok(warnings.some(({ code }) => code === "color_converted"));
  const avif = await compress(input, { to: "avif", effort: 0 });
  assert.ok(avif.warnings.some(({ code }) => code === "color_converted"));
});
