// A video, an audio file, a document and a HEIC that can be made smaller, and what other tools read of the results.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const FILM = ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=4", "-f", "lavfi", "-i", "sine=duration=4"];
const PAGES = `%!PS
<< /PageSize [595 842] >> setpagedevice
/Times-Roman findfont 12 scalefont setfont
1 1 3 { /page exch def 0 1 40 { dup 18 mul 60 add 60 exch moveto (Line ) show 10 string cvs show ( of a page.) show } for showpage } for
`;

/** Makes them in `folder`: a Map from name to bytes. */
export async function makeMedia(folder) {
  const at = (name) => join(folder, name);
  const ffmpeg = (args, name) => run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args, at(name)]);
  await ffmpeg([...FILM, "-c:v", "libx264", "-preset", "ultrafast", "-qp", "8", "-pix_fmt", "yuv420p", "-c:a", "aac"], "film.mp4");
  await ffmpeg(["-f", "lavfi", "-i", "anoisesrc=color=brown:sample_rate=44100:duration=4", "-ac", "2"], "sound.wav");
  await writeFile(at("pages.ps"), PAGES);
  await run("gs", ["-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-dCompressPages=false", `-sOutputFile=${at("pages.pdf")}`, at("pages.ps")]);
  await ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=320x208", "-frames:v", "1"], "still.png");
  await run("heif-enc", ["-q", "95", at("still.png"), "-o", at("photo.heic")]);
  const names = ["film.mp4", "sound.wav", "pages.pdf", "photo.heic"];
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(at(name))])));
}

/** What ffprobe says of bytes: { streams: their codecs, seconds, size: [width, height] }. */
export async function probe(bytes, folder) {
  const path = join(folder, "probed");
  await writeFile(path, bytes);
  const { stdout } = await run("ffprobe", ["-v", "error", "-of", "json", "-show_streams", "-show_format", path]);
  const { streams, format } = JSON.parse(stdout);
  const picture = streams.find(({ codec_type: type }) => type === "video");
  const { stderr } = await run("ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-f", "null", "-"]);
  if (stderr) throw new Error(`it does not decode: ${stderr}`);
  return { streams: streams.map(({ codec_name: name }) => name), seconds: Number(format.duration), size: picture && [picture.width, picture.height] };
}

/** The number of pages that pdfinfo finds. */
export async function pages(bytes, folder) {
  const path = join(folder, "probed.pdf");
  await writeFile(path, bytes);
  const { stdout } = await run("pdfinfo", [path]);
  return Number(/^Pages:\s+(\d+)/m.exec(stdout)[1]);
}
