// The server part of the demo: generates a video, an audio file and a PDF, converts them by the server, and checks
// the results with other tools.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { program, startService } from "./service.mjs";
import { grouped, saved } from "./table.mjs";

const run = promisify(execFile);

/** Six seconds of a moving pattern with a tone, as a camera would leave them: large. */
const FILM = [
  ...["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25:duration=6"],
  ...["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=6"],
  ...["-c:v", "mpeg4", "-q:v", "2", "-c:a", "pcm_s16le", "-f", "mov"],
];
const SOUND = ["-f", "lavfi", "-i", "anoisesrc=color=brown:sample_rate=48000:duration=10", "-c:a", "pcm_s16le", "-f", "wav"];

/** A page of lines and a gradient, its samples not compressed: what an export from a drawing program looks like. */
const PAGE = `%!PS
<< /PageSize [595 842] >> setpagedevice
/Times-Roman findfont 12 scalefont setfont
0 1 40 { dup 18 mul 60 add 60 exch moveto (Line ) show 10 string cvs show ( of a page that was made for this demo.) show } for
/row 0 def
/line { /row row 1 add def 1800 string 0 1 1799 { 1 index exch dup row mul 251 mod put } for } def
gsave 300 60 translate 240 240 scale
600 600 8 [600 0 0 -600 0 600] { line } false 3 colorimage
grestore showpage
`;

/** Sends each through the server. Resolves to `{ rows, tools }`: rows for the demo's table, and what the server found to work with. */
export async function convertByService(note) {
  const folder = await mkdtemp(join(tmpdir(), "filepress-demo-"));
  const service = await startService();
  try {
    const jobs = [
      { name: "film.mov", make: (path) => ffmpeg(FILM, path), from: "video/quicktime", to: "video/mp4", settings: { crf: 28 } },
      { name: "film.mov", from: "video/quicktime", to: "image/gif", settings: { fps: 10, resize: { max_width: 320 } } },
      { name: "sound.wav", make: (path) => ffmpeg(SOUND, path), from: "audio/wav", to: "audio/opus", settings: { bitrate: 64_000 } },
      { name: "page.pdf", make: pdf, from: "application/pdf" },
    ];
    const rows = [];
    for (const { name, make, from, to, settings } of jobs) {
      note(`service: ${name}`);
      const path = join(folder, name);
      await make?.(path);
      rows.push(await convertOne(service.client, { name, input: await readFile(path), from, to, settings }, folder));
    }
    const { stdout } = await run(program, ["check", "--data", service.data]);
    // What can be converted into what follows after an empty line.
    return { rows, tools: stdout.split("\n\n")[0] };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function convertOne(client, { name, input, from, to = from, settings }, folder) {
  const started = performance.now();
  const file = await client.upload(input, from);
  const format = to === from ? undefined : { input: from, output: to };
  const { id } = await client.createTask(file, { format, settings });
  const document = await client.wait(id);
  const { status, processing_metadata: facts } = document.data.attributes;
  if (status !== "COMPLETED") throw new Error(`${name}: ${facts.error?.code}: ${facts.error?.detail}`);
  const output = await client.download(document);
  const ms = performance.now() - started;
  if (output.length >= input.length) throw new Error(`${name}: ${output.length} bytes are not fewer than ${input.length}`);
  const path = join(folder, "output");
  await writeFile(path, output);
  const size = await measure(path, to);
  const cells = [name, `${short(from)} → ${short(to)}`, settings ? describe(settings) : "optimize", size];
  const figures = [grouped(input.length), grouped(output.length), saved(input.length, output.length), grouped(ms)];
  return { before: input.length, after: output.length, ms, row: [...cells, ...figures] };
}

const ffmpeg = (args, path) => run("ffmpeg", ["-v", "error", "-y", ...args, path]);

async function pdf(path) {
  const source = `${path}.ps`;
  await writeFile(source, PAGE);
  const raw = ["-dAutoFilterColorImages=false", "-dEncodeColorImages=false", "-dCompressPages=false"];
  await run("gs", ["-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", ...raw, `-sOutputFile=${path}`, source]);
}

/** Reads the output with a tool that had no part in making it, or only in another role. */
async function measure(path, type) {
  if (type === "application/pdf") {
    const { stdout } = await run("pdfinfo", [path]);
    return `${/^Pages:\s+(\d+)$/m.exec(stdout)[1]} page`;
  }
  const { stdout } = await run("ffprobe", ["-v", "error", "-of", "json", "-show_streams", "-show_format", path]);
  const { streams, format } = JSON.parse(stdout);
  const picture = streams.find(({ codec_type }) => codec_type === "video");
  return picture ? `${picture.width} × ${picture.height}` : `${Number(format.duration).toFixed(1)} s`;
}

const short = (type) => type.slice(type.indexOf("/") + 1).replace(/^x-/, "");
const describe = (settings) =>
  Object.entries(settings)
    .map(([name, value]) => (typeof value === "object" ? describe(value) : `${name} ${value}`))
    .join(", ");
