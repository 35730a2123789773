// `make matrix`: converts every image format to every other by the built package in Node, and prints how much each
// picture differs (tests/package/support/matrix.mjs defines the measure). Exits with 1 if a difference is too large,
// or if a picture or a cell is missing.
import { measure } from "../tests/package/support/matrix.mjs";
import { importBuilt, manifest } from "./built.mjs";
import { table } from "./table.mjs";

/** Image types, each of which is a row and a column. */
const TYPES = 16;
/** Types that are read, and not written. */
const READ_ONLY = 1;

const api = await importBuilt();
console.log(`filepress ${manifest().version} in Node ${process.versions.node}: rows are inputs, columns outputs\n`);

const rows = [];
for await (const row of measure(api)) rows.push(row);
const name = ({ extensions }) => extensions[0];
const columns = [{ title: "" }, ...rows[0].cells.map(({ to }) => ({ title: name(to), right: true }))];
console.log(table(columns, rows.map(({ from, cells }) => [name(from), ...cells.map(shown)])).join("\n"));

const cells = rows.flatMap(({ from, cells }) => cells.map((cell) => ({ ...cell, from })));
const failed = cells.filter((cell) => cell.failed);
const refused = cells.filter((cell) => cell.refused);
const complete = cells.length === (TYPES + READ_ONLY) * TYPES;
const unread = rows.filter(({ from }) => !from.read).map(({ from }) => from.name);
const unwritten = rows.filter(({ from }) => !from.write).map(({ from }) => from.name);

console.log(`
Mean difference of the three colors, of 255, between the picture in the output and the picture in the input, both read by
other decoders (sharp, ImageMagick, and small readers of the tests). The worse of an opaque picture and one with alpha, which
is painted white where the output has none. × is over its tolerance; refused is the error that the types promise
(unsupported_type, unsupported_output).
`);
for (const { from, to, off, allowed, failure } of failed) {
  console.log(`${name(from)} → ${name(to)}: ${failure ? `${failure.code ?? failure.name}: ${failure.message}` : `${off} off, allowed ${allowed}`}`);
}
if (!complete) console.log(`the table should have ${TYPES + READ_ONLY} rows of ${TYPES} types`);
if (unread.length > 0) console.log(`not read by this version: ${unread.join(", ")}`);
if (unwritten.length > 0) console.log(`not written by this version: ${unwritten.join(", ")}`);
console.log(`${cells.length - refused.length} cells, ${failed.length} failed; ${refused.length} refused`);
process.exitCode = failed.length > 0 || !complete ? 1 : 0;
// Its workers would be kept for a while.
process.exit();

/** A cell as a figure. */
function shown({ off, failed, refused }) {
  if (refused) return "refused";
  if (off === undefined) return "error ×";
  return `${off.toFixed(2)}${failed ? " ×" : ""}`;
}
