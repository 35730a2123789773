// The calculations of `make bench` on made-up measurements: sizes at equal score, rivals, and which rows count as
// lost.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bytesAt, geometricMean, qualityAt } from "../../benches/curve.mjs";
import { reportDocument } from "../../benches/report/document.mjs";
import { reportLosses } from "../../benches/report/losses.mjs";
import { reportSection } from "../../benches/report/section.mjs";
import { withSummary } from "../../benches/report/summary.mjs";
import { rivals, standing } from "../../benches/ranking.mjs";
import { sweep } from "../../benches/sweep.mjs";

const near = (value, expected, tolerance = 1e-9) => assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not ${expected}`);

test("bytes at a score lie between the two measured points next to it, by their logarithm", () => {
  const points = [
    { score: 80, bytes: 4000 },
    { score: 60, bytes: 1000 },
    { score: 90, bytes: 9000 },
  ];
  near(bytesAt(points, "bytes", 70), 2000);
  near(bytesAt(points, "bytes", 65), 1000 * Math.SQRT2);
  assert.equal(bytesAt(points, "bytes", 80), 4000);
  assert.ok(Number.isNaN(bytesAt(points, "bytes", 59)));
  assert.ok(Number.isNaN(bytesAt(points, "bytes", 91)));
});

test("a quality is expected on the line of its neighbors, and within the scale", () => {
  const points = [
    { quality: 60, score: 60 },
    { quality: 80, score: 70 },
  ];
  assert.equal(qualityAt(points, 65), 70);
  assert.equal(qualityAt(points, 75), 90);
  assert.equal(qualityAt(points, 99), 100);
  assert.equal(qualityAt(points, 0), 1);
  const level = points.map(({ quality }) => ({ quality, score: 70 }));
  assert.equal(qualityAt(level, 50), 30);
  assert.equal(qualityAt(level, 90), 90);
});

test("a sweep finds what an encoder takes for the score", async () => {
  // Bytes grow by a twentieth of a power of two a point of score; the score bends over the quality.
  const score = (quality) => 100 - (100 - quality) ** 1.3 / 5;
  const encode = async (quality) => Object.assign(new Uint8Array(Math.round(50_000 * 2 ** (score(quality) / 20))), { quality });
  const judge = async ({ quality }) => score(quality);
  for (const target of [60, 70, 80]) {
    const found = await sweep({ encode, judge, target, start: [50, 80] });
    near(found.bytes / (50_000 * 2 ** (target / 20)), 1, 1e-3);
    near(found.score, target, 1.5);
    assert.ok(found.points <= 8);
  }
  const beyond = await sweep({ encode, judge: async () => 40, target: 70, start: [50, 80] });
  assert.ok(Number.isNaN(beyond.bytes));
});

test("behind a step of an encoder a score costs what the upper end of the step costs", async () => {
  const encode = async (quality) => Object.assign(new Uint8Array(quality < 13 ? 100 : 900 + quality), { quality });
  const judge = async ({ quality }) => (quality < 13 ? 25 : 95);
  const found = await sweep({ encode, judge, target: 60, start: [40, 80] });
  assert.deepEqual([found.quality, found.score, found.bytes], [13, 95, 913]);
  const always = await sweep({ encode, judge: async () => 95, target: 60, start: [40, 80] });
  assert.deepEqual([always.quality, always.bytes], [1, 100]);
});

const peers = [
  { id: "filepress", name: "filepress" },
  { id: "small", name: "Small" },
  { id: "alike", name: "Alike" },
  { id: "hasty", name: "Hasty" },
  { id: "native", name: "Native", native: true },
];
const made = { filepress: [90, 1000], small: [200, 980], alike: [100, 990], hasty: [20, 1500], native: [5, 500] };
/** Two pictures, of which the second takes twice as much of everything. */
const section = {
  id: "made",
  title: "Made up",
  command: "none",
  target: 70,
  pictures: ["one", "two"],
  peers,
  measurements: Object.entries(made).flatMap(([peer, [ms, bytes]]) =>
    ["one", "two"].map((picture, index) => ({ peer, picture, quality: 75, score: 70, ms: ms * (index + 1), bytes: bytes * (index + 1) })),
  ),
  download: { filepress: 500_000, small: 100_000, alike: 700_000, hasty: 600_000 },
};

test("times are held against the fastest of those whose files are as small, and native code is no rival", () => {
  assert.deepEqual(rivals(section), { smallest: "small", equal: "alike", fastest: "hasty", leanest: undefined, lightest: "small" });
  const ratios = Object.fromEntries(standing(section).map(({ measure, ratio }) => [measure, ratio]));
  near(ratios.bytes, 1000 / 980);
  near(ratios.time, 0.9);
  near(ratios.fastest, 4.5);
  near(ratios.download, 5);
});

test("a picture that a peer could not make at the score counts for no one in that ratio", () => {
  const measurements = section.measurements.map((one) => (one.peer === "small" && one.picture === "two" ? { ...one, bytes: NaN } : one));
  near(standing({ ...section, measurements })[0].ratio, 1000 / 980);
  assert.ok(Number.isNaN(geometricMean([])));
});

test("what a peer could not make at the score has no sum", () => {
  const measurements = section.measurements.map((one) => (one.peer === "small" && one.picture === "two" ? { ...one, bytes: null } : one));
  assert.match(reportSection({ ...section, measurements }), /\| Small \| 600 \| 2\.00 \| – \| 1\.000 \|/);
});

test("what is lost is told, and nothing else", () => {
  const lines = reportLosses([section]).split("\n");
  assert.equal(lines.length, 3);
  assert.match(lines[0], /Made up: 1\.020 × the bytes of Small\. The reason is not known/);
  assert.match(lines[1], /4\.50 × the time of Hasty \(the fastest of all\)/);
  assert.match(lines[2], /5\.00 × the download of Small/);
  const better = section.measurements.map((one) => (one.peer === "filepress" ? { ...one, ms: 1, bytes: 1 } : one));
  assert.equal(reportLosses([{ ...section, measurements: better, download: undefined }]), "None in this run.");
});

test("a table has a row for every peer and for every picture", () => {
  const text = reportSection(section);
  assert.match(text, /\| \*\*filepress\*\* \| 270 \| 0\.90 \| 3,000 \| 1\.020 \| 70\.0 \| 500 \|/);
  assert.match(text, /\| Native \| 15 \| 0\.05 \| 1,500 \| 0\.510 \| 70\.0 \| – \|/);
  assert.match(text, /\| two \| 180 \| 200 \| 0\.90 \| 2,000 \| 1,960 \| 1\.020 \|/);
});

test("BENCHMARKS.md and the table of the README are what was measured", () => {
  const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const results = JSON.parse(read("benches/figures.json"));
  assert.equal(read("BENCHMARKS.md"), reportDocument(results));
  assert.equal(read("README.md"), withSummary(read("README.md"), results));
});

test("make profile takes a picture and a quality, each without the other", () => {
  const recipe = (...given) => {
    const told = execFileSync("make", ["-n", "profile", "WORK=jpeg", ...given], { encoding: "utf8" });
    return told.match(/^node benches\/profile\.mjs (.*)$/m)[1].split(/\s+/).filter(Boolean);
  };
  assert.deepEqual(recipe(), ["jpeg"]);
  assert.deepEqual(recipe("QUALITY=75"), ["jpeg", "--quality", "75"]);
  assert.deepEqual(recipe("PICTURE=storm"), ["jpeg", "--picture", "storm"]);
  assert.deepEqual(recipe("QUALITY=75", "PICTURE=storm"), ["jpeg", "--picture", "storm", "--quality", "75"]);
});

test("a profile is refused where there is no such work or picture", () => {
  const refused = (...args) => spawnSync(process.execPath, ["benches/profile.mjs", ...args], { encoding: "utf8" });
  const cases = [[["none"], /^WORK is one of jpeg, /], [["jpeg", "--picture", "none"], /^PICTURE is one of camera, /]];
  for (const [args, told] of cases) {
    const { status, stderr } = refused(...args, "--quality", "75");
    assert.equal(status, 2, stderr);
    assert.match(stderr, told);
  }
});
