// OpenEXR, Radiance HDR, DDS and floating-point TIFF, read and written by ImageMagick (Debian's, which has its own
// OpenEXR library).
//
// OpenEXR and Radiance HDR contain linear light. ImageMagick gets it as plain numbers without color management; the
// sRGB curve (IEC 61966-2-1) is applied here. Colors in OpenEXR are premultiplied by alpha.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { paint } from "../pictures.mjs";
import { curve, uncurve } from "./light.mjs";

const CONVERT = "/usr/bin/convert";
/** BT.709, which the colors of sRGB are: ImageMagick writes into an HDR what it was told. */
const PRIMARIES = ["-red-primary", "0.64,0.33", "-green-primary", "0.3,0.6", "-blue-primary", "0.15,0.06", "-white-point", "0.3127,0.329"];
const AS_LIGHT = ["-set", "colorspace", "RGB"];
/** `D3DFMT_A16B16G16R16`, in place of a code of four characters. */
const A16B16G16R16 = 36;
const DEEP = ["-depth", "16", "-endian", "LSB"];

/** Writes OpenEXR of 16-bit floats; `compression` as ImageMagick names it. */
export async function writeExr(picture, compression = "none") {
  const light = lightOf(picture, (value, alpha) => value * alpha);
  return run([...plain(picture), ...AS_LIGHT, "-compress", compression, "exr:-"], light);
}

/** Writes Radiance HDR with run-length coding; alpha has no place in it. */
export async function writeHdr(picture) {
  return run([...plain(picture), ...AS_LIGHT, "-set", "gamma", "1", ...PRIMARIES, "-alpha", "off", "hdr:-"], lightOf(picture));
}

/** Writes DDS without mipmaps; `compression` is none, dxt1 or dxt5. Its alpha goes with `alpha: false`. */
export async function writeDds({ width, height, data }, { compression = "none", alpha = true } = {}) {
  const channels = alpha ? [] : ["-alpha", "off"];
  const settings = ["-define", `dds:compression=${compression}`, "-define", "dds:mipmaps=0"];
  return run(["-size", `${width}x${height}`, "-depth", "8", "rgba:-", ...channels, ...settings, "dds:-"], Buffer.from(data));
}

/** Writes TIFF of 32-bit floats, which are what a screen shows, 0 to 1. */
export async function writeFloatTiff({ width, height, data }) {
  const settings = ["-alpha", "off", "-depth", "32", "-define", "quantum:format=floating-point", "-compress", "zip"];
  return run(["-size", `${width}x${height}`, "-depth", "8", "rgba:-", ...settings, "tiff:-"], Buffer.from(data));
}

export const exr = { read: (file) => readLight(file, "exr", (value, alpha) => (alpha > 0 ? value / alpha : 0)) };
export const hdr = { read: (file) => readLight(file, "hdr", (value) => value) };
export const dds = {
  async read(file) {
    if (file.readUInt32LE(84) === A16B16G16R16) return readDeep(file);
    const { data, ...size } = await samplesOf(file, "dds", ["-depth", "8"]);
    return { ...size, data: new Uint8Array(data) };
  },
};

/** 16 bits a channel, which ImageMagick does not read: the upper half of each. */
function readDeep(file) {
  const [height, width] = [12, 16].map((at) => file.readUInt32LE(at));
  assert.equal(file.length, 128 + width * height * 8);
  return paint(width, height, (x, y) => [0, 1, 2, 3].map((channel) => file[128 + (y * width + x) * 8 + channel * 2 + 1]));
}

/** What the file holds as light, made what a screen shows. */
async function readLight(file, format, straight) {
  const { data: raw, ...size } = await samplesOf(file, format, ["-set", "colorspace", "sRGB", ...DEEP]);
  const values = Float64Array.from({ length: raw.length / 2 }, (_, index) => raw.readUInt16LE(index * 2) / 65535);
  const data = Uint8ClampedArray.from(values, (value, index) => {
    const alpha = values[index | 3];
    return 255 * ((index & 3) === 3 ? alpha : curve(straight(value, alpha)));
  });
  return { ...size, data: new Uint8Array(data.buffer) };
}

/** { width, height, data } of the first picture, data being RGBA in the depth that `settings` ask for. */
async function samplesOf(file, format, settings) {
  const output = await run([`${format}:-[0]`, "-alpha", "on", ...settings, "-format", "%w %h\n", "-write", "info:-", "rgba:-"], file);
  const end = output.indexOf("\n");
  const [width, height] = output.toString("latin1", 0, end).split(" ").map(Number);
  return { width, height, data: output.subarray(end + 1) };
}

/** The arguments that say what `lightOf` gives. */
const plain = ({ width, height }) => ["-size", `${width}x${height}`, ...DEEP, "rgba:-"];

/** 16 bits a channel, in proportion to light. */
function lightOf({ data }, settle = (value) => value) {
  const light = Buffer.alloc(data.length * 2);
  data.forEach((value, index) => {
    const alpha = data[index | 3] / 255;
    const share = (index & 3) === 3 ? alpha : settle(uncurve(value / 255), alpha);
    light.writeUInt16LE(Math.round(share * 65535), index * 2);
  });
  return light;
}

/** Runs ImageMagick on `input`; a warning is a failure too. */
async function run(args, input) {
  const child = spawn(CONVERT, args, { stdio: "pipe" });
  const collect = async (stream) => Buffer.concat(await stream.toArray());
  const closed = new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  // It may end before it has read everything, and then says why.
  child.stdin.on("error", () => {}).end(input);
  const [status, output, words] = await Promise.all([closed, collect(child.stdout), collect(child.stderr)]);
  assert.ok(status === 0 && words.length === 0, `convert ${args.join(" ")} ended with ${status}: ${words}`);
  return output;
}
