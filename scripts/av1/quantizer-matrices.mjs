// Writes codecs/av1/src/transform/quant/matrices.rs from chapter 10 of the AV1 specification, which is its argument:
//
//     node scripts/av1/quantizer-matrices.mjs ../shared/spec/av1/10.additional.tables.md
//
// The specification lists the matrices of every transform size. All of them are samples of one of 32 × 32, which is symmetric, and
// one of 16 × 32. Only these two are written, after a check that the others follow from them as `quant/matrix.rs` derives them. What is
// written are the differences from a prediction by neighbors, which take half as much when they are downloaded.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OUTPUT = fileURLToPath(new URL("../../codecs/av1/src/transform/quant/matrices.rs", import.meta.url));
const LEVELS = 15;
const PLANE_TYPES = 2;
const SIZES = [
  [4, 4], [8, 8], [16, 16], [32, 32], [4, 8], [8, 4], [8, 16], [16, 8], [16, 32], [32, 16], [4, 16], [16, 4], [8, 32], [32, 8],
];

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("which file? chapter 10 of the specification");
const text = readFileSync(path, "utf8");
const from = text.indexOf("Quantizer_Matrix[ 15 ]");
const block = text.slice(text.indexOf("{", from), text.indexOf("~~~", from)).replace(/\/\*.*?\*\//g, "");
const numbers = (block.match(/\d+/g) ?? []).map(Number);
const perMatrix = SIZES.reduce((sum, [w, h]) => sum + w * h, 0);
if (numbers.length !== LEVELS * PLANE_TYPES * perMatrix) throw new Error(`${numbers.length} numbers`);

const rows = [];
for (let index = 0; index < LEVELS * PLANE_TYPES; index++) {
  const matrices = split(numbers.slice(index * perMatrix, (index + 1) * perMatrix));
  const square = matrices.get("32x32");
  const tall = matrices.get("16x32");
  for (const [w, h] of SIZES) check(matrices.get(`${w}x${h}`), w, h, square, tall);
  const triangle = Array.from({ length: 32 }, (_, i) => square.slice(32 * i, 33 * i + 1));
  const rectangle = Array.from({ length: 32 }, (_, i) => tall.slice(16 * i, 16 * i + 16));
  rows.push([...differences(triangle), ...differences(rectangle)]);
}
const length = rows[0].length;
const lines = rows.map((row) => `    [\n${wrap(row)}\n    ],`).join("\n");
writeFileSync(OUTPUT, `//! The quantizer matrices of section 9.5.3, written by \`scripts/av1/quantizer-matrices.mjs\`.
//!
//! For each level the matrix of luma, then that of chroma: the lower triangle of 32 × 32, by rows, then 16 × 32, by rows.

/// Each weight (in 1/32) less its prediction: left + above - above left, as far as these are there. Differences wrap at 256.
#[rustfmt::skip]
pub(super) static DIFFERENCES: [[u8; ${length}]; ${rows.length}] = [
${lines}
];
`);
console.log(`${OUTPUT}: ${rows.length} matrices`);

function split(values) {
  let at = 0;
  return new Map(SIZES.map(([w, h]) => [`${w}x${h}`, values.slice(at, (at += w * h))]));
}

function check(matrix, w, h, square, tall) {
  matrix.forEach((value, at) => {
    const [i, j] = [Math.floor(at / w), at % w];
    const derived = w === h ? sample(square, 32, 32, i, j, w, h) : w < h ? sample(tall, 16, 32, i, j, w, h) : sample(tall, 16, 32, j, i, h, w);
    if (derived !== value) throw new Error(`${w}x${h} does not follow at ${i}, ${j}`);
  });
  square.forEach((value, at) => {
    if (square[(at % 32) * 32 + Math.floor(at / 32)] !== value) throw new Error("32x32 is not symmetric");
  });
}

function sample(matrix, width, height, i, j, w, h) {
  const [across, down] = [width / w, height / h];
  const phase = (ratio) => Math.floor((ratio + 1) / 2) - 1;
  return matrix[(down * i + phase(down)) * width + across * j + phase(across)];
}

/** What is not there is zero, but of left and above the one that is there is taken alone. */
function differences(rows) {
  return rows.flatMap((row, i) =>
    row.map((value, j) => {
      const [left, above, corner] = [row[j - 1], rows[i - 1]?.[j], rows[i - 1]?.[j - 1]];
      const prediction = left !== undefined && above !== undefined ? left + above - corner : (left ?? above ?? 0);
      return (value - prediction) & 255;
    }),
  );
}

function wrap(row) {
  const lines = [];
  for (let at = 0; at < row.length; at += 24) lines.push(`        ${row.slice(at, at + 24).join(", ")},`);
  return lines.join("\n");
}
