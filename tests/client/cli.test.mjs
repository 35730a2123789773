// The command line with a live service: video, audio and PDF are converted there, and results are complete files.
import { strict as assert } from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { startService } from "../../scripts/service.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { sample } from "../package/support/samples.mjs";
import { conversion, pdf } from "./support/documents.mjs";
import { answer, openScripted } from "./support/scripted-service.mjs";

const service = await startService();
after(service.stop);
const { folder } = createConsumer();
const program = join(folder, "node_modules", ".bin", "filepress");
const photo = Buffer.from(await sample("baseline.jpg"));
const ffmpeg = (...args) => execFileSync("ffmpeg", ["-v", "error", "-y", ...args], { cwd: folder });
const noise = ["-f", "lavfi", "-i", "anoisesrc=duration=3:sample_rate=44100"];

ffmpeg("-f", "lavfi", "-i", "testsrc2=duration=2:rate=15:size=320x240", ...noise, "-crf", "5", "-c:a", "aac", "film.mp4");
ffmpeg(...noise, "sound.wav");
writeFileSync(join(folder, "photo.jpg"), photo);

function run(args, key = service.key) {
  const env = { ...process.env, FILEPRESS_API_KEY: key };
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"]) child[stream].setEncoding("utf8").on("data", (text) => (said[stream] += text));
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, ...said })));
}

const probe = (name, ...entries) =>
  execFileSync("ffprobe", ["-v", "error", "-show_entries", entries.join(":"), "-of", "csv=p=0", name], { cwd: folder, encoding: "utf8" });

test("a film, a sound and a photo in one call, each where it can be done", async () => {
  const inputs = ["film.mp4", "sound.wav", "photo.jpg"];
  const { status, stdout, stderr } = await run([...inputs, "--out", "small", "--json", "--max-width", "160", "--server", service.url]);
  assert.equal(status, 0, stdout + stderr);
  const documents = stdout.trim().split("\n").map((line) => JSON.parse(line));
  const engines = Object.fromEntries(documents.map(({ input, engine }) => [input, engine]));
  assert.deepEqual(engines, { "film.mp4": "remote", "sound.wav": "remote", "photo.jpg": "local" });
  for (const { output, outputSize } of documents) assert.equal(readFileSync(join(folder, output)).length, outputSize, output);
  assert.match(probe("small/film.mp4", "stream=width"), /160/);
  for (const phase of ["upload", "process", "download"]) assert.match(stderr, new RegExp(`^film\\.mp4: ${phase}$`, "m"));
});

test("settings of the task and another type", async () => {
  const { status, stdout, stderr } = await run(["film.mp4", "--to", "mp3", "--set", "bitrate=64000", "--server", service.url]);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^film\.mp4 → film\.mp3 /);
  assert.match(probe("film.mp3", "stream=codec_name,bit_rate"), /mp3,64000/);
});

test("an image goes to the server where it is told to, and comes back the same", async () => {
  const { status, stderr } = await run(["photo.jpg", "-o", "far.webp", "--engine", "remote", "--server", service.url]);
  assert.equal(status, 0, stderr);
  assert.equal((await run(["photo.jpg", "-o", "near.webp"])).status, 0);
  assert.deepEqual(readFileSync(join(folder, "far.webp")), readFileSync(join(folder, "near.webp")));
});

test("a key that is refused and a setting that is unknown are told, without the key", async () => {
  const cases = [
    [["--server", service.url], "wrong-key", /\(unauthorized\)/],
    [["--server", service.url, "--set", "frobnicate=1"], service.key, /\(unknown_setting\)/],
  ];
  for (const [args, key, expected] of cases) {
    const { status, stdout, stderr } = await run(["sound.wav", "-o", "refused.wav", ...args], key);
    assert.equal(status, 1, stderr);
    assert.match(stderr, expected);
    assert.ok(!(stdout + stderr).includes(key));
  }
  assert.equal((await run(["sound.wav", "--server", "ftp://example.com"])).status, 2);
  assert.ok(!readdirSync(folder).some((name) => name.startsWith("refused") || name.endsWith(".part")));
});

test("neither names of files nor words of a service move the terminal's cursor", async (context) => {
  const scripted = await openScripted();
  context.after(scripted.close);
  const moving = "x\u001b[2J\u009b2J\u202ey\nz";
  const harmless = "x\ufffd[2J\ufffd2J\ufffdy\ufffdz";
  const name = `${moving}.pdf`;
  writeFileSync(join(folder, name), Buffer.from(await pdf().arrayBuffer()));
  const format = { input: "application/pdf", output: "application/pdf" };
  const attributes = { format, processing_metadata: { warnings: [{ code: moving, message: moving }] } };
  const refused = answer(400, { errors: [{ code: moving, detail: moving }] });

  scripted.script(...conversion(scripted.url, attributes), refused);
  const made = await run([name, "--server", scripted.url]);
  assert.deepEqual([made.status, made.stdout.split("  ")[0]], [0, `${harmless}.pdf → x_[2J\ufffd2J_y_z.min.pdf`], made.stderr);
  assert.ok(made.stderr.endsWith(`\nwarning: ${harmless}.pdf: ${harmless.slice(0, -2)} z (${harmless})\n`), made.stderr);
  const failed = await run([name, "--force", "--server", scripted.url]);
  assert.deepEqual([failed.status, failed.stderr.endsWith(` (${harmless.slice(0, -2)} z)\n`)], [1, true], failed.stderr);
  const inspected = await run(["inspect", name]);
  assert.equal(inspected.stderr.split(": ")[1], `${harmless}.pdf`);
  const seen = [made, failed, inspected, await run([`--${moving}`])];
  for (const { stdout, stderr } of seen) assert.doesNotMatch((stdout + stderr).replaceAll("\n", ""), /[\p{Cc}\u202e]/u);

  scripted.script(...conversion(scripted.url, attributes));
  const { stdout } = await run([name, "--json", "--force", "--server", scripted.url]);
  assert.doesNotMatch(stdout.trimEnd(), /[\p{Cc}\u202e]/u);
  assert.equal(JSON.parse(stdout).input, name, "a program finds the file");
});
