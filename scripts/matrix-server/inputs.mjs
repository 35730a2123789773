// Generates a file of each type by ffmpeg, by the engine, by heif-enc, or here: videos of one second at 160 × 120 with a tone,
// images of 64 × 48.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runEngine } from "./engine.mjs";

const run = promisify(execFile);

/** Width and height of the pictures, and of the films. */
export const PICTURE = [64, 48];
export const FILM = [160, 120];

/** Pages of the document, and their size in points. */
export const PAGES = 2;
export const PAGE = [144, 108];

const AAC = ["-c:a", "aac"];
const H264 = ["-c:v", "libx264", "-preset", "veryfast", ...AAC];
const MPEG2 = ["-c:v", "mpeg2video", "-b:v", "600k"];

/** What ffmpeg is told to write each type: codecs and container. */
const FILMS = {
  "video/mp4": [...H264, "-f", "mp4"],
  "video/webm": ["-c:v", "libvpx", "-c:a", "libvorbis", "-f", "webm"],
  "video/x-msvideo": ["-c:v", "mpeg4", "-c:a", "libmp3lame", "-f", "avi"],
  "video/quicktime": [...H264, "-f", "mov"],
  "video/x-ms-wmv": ["-c:v", "wmv2", "-c:a", "wmav2", "-f", "asf"],
  "video/x-flv": ["-c:v", "flv1", "-c:a", "libmp3lame", "-ar", "44100", "-f", "flv"],
  "video/x-matroska": [...H264, "-f", "matroska"],
  "video/3gpp": ["-c:v", "mpeg4", ...AAC, "-f", "3gp"],
  "video/mpeg": [...MPEG2, "-c:a", "mp2", "-f", "mpeg"],
  "video/ogg": ["-c:v", "libtheora", "-c:a", "libvorbis", "-f", "ogg"],
  "video/mp2t": [...H264, "-f", "mpegts"],
  "video/x-m4v": [...H264, "-f", "ipod"],
  "video/dvd": [...MPEG2, "-c:a", "ac3", "-f", "dvd"],
  "video/x-f4v": [...H264, "-f", "f4v"],
};

const SOUNDS = {
  "audio/mpeg": ["-c:a", "libmp3lame", "-f", "mp3"],
  "audio/wav": ["-c:a", "pcm_s16le", "-f", "wav"],
  "audio/aac": [...AAC, "-f", "adts"],
  "audio/ogg": ["-c:a", "libvorbis", "-f", "ogg"],
  "audio/opus": ["-c:a", "libopus", "-f", "opus"],
  "audio/flac": ["-c:a", "flac", "-f", "flac"],
  "audio/mp4": [...AAC, "-f", "ipod"],
  "audio/x-ms-wma": ["-c:a", "wmav2", "-f", "asf"],
};

/** These move, since they become videos. */
const ANIMATIONS = {
  "image/webp": ["-c:v", "libwebp_anim", "-f", "webp"],
  "image/gif": ["-f", "gif"],
};

const PICTURES = [
  ..."image/png image/jpeg image/webp image/gif image/bmp image/tiff image/x-icon image/avif".split(" "),
  ..."image/x-portable-anymap image/x-tga image/vnd.ms-dds image/vnd.radiance image/x-exr".split(" "),
  ..."image/x-farbfeld image/qoi image/svg+xml image/heic".split(" "),
];

/** The types, in the order of the interface; HEIC is an addition. */
export const TYPES = [...PICTURES, ...Object.keys(FILMS), ...Object.keys(SOUNDS), "application/pdf"];

/** Writes a file of a type; its path. */
export async function makeInput(type, folder) {
  const path = join(folder, `input-${type.replace(/\W/g, "-")}`);
  const moving = ["-f", "lavfi", "-i", `testsrc=d=1:s=${FILM.join("x")}:r=25`];
  const tone = ["-f", "lavfi", "-i", "sine=d=1:r=44100"];
  const small = ["-f", "lavfi", "-i", `testsrc=d=1:s=${PICTURE.join("x")}:r=8`, "-loop", "0"];
  if (FILMS[type]) await ffmpeg([...moving, ...tone, "-pix_fmt", "yuv420p", ...FILMS[type]], path);
  else if (SOUNDS[type]) await ffmpeg([...tone, "-ac", "2", ...SOUNDS[type]], path);
  else if (ANIMATIONS[type]) await ffmpeg([...small, ...ANIMATIONS[type]], path);
  else if (type === "application/pdf") await writeFile(path, document());
  else if (type === "image/svg+xml") await writeFile(path, drawing());
  else if (type === "image/heic") await run("heif-enc", [await makeInput("image/png", folder), "-o", path]);
  else if (type === "image/x-portable-anymap") await writeFile(path, pnm());
  else await runEngine(pnm(), "image/x-portable-anymap", type, path);
  return path;
}

async function ffmpeg(options, path) {
  await run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...options, path]);
}

/** Colors that run across, with a fine pattern. */
function pnm() {
  const [width, height] = PICTURE;
  const pixel = (x, y) => [(x * 255) / width, (y * 255) / height, (x * 7) ^ (y * 13)];
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => pixel(x, y)));
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), Buffer.from(rows.flat(2))]);
}

function drawing() {
  const [width, height] = PICTURE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="#3070c0"/><circle cx="32" cy="24" r="16" fill="white"/></svg>`;
}

/** A PDF of pages with a rectangle each. */
function document() {
  const pages = Array.from({ length: PAGES }, (_, page) => 3 + 2 * page);
  const content = `0.2 0.4 0.8 rg 20 20 ${PAGE[0] - 40} ${PAGE[1] - 40} re f`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${PAGES} /Kids [${pages.map((id) => `${id} 0 R`).join(" ")}] >>`,
    ...pages.flatMap((id) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.join(" ")}] /Contents ${id + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  let pdf = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return `${pdf}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`;
}
