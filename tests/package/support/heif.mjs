// HEIF files of HEVC pictures: heif-enc codes them, and containers around them are written here.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";

/** The HEIC file that heif-enc makes of a PNG. */
export function encodeHeic(png, ...settings) {
  return inFolder((folder) => {
    const [source, target] = [join(folder, "source.png"), join(folder, "target.heic")];
    writeFileSync(source, png);
    execFileSync("heif-enc", [...settings, "-o", target, source], { stdio: "pipe" });
    return readFileSync(target);
  });
}

/** What libheif decodes: sharp's image of it, with the profile that the file has. */
export function decodeByLibheif(heic) {
  return inFolder((folder) => {
    const [source, target] = [join(folder, "source.heic"), join(folder, "target.png")];
    writeFileSync(source, heic);
    execFileSync("heif-convert", [source, target], { stdio: "pipe" });
    return sharp(readFileSync(target));
  });
}

/** The coded picture in a file of heif-enc with nothing else in it: its decoder configuration, and its data. */
export function codedPicture(heic) {
  const body = (type) => {
    const at = heic.indexOf(type, 0, "latin1");
    return heic.subarray(at + 4, at - 4 + heic.readUInt32BE(at - 4));
  };
  return { configuration: body("hvcC"), data: body("mdat") };
}

const u8 = (...values) => Buffer.from(values);
const u16 = (value) => u8(value >> 8, value & 255);
const u32 = (...values) => Buffer.concat(values.map((value) => u8((value >>> 24) & 255, (value >> 16) & 255, (value >> 8) & 255, value & 255)));
const box = (type, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, "latin1"), body]);
};
const fullBox = (type, version, ...parts) => box(type, u8(version, 0, 0, 0), ...parts);
/** Of the items, only the primary picture is not hidden. */
const itemBox = (index, type) => box("infe", u8(2, 0, 0, index > 0 ? 1 : 0), u16(index + 1), u16(0), Buffer.from(type), u8(0));

export const property = {
  size: (width, height) => fullBox("ispe", 0, u32(width, height)),
  configuration: (bytes) => box("hvcC", bytes),
  turned: (turns) => box("irot", u8(turns)),
  mirrored: (axis) => box("imir", u8(axis)),
  cropped: (...fractions) => box("clap", u32(...fractions.flat())),
  profile: (bytes) => box("colr", Buffer.from("prof"), bytes),
};

/** The data of a grid. */
export const gridOf = ({ rows, columns, width, height }) => Buffer.concat([u8(0, 0, rows - 1, columns - 1), u16(width), u16(height)]);

/**
 * A HEIF file. Items are `{ type, data, properties, inMeta }`; the first is the primary picture. `references` are
 * `[type, from, [to, …]]` by indices of items. With `inMeta` the data stand in the box `idat`.
 */
export function heifOf(items, references = []) {
  const properties = [...new Set(items.flatMap((item) => item.properties))];
  const inMeta = items.filter((item) => item.inMeta);
  const outside = items.filter((item) => !item.inMeta);
  const startsOf = (some, from) => {
    let at = from;
    return new Map(some.map((item) => [item, (at += item.data.length) - item.data.length]));
  };
  const meta = (from) => {
    const starts = new Map([...startsOf(inMeta, 0), ...startsOf(outside, from)]);
    const place = (item, index) => Buffer.concat([u16(index + 1), u16(item.inMeta ? 1 : 0), u16(0), u16(1), u32(starts.get(item), item.data.length)]);
    const associations = items.map((item, index) => Buffer.concat([u16(index + 1), u8(item.properties.length, ...item.properties.map((each) => properties.indexOf(each) + 1))]));
    return fullBox(
      "meta",
      0,
      fullBox("hdlr", 0, u32(0), Buffer.from("pict"), u32(0, 0, 0), u8(0)),
      fullBox("pitm", 0, u16(1)),
      fullBox("iinf", 0, u16(items.length), ...items.map(({ type }, index) => itemBox(index, type))),
      fullBox("iloc", 1, u8(0x44, 0), u16(items.length), ...items.map(place)),
      box("iprp", box("ipco", ...properties), fullBox("ipma", 0, u32(items.length), ...associations)),
      fullBox("iref", 0, ...references.map(([type, from, to]) => box(type, u16(from + 1), u16(to.length), ...to.map((index) => u16(index + 1))))),
      box("idat", ...inMeta.map(({ data }) => data)),
    );
  };
  const brands = box("ftyp", Buffer.from("heic\0\0\0\0mif1heic", "latin1"));
  const start = brands.length + meta(0).length + 8;
  return Buffer.concat([brands, meta(start), box("mdat", ...outside.map(({ data }) => data))]);
}

/** A file whose 40 pictures have 65,535 extents each, of no bytes. */
export const withEndlessExtents = () =>
  Buffer.concat([
    box("ftyp", Buffer.from("heic\0\0\0\0mif1heic", "latin1")),
    fullBox(
      "meta",
      0,
      fullBox("hdlr", 0, u32(0), Buffer.from("pict"), u32(0, 0, 0), u8(0)),
      fullBox("pitm", 0, u16(1)),
      fullBox("iinf", 0, u16(1), itemBox(0, "hvc1")),
      fullBox("iloc", 0, u16(0), u16(40), ...Array.from({ length: 40 }, (_, index) => Buffer.concat([u16(index + 1), u16(0), u16(65_535)]))),
      box("iprp", box("ipco"), fullBox("ipma", 0, u32(0))),
    ),
  ]);

function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "filepress-heif-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
