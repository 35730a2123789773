// Reads a result with a program other than the one that wrote it, and compares it with the input.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { inspect } from "./engine.mjs";
import { FILM, PAGE, PAGES, PICTURE } from "./inputs.mjs";

const run = promisify(execFile);

/** What ffprobe calls the container of each type. */
const CONTAINERS = {
  "video/webm": "matroska,webm",
  "video/x-msvideo": "avi",
  "video/x-ms-wmv": "asf",
  "video/x-flv": "flv",
  "video/x-matroska": "matroska,webm",
  "video/mpeg": "mpeg",
  "video/ogg": "ogg",
  "video/mp2t": "mpegts",
  "video/dvd": "mpeg",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/aac": "aac",
  "audio/ogg": "ogg",
  "audio/opus": "ogg",
  "audio/flac": "flac",
  "audio/x-ms-wma": "asf",
};

/** MPEG-4 and its kin are told apart by their brand. */
const BRANDS = {
  "video/mp4": /^isom/,
  "video/quicktime": /^qt/,
  "video/3gpp": /^3gp/,
  "video/x-m4v": /^M4V/,
  "video/x-f4v": /^f4v/,
  "audio/mp4": /^M4A/,
};

/** Formats whose duration is estimated from their rate, or that end with a whole packet. */
const ROUGH = new Set(["video/mpeg", "video/dvd", "audio/aac", "audio/mpeg"]);
/** Points to an inch, and the pixels to an inch that a page becomes. */
const POINTS = 72;
const DPI = 150;
/** The longest side of an icon. */
const ICON = 256;

/** Throws where the file is not what `from` should have become as `to`. */
export async function check(path, from, to) {
  if (to === "application/pdf") return checkDocument(path, from);
  if (to.startsWith("image/")) return checkImage(path, from, to);
  return checkStream(path, from, to);
}

async function checkDocument(path, from) {
  const { stdout } = await run("pdfinfo", [path]);
  const pages = Number(/^Pages:\s+(\d+)/m.exec(stdout)?.[1]);
  same("pages", pages, from === "application/pdf" ? PAGES : 1);
  const size = /^Page size:\s+([\d.]+) x ([\d.]+)/m.exec(stdout)?.slice(1).map(Number);
  near("points", size, from === "application/pdf" ? PAGE : PICTURE.map((side) => (side * POINTS) / DPI), 0.1);
}

async function checkImage(path, from, to) {
  const { size, frames } = await inspect(path, to);
  const painted = PAGE.map((side) => (side * DPI) / POINTS);
  const whole = from === "application/pdf" ? painted : from.startsWith("video/") ? FILM : PICTURE;
  const shrunk = to === "image/x-icon" ? Math.min(1, ICON / Math.max(...whole)) : 1;
  near("pixels", size, whole.map((side) => side * shrunk), from === "application/pdf" ? 1 : 0);
  const moves = ["image/gif", "image/webp"];
  const moving = moves.includes(to) && (from.startsWith("video/") || moves.includes(from));
  if (moving !== frames > 1 && to !== "image/x-icon") throw new Error(`it has ${frames} pictures`);
}

async function checkStream(path, from, to) {
  const entries = "format=format_name,duration:format_tags=major_brand:stream=codec_type,width,height";
  const { stdout } = await run("ffprobe", ["-v", "error", "-of", "json", "-show_entries", entries, path]);
  const { format, streams } = JSON.parse(stdout);
  if (BRANDS[to] && !BRANDS[to].test(format.tags?.major_brand)) throw new Error(`brand ${format.tags?.major_brand}`);
  if (CONTAINERS[to]) same("container", format.format_name, CONTAINERS[to]);
  const video = streams.filter(({ codec_type: type }) => type === "video");
  const audio = streams.filter(({ codec_type: type }) => type === "audio");
  same("pictures", video.length, to.startsWith("video/") ? 1 : 0);
  same("sounds", audio.length, from.startsWith("image/") ? 0 : 1);
  if (video.length > 0) near("pixels", [video[0].width, video[0].height], from.startsWith("image/") ? PICTURE : FILM, 0);
  near("seconds", [Number(format.duration)], [1], ROUGH.has(to) || ROUGH.has(from) ? 0.6 : 0.25);
  // A file that only looks like one does not decode.
  const { stderr } = await run("ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-f", "null", "-"]);
  if (/Invalid|Error|corrupt/.test(stderr)) throw new Error(`it does not decode: ${(await readFile(path)).length} bytes`);
}

function same(what, is, should) {
  if (is !== should) throw new Error(`${what}: ${is}, should be ${should}`);
}

function near(what, is, should, off) {
  const fits = is?.length === should.length && is.every((value, index) => Math.abs(value - should[index]) <= off);
  if (!fits) throw new Error(`${what}: ${is?.join(" × ")}, should be ${should.join(" × ")}`);
}
