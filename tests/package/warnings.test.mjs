// Results have the expected warnings and no others.
import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";

const { compress } = await createConsumer().import();

const cases = [
  ["animated.gif", { to: "png" }, ["animation_dropped"]],
  ["animated.webp", { to: "jpeg" }, ["animation_dropped"]],
  ["animated.png", { resize: { width: 10 } }, ["animation_dropped"]],
  ["animated.png", {}, []],
  ["animated.png", { targetSize: 1_000_000 }, ["animation_kept"]],
  ["animated.gif", { to: "png", animation: "first" }, []],
  ["animated.gif", { resize: { width: 10 } }, []],
  ["pages.tiff", { to: "png" }, ["pages_dropped"]],
  ["pages.tiff", {}, []],
  ["rgba.png", { to: "jpeg" }, ["alpha_flattened"]],
  ["rgba.png", { to: "pnm" }, ["alpha_flattened"]],
  ["rgba.png", { to: "hdr" }, ["alpha_flattened"]],
  ["alpha.exr", { to: "jpeg" }, ["alpha_flattened"]],
  ["rgb.png", { to: "gif" }, ["colors_reduced"]],
  ["rgb.png", { quality: 60 }, ["colors_reduced"]],
  ["deep.png", { to: "webp", lossless: true }, ["depth_reduced"]],
  ["deep.png", { to: "qoi" }, ["depth_reduced"]],
  ["deep.png", { to: "webp" }, []],
  ["deep.png", { to: "png", lossless: true, resize: { width: 99 } }, []],
  ["wide-gamut.jpg", { to: "qoi" }, ["color_converted"]],
  ["wide-gamut.jpg", { to: "qoi", metadata: "keep" }, ["color_converted"]],
  ["baseline.jpg", { to: "ico", resize: { width: 400 } }, ["resized_to_fit"]],
  ["baseline.jpg", { targetSize: 700 }, ["resized_to_fit"]],
  ["bits.pbm", { to: "jpeg", quality: "auto", minScore: 100 }, ["score_unreached"]],
  ["baseline.jpg", { to: "bmp", quality: 50 }, ["option_ignored"]],
  ["baseline.jpg", { to: "png" }, []],
  ["baseline.jpg", { quality: 50 }, []],
  ["baseline.jpg", { lossless: true }, []],
  ["rgba.png", { to: "webp" }, []],
  ["rgba.png", { to: "avif" }, []],
  ["rgba.png", { to: "exr" }, []],
  ["coded.hdr", { to: "png" }, []],
  ["bright.hdr", { to: "png" }, ["tone_mapped"]],
  ["bright.hdr", { to: "exr" }, []],
  ["drawn.svg", { to: "png" }, []],
  ["palette.png", { to: "gif" }, []],
];

for (const [name, options, expected] of cases) {
  test(`${name} ${JSON.stringify(options)} warns of ${expected.join() || "nothing"}`, async () => {
    const { warnings } = await compress(await sample(name), options);
    assert.deepEqual(warnings.map(({ code }) => code), expected);
    for (const { message } of warnings) assert.match(message, /^\S.{15,}\.$/);
  });
}

test("an icon holds 256 pixels a side at most", async () => {
  const { width, height } = await compress(await sample("baseline.jpg"), { to: "ico", resize: { width: 400 } });
  assert.deepEqual([width, height], [256, 166]);
});

test("the types name exactly the codes that the sources warn of", () => {
  const root = new URL("../../", import.meta.url);
  const told = (folder, ending, expression) => {
    const paths = readdirSync(new URL(folder, root), { recursive: true }).filter((path) => path.endsWith(ending));
    assert.ok(paths.length >= 20, `${paths.length} files in ${folder}`);
    const sources = paths.map((path) => readFileSync(new URL(path, new URL(folder, root)), "utf8"));
    const all = sources.join("\n");
    const constant = (name) => all.match(new RegExp(`const ${name}: &str = "(\\w+)"`))?.[1];
    return [...all.matchAll(expression)].map(([, word, name]) => word ?? constant(name));
  };
  const engine = told("src/", ".rs", /\bWarning::new\(\s*(?:"(\w+)"|(\w+))/g);
  const host = told("pkg-template/lib/", ".js", /\bcode: "(\w+)",(?=\s*message\b)/g);
  assert.ok(engine.length >= 12 && host.length >= 2, `${engine.length} and ${host.length} warnings`);
  const types = readFileSync(new URL("pkg-template/types/results.d.ts", root), "utf8");
  const [, union] = types.match(/^export type WarningCode =(.*?);$/ms);
  const named = [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code).sort();
  assert.deepEqual([...new Set([...engine, ...host])].sort(), named);
  const documented = types.slice(0, types.indexOf("export type WarningCode")).split("/**").at(-1);
  assert.deepEqual([...documented.matchAll(/^ \* - `(\w+)`/gm)].map(([, code]) => code).sort(), named);
});
