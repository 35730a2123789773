// Video, sound and PDF for the page's tests, made anew by ffmpeg and Ghostscript, and what ffprobe finds in a result.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "filepress-page-"));
const source = (graph) => ["-f", "lavfi", "-i", graph];
const PICTURE = source("testsrc2=size=960x540:rate=10:duration=2");

/** Deletes what was made on the way. */
export const close = () => rm(folder, { recursive: true });

/** A film with sound in a codec of its own: browsers that play it are few. */
export const film = () =>
  made("film.mov", "video/quicktime", [
    ...PICTURE,
    ...source("sine=duration=2"),
    ..."-c:v mpeg4 -q:v 2 -c:a pcm_s16le".split(" "),
  ]);

/** A film that every browser plays. */
export const webFilm = (name) => made(name, "video/webm", [...PICTURE, ..."-c:v libvpx -b:v 2M".split(" ")]);

export const sound = () => made("sound.wav", "audio/wav", [...source("anoisesrc=color=brown:duration=2"), "-c:a", "pcm_s16le"]);

/** A PDF of two pages, each with its number. */
export async function pdf(name) {
  const pages = [1, 2].map(
    (page) => `/Times-Roman findfont 60 scalefont setfont 80 ${page * 200} moveto (Page ${page}) show showpage`,
  );
  const [script, path] = ["pages.ps", name].map((file) => join(folder, file));
  await writeFile(script, `%!PS\n<< /PageSize [300 500] >> setpagedevice\n${pages.join("\n")}\n`);
  const flags = ["-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-dCompressPages=false"];
  await run("gs", [...flags, `-sOutputFile=${path}`, script]);
  return { name, mimeType: "application/pdf", buffer: await readFile(path) };
}

/** A file that ffmpeg makes of `args`. */
async function made(name, mimeType, args) {
  await run("ffmpeg", ["-v", "error", "-y", ...args, join(folder, name)]);
  return { name, mimeType, buffer: await readFile(join(folder, name)) };
}

/** What ffprobe finds: { format, kinds, height }. */
export async function probed(bytes) {
  const path = join(folder, "probed");
  await writeFile(path, bytes);
  const { stdout } = await run("ffprobe", ["-v", "error", "-of", "json", "-show_streams", "-show_format", path]);
  const { streams, format } = JSON.parse(stdout);
  return {
    format: format.format_name,
    kinds: streams.map(({ codec_type }) => codec_type),
    height: streams.find(({ height }) => height)?.height,
  };
}
