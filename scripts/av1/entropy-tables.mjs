// Writes the tables of codecs/av1 that the AV1 specification gives as numbers (section 9.3: scans and default CDFs).
//
//     node scripts/av1/entropy-tables.mjs ../shared/spec/av1/10.additional.tables.md && cargo fmt -p filepress-av1
//
// CDFs are written as the decoder holds them: 32768 minus the cumulative frequency, then the counter of the adaptation.
import { readFileSync, writeFileSync } from "node:fs";

const CRATE = new URL("../../codecs/av1/src/", import.meta.url);
const CDFS = [
  "Intra_Frame_Y_Mode", "Uv_Mode_Cfl_Not_Allowed", "Uv_Mode_Cfl_Allowed", "Angle_Delta", "Intrabc",
  "Partition_W8", "Partition_W16", "Partition_W32", "Partition_W64", "Partition_W128",
  "Tx_8x8", "Tx_16x16", "Tx_32x32", "Tx_64x64", "Txfm_Split", "Filter_Intra_Mode", "Filter_Intra", "Segment_Id",
  "Mv_Sign", "Mv_Bit", "Mv_Class0_Bit", "Mv_Joint", "Mv_Class", "Skip",
  "Palette_Y_Size", "Palette_Uv_Size", "Palette_Y_Mode", "Palette_Uv_Mode",
  ...[2, 3, 4, 5, 6, 7, 8].flatMap((size) => [`Palette_Size_${size}_Y_Color`, `Palette_Size_${size}_Uv_Color`]),
  "Delta_Q", "Delta_Lf", "Intra_Tx_Type_Set1", "Intra_Tx_Type_Set2", "Inter_Tx_Type_Set1", "Inter_Tx_Type_Set2", "Inter_Tx_Type_Set3",
  "Cfl_Sign", "Cfl_Alpha", "Use_Wiener", "Use_Sgrproj", "Restoration_Type",
  "Txb_Skip", "Eob_Pt_16", "Eob_Pt_32", "Eob_Pt_64", "Eob_Pt_128", "Eob_Pt_256", "Eob_Pt_512", "Eob_Pt_1024",
  "Eob_Extra", "Dc_Sign", "Coeff_Base_Eob", "Coeff_Base", "Coeff_Br",
];
const SCANS = ["4x4", "4x8", "8x4", "8x8", "8x16", "16x8", "16x16", "16x32", "32x16", "32x32", "4x16", "16x4", "8x32", "32x8"];

const specification = readFileSync(process.argv[2], "utf8");

const cdfs = CDFS.map((name) => item(name, "u16", inverted(table(`Default_${name}_Cdf`), name)));
write("entropy/default_cdfs.rs", "The default CDFs (AV1 specification, section 9.3), each as 32768 minus the cumulative frequencies, then a counter.", cdfs);
const scans = SCANS.map((size) => item(`Default_Scan_${size}`, "u16", table(`Default_Scan_${size}`)));
for (const size of SCANS.filter((name) => !/32|64/.test(name))) checkLineScans(size);
write("tile/scans.rs", "The default scans (AV1 specification, section 9.2): position = width × row + column.", scans);

/** The nested arrays of a table of the specification. */
function table(name) {
  const head = new RegExp(`^${name} *\\[[^=]*= *`, "m").exec(specification);
  if (head === null) throw new Error(`no table ${name}`);
  const rest = specification.slice(head.index + head[0].length);
  const body = rest.slice(0, rest.search(/^[A-Z~]/m)).replace(/\/\/.*/g, "").replace(/(\d+) *\* *(\d+)/g, (_, a, b) => a * b);
  return JSON.parse(body.replaceAll("{", "[").replaceAll("}", "]").replace(/,(\s*\])/g, "$1"));
}

function inverted(values, name) {
  if (Array.isArray(values[0])) return values.map((inner) => inverted(inner, name));
  if (values.at(-1) !== 0 || values.at(-2) !== 32768) throw new Error(`${name} is no CDF`);
  return values.map((value, at) => (at === values.length - 1 ? 0 : 32768 - value));
}

/** The other scans go along rows and along columns, and need no table. */
function checkLineScans(size) {
  const [width, height] = size.split("x").map(Number);
  const rows = Array.from({ length: width * height }, (_, at) => at);
  const columns = rows.map((at) => (at % height) * width + Math.floor(at / height));
  if (`${table(`Mrow_Scan_${size}`)}` !== `${rows}`) throw new Error(`Mrow_Scan_${size}`);
  if (`${table(`Mcol_Scan_${size}`)}` !== `${columns}`) throw new Error(`Mcol_Scan_${size}`);
}

function item(name, type, values) {
  const shape = (inner) => (Array.isArray(inner) ? `[${shape(inner[0])}; ${inner.length}]` : type);
  return `pub(crate) static ${name.toUpperCase()}: ${shape(values)} = ${JSON.stringify(values)};\n`;
}

function write(path, purpose, items) {
  writeFileSync(new URL(path, CRATE), `//! ${purpose}\n//!\n//! Written by \`scripts/av1/entropy-tables.mjs\`.\n\n${items.join("")}`);
}
