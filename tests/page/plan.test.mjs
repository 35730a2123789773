// The page's plan for a file: its settings and possible formats. The package must accept every planned call.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { importBuilt } from "../../scripts/built.mjs";
import { outputFormats } from "../../www/output-formats.js";
import { planCall } from "../../www/plan.js";
import { formatSaving, formatSize } from "../../www/formatting.js";
import { sample } from "../package/support/samples.mjs";

const { compress, formats, inspect } = await importBuilt();
const known = await formats();
const usual = {
  image: {
    to: "",
    aim: "default",
    quality: 75,
    kilobytes: 200,
    longest: Infinity,
    metadata: "safe",
    effort: 4,
    colors: Infinity,
    dither: 100,
    chroma: "auto",
    minScore: 80,
    lossless: false,
    hdr: false,
    still: false,
    background: "#ffffff",
  },
  video: { to: "", level: "", height: 0, mute: false },
  audio: { to: "", bitrate: 0 },
  document: { to: "", dpi: 0 },
};
const image = (changes) => ({ ...usual, image: { ...usual.image, ...changes } });
const types = (outputs) => new Set(outputs.map(({ type }) => type));
const film = { type: "video/mp4", class: "video" };

test("without any setting nothing is asked of the package but fewer bytes", () => {
  const facts = { type: "image/jpeg", class: "image", width: 10, height: 10 };
  assert.deepEqual(planCall(usual, facts, {}, known), { to: undefined, options: {}, remote: false });
  assert.deepEqual(planCall(image({ to: "image/jpeg" }), facts, {}, known), { to: undefined, options: {}, remote: false });
});

test("every picture becomes every type that it is offered, by any setting", async () => {
  const all = { aim: "manual", quality: 40, longest: 24, metadata: "keep", effort: 1, still: true, background: "#204060" };
  const palette = { colors: 8, dither: 40, chroma: "444" };
  const extremes = [all, { ...all, ...palette }, { ...all, ...palette, lossless: true }, { ...all, ...palette, aim: "size", kilobytes: 90 }];
  let calls = 0;
  for (const name of ["baseline.jpg", "rgba.png", "animated.gif", "plain.bmp"]) {
    const bytes = await sample(name, [40, 30]);
    const facts = { ...(await inspect(bytes)), class: "image" };
    const outputs = outputFormats(known, facts, false);
    assert.equal(outputs.length, 15);
    for (const { type } of outputs) {
      for (const changes of extremes) {
        const { to, options, remote } = planCall(image(changes), facts, { to: type }, outputs);
        assert.equal(remote, false);
        const result = await compress(bytes, { ...options, ...(to && { to }) });
        assert.equal(result.type, type);
        assert.ok(Math.max(result.width, result.height) <= 24);
        calls++;
      }
    }
  }
  assert.equal(calls, 240);
});

test("colors, dithering and chroma are sent for the formats that have them, dithering only for a palette", () => {
  const facts = { type: "image/bmp", class: "image", width: 10, height: 10 };
  const planned = (to, changes) => planCall(image(changes), facts, { to }, known).options;
  for (const { type, colors, chroma } of known.filter(({ class: kind, write }) => kind === "image" && write)) {
    const given = planned(type, { colors: 16, dither: 40, chroma: "420" });
    assert.deepEqual(given, { ...(colors && { colors: 16, dither: 0.4 }), ...(chroma && { chroma: "420" }) }, type);
  }
  assert.deepEqual(planned("image/gif", { dither: 0 }), { dither: 0 });
  assert.deepEqual(planned("image/png", { dither: 0 }), {}, "a PNG keeps all colors");
  assert.deepEqual(planned("image/png", { dither: 0, aim: "manual" }), { quality: 75, dither: 0 });
  assert.deepEqual(planned("image/png", { dither: 0, aim: "size" }), { targetSize: 200_000 }, "it may fit with all colors");
  assert.deepEqual(planned("image/png", { colors: 16, dither: 0, lossless: true }), { lossless: true });
  assert.deepEqual(planned("image/avif", { chroma: "444", lossless: true }), { lossless: true });
});

test("a background is sent for the types that it shows in, metadata for all", async () => {
  const bytes = await sample("rgba.png", [40, 30]);
  const facts = { ...(await inspect(bytes)), class: "image" };
  const outputs = outputFormats(known, facts, false);
  const changes = image({ background: "#204060", metadata: "strip" });
  for (const { type } of outputs) {
    const { to, options } = planCall(changes, facts, { to: type }, outputs);
    const made = async (background) => (await compress(bytes, { ...(to && { to }), background })).blob.arrayBuffer();
    const shows = Buffer.compare(Buffer.from(await made("white")), Buffer.from(await made("#204060"))) !== 0;
    assert.deepEqual(options, { metadata: "strip", ...(shows && { background: "#204060" }) }, type);
  }
});

test("a drawing stays one only where it was one, and what needs a service is offered only with one", () => {
  const drawing = { type: "image/svg+xml", class: "image", frames: 1 };
  assert.ok(types(outputFormats(known, drawing, false)).has("image/svg+xml"));
  const photo = { type: "image/jpeg", class: "image", frames: 1 };
  assert.ok(!types(outputFormats(known, photo, true)).has("image/svg+xml"));
  assert.deepEqual(
    [false, true].map((is) => types(outputFormats(known, photo, is)).has("application/pdf")),
    [false, true],
  );
  const moving = { type: "image/gif", class: "image", frames: 3 };
  assert.ok(types(outputFormats(known, moving, true)).has("video/mp4"));
  assert.ok(!types(outputFormats(known, photo, true)).has("video/mp4"));
  assert.deepEqual(outputFormats(known, film, false), []);
  assert.deepEqual(
    [...types(outputFormats(known, { type: "audio/wav", class: "audio" }, true))].filter((type) => !type.startsWith("audio/")),
    [],
  );
});

test("settings of video, audio and PDF are those of the server", () => {
  const settings = {
    ...usual,
    video: { to: "video/webm", level: "small", height: 720, mute: true },
    audio: { to: "", bitrate: 96_000 },
    document: { to: "", dpi: 96 },
  };
  assert.deepEqual(planCall(settings, film, {}, known), {
    to: "video/webm",
    options: { settings: { crf: 42, mute: true }, resize: { maxHeight: 720 } },
    remote: true,
  });
  assert.deepEqual(planCall(settings, film, { to: "audio/mpeg" }, known).options, { settings: { bitrate: 96_000 } });
  assert.deepEqual(planCall(settings, film, { to: "audio/flac" }, known).options, {});
  assert.deepEqual(planCall(settings, { type: "application/pdf", class: "document" }, {}, known).options, {
    settings: { dpi: 96 },
  });
});

test("figures are short and true", () => {
  assert.deepEqual([999, 1000, 862_468, 2_790_013, 12_345_678_901].map(formatSize), [
    "999 bytes",
    "1.00 kB",
    "862 kB",
    "2.79 MB",
    "12.3 GB",
  ]);
  assert.deepEqual(formatSaving(1000, 310), { number: "−69\u00a0%", outcome: "smaller" });
  assert.deepEqual(formatSaving(1000, 1055), { number: "+5.5\u00a0%", outcome: "larger" });
  assert.deepEqual(formatSaving(100_000, 99_990), { number: "0\u00a0%", outcome: "same" });
  assert.deepEqual(formatSaving(0, 0), { number: "0\u00a0%", outcome: "same" });
});
