// Concurrent calls, their progress events, and what remains in memory after them.
import { strict as assert } from "node:assert";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, samples, toSharp } from "./support/samples.mjs";

const { compress, convert } = await createConsumer().import();
const small = await sample("baseline.jpg");

test("calls at once do not mix", async () => {
  const all = [...(await samples([96, 64]))];
  const alone = new Map();
  for (const [name, bytes] of all) alone.set(name, await (await convert(bytes, "png")).bytes());
  const results = await Promise.all([...all, ...all].map(async ([name, bytes]) => [name, await (await convert(bytes, "png")).bytes()]));
  assert.ok(results.length >= 40);
  for (const [name, bytes] of results) assert.deepEqual(bytes, alone.get(name), name);
});

test("an error of one call leaves those beside it alone", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => compress(index % 2 ? small : small.subarray(0, 3000))));
  assert.deepEqual(outcomes.map(({ status }) => status), Array.from({ length: 20 }, (_, index) => (index % 2 ? "fulfilled" : "rejected")));
});

test("progress goes from 0 to 1, through the phases in their order", async () => {
  const plain = ["load", "decode", "encode", "done"];
  const wideGamut = await sample("wide-gamut.jpg");
  const watched = [
    [small, {}, plain],
    [small, { resize: { width: 40 } }, ["load", "decode", "resize", "encode", "done"]],
    [small, { lossless: true }, ["load", "decode", "done"]],
    [await sample("animated.gif"), {}, plain],
    // Needs the full build, which shows only when the profile is read.
    [wideGamut, { to: "bmp" }, plain],
  ];
  for (const [input, options, phases] of watched) {
    const events = [];
    await compress(input, { ...options, onProgress: (event) => events.push(event) });
    assert.deepEqual(events.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1]), phases);
    const ratios = events.map(({ ratio }) => ratio);
    assert.deepEqual(ratios, ratios.toSorted((one, other) => one - other));
    assert.deepEqual([ratios[0], ratios.at(-1)], [0, 1]);
    for (const { loaded, total, ratio } of events) assert.ok(total === input.length && loaded >= 0 && loaded <= total && ratio >= 0 && ratio <= 1);
  }
});

test("long work is never silent, and a search tells its attempts", async () => {
  const large = await toSharp(photo(1200, 800)).removeAlpha().jpeg({ quality: 95 }).toBuffer();
  for (const [options, attempts] of [[{ to: "avif" }, 0], [{ to: "avif", quality: "auto" }, 3], [{ to: "webp", targetSize: 30_000 }, 2]]) {
    const events = [];
    await compress(large, { ...options, onProgress: (event) => events.push({ ...event, at: performance.now() }) });
    const ratios = events.map(({ ratio }) => ratio);
    assert.deepEqual([ratios[0], ratios.at(-1), events.at(-1).remaining], [0, 1, 0]);
    assert.deepEqual(ratios, ratios.toSorted((one, other) => one - other));
    // About five events per second are due.
    const seconds = (events.at(-1).at - events[0].at) / 1000;
    assert.ok(events.length > seconds, `${events.length} events in ${seconds} s`);
    const tries = [...new Set(events.flatMap(({ attempt }) => attempt ?? []))];
    assert.deepEqual(tries, tries.map((_, index) => index + 1));
    assert.ok(tries.length >= attempts && (attempts > 0 || tries.length === 0), `${tries.length} attempts`);
    assert.ok(events.filter(({ phase }) => phase !== "load").every(({ remaining = 0 }) => Number.isInteger(remaining) && remaining >= 0));
  }
});

test("what onProgress throws does not reach the call", async () => {
  const seen = [];
  const onProgress = ({ phase }) => {
    seen.push(phase);
    throw new Error("not the call's business");
  };
  const stray = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", () => {});
  const { outputSize } = await compress(small, { onProgress });
  await compress(small, { onProgress: async () => Promise.reject(new Error("nor this")) });
  process.removeAllListeners("uncaughtException");
  for (const listener of stray) process.on("uncaughtException", listener);
  assert.deepEqual([outputSize, seen.at(-1)], [(await compress(small)).outputSize, "done"]);
});

test("an original that cannot be made smaller is handed back", async () => {
  const best = await (await compress(small, { quality: 40 })).bytes();
  const again = await compress(best, { quality: 95 });
  assert.deepEqual([again.keptOriginal, again.outputSize, again.inputSize], [true, best.length, best.length]);
  assert.deepEqual(await again.bytes(), best);
  const asked = await compress(best, { quality: 95, resize: { width: 200 } });
  assert.equal(asked.keptOriginal, false);
});

test("threads are used again rather than added", async () => {
  const threads = () => readdirSync("/proc/self/task").length;
  await compress(small);
  const before = threads();
  for (let round = 0; round < 12; round++) await compress(small);
  assert.ok(threads() <= before + 1, `${before} threads became ${threads()}`);
});
