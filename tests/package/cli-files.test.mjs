// The files of the command line: which files folders, patterns and names select, and where results are written.
import { strict as assert } from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { api, consumer, files, folderOf, photo, png, compressed, program, run } from "./support/cli.mjs";

test("nothing is written over without --force, and its permissions stay with it", async () => {
  const folder = folderOf({ "photo.jpg": photo, "photo.webp": "mine" });
  chmodSync(join(folder, "photo.jpg"), 0o600);
  for (const args of [["--to", "webp"], ["--out", "photo.jpg"], ["--out", "."], ["--out", "photo.webp"]]) {
    const { status, stderr } = run(folder, ["photo.jpg", ...args]);
    assert.equal(status, 1, args.join(" "));
    assert.match(stderr, /exists; use --force to overwrite it, or --skip-existing \(output_exists\)/);
  }
  assert.deepEqual([readFileSync(join(folder, "photo.jpg")), readFileSync(join(folder, "photo.webp"), "utf8")], [photo, "mine"]);
  assert.equal(run(folder, ["photo.jpg", "--out", ".", "--force"]).status, 0);
  assert.deepEqual(readFileSync(join(folder, "photo.jpg")), await compressed(photo));
  assert.equal(statSync(join(folder, "photo.jpg")).mode & 0o777, 0o600);
  assert.deepEqual(files(folder), ["photo.jpg", "photo.webp"]);
});

const tree = { "in/one.jpg": photo, "in/deep/er/two.JPG": photo, "in/three.png": png, "in/.hidden.jpg": photo, "in/notes.txt": "words" };

test("a folder is walked, and its structure is kept", () => {
  const folder = folderOf({ ...tree, "in/old.min.jpg": photo });
  const { status, lines } = run(folder, ["in", "--out", "in/small", "--to", "webp"]);
  assert.equal(status, 0);
  assert.match(lines.at(-1), /^3 of 3 files {2}/);
  assert.deepEqual(files(join(folder, "in/small")), ["deep/er/two.webp", "one.webp", "three.webp"]);
  const again = run(folder, ["in", "--out", "in/small", "--to", "webp", "--force"]);
  assert.match(again.lines.at(-1), /^3 of 3 files/, "what was made is taken as an input");
});

test("patterns are expanded where the shell did not", async () => {
  const cases = {
    "in/**/*.{jpg,JPG}": ["deep/er/two.webp", "one.webp"],
    "in/*.jp?": ["one.webp"],
    "in/[!o]*.png": ["three.webp"],
    "**/t*.*": ["in/deep/er/two.webp", "in/three.webp"],
    "in/.h*": [".hidden.webp"],
  };
  for (const [pattern, expected] of Object.entries(cases)) {
    const folder = folderOf(tree);
    assert.equal(run(folder, [pattern, "--out", "out", "--to", "webp", "--max-width", "20"]).status, 0, pattern);
    assert.deepEqual(files(join(folder, "out")), expected, pattern);
  }
  const folder = folderOf({ "a[1].jpg": photo });
  assert.equal(run(folder, ["a[1].jpg"]).status, 0);
  assert.deepEqual(files(folder), ["a[1].jpg", "a[1].min.jpg"]);
  const { status, stderr } = run(folder, ["*.tiff"]);
  assert.deepEqual([status, stderr], [1, "filepress: *.tiff: no file matches (no_match)\n"]);
  const { glob } = await import(pathToFileURL(join(consumer.installed, "bin/glob.js")));
  const { base, paths } = await glob(`${folderOf(tree)}\\in\\**\\*.JpG`, { windows: true });
  assert.deepEqual([base.endsWith("/in"), paths.map((path) => path.split("/in/")[1])], [true, ["deep/er/two.JPG", "one.jpg"]]);
});

test("a pattern leaves out the results of earlier runs, unless it names them", () => {
  const folder = folderOf({ "in/one.jpg": photo, "in/one.min.jpg": photo, "in/out/one.jpg": photo, "in/outer/two.jpg": photo });
  const listed = (...args) => run(folder, [...args, "--dry-run", "--json"]).lines.map((line) => JSON.parse(line)).map(({ input, error }) => error?.code ?? input);
  assert.deepEqual(listed("in/**/*.jpg", "--out", "in/out", "--to", "webp"), ["in/one.jpg", "in/outer/two.jpg"]);
  assert.deepEqual(listed("in/*.jpg", "--to", "webp"), ["in/one.jpg"]);
  assert.deepEqual(listed("in/*.min.jpg", "--to", "webp"), ["in/one.min.jpg"]);
  assert.deepEqual(listed("in/*.{min.jpg,gif}", "--to", "webp"), ["in/one.min.jpg"]);
  assert.deepEqual(listed("in/out/*.jpg", "--out", "in", "--to", "webp"), ["in/out/one.jpg"]);
  assert.deepEqual(listed("in/out/*.jpg", "--out", "in/out", "--force"), ["in/out/one.jpg"]);
});

test("a pattern in the root of a drive has that root as its folder", async () => {
  const { glob } = await import(pathToFileURL(join(consumer.installed, "bin/glob.js")));
  const cases = { "C:\\*.none": "C:/", "c:/*.none": "c:/", "C:\\none\\*.none": "C:/none", "\\*.none": "/", "none\\*.none": "none", "*.none": "." };
  for (const [pattern, base] of Object.entries(cases)) assert.deepEqual(await glob(pattern, { windows: true }), { base, paths: [] }, pattern);
  assert.deepEqual(await glob("C:/*.none", { windows: false }), { base: "C:", paths: [] });
});

test("a file that is named in several ways is one input", () => {
  const folder = folderOf({ "in/photo.jpg": photo });
  const { status, stderr, lines } = run(folder, ["in/photo.jpg", "./in/photo.jpg", join(folder, "in/photo.jpg"), "in", "i*/*.jpg"]);
  assert.deepEqual([status, stderr, lines.length], [0, "", 1]);
  assert.deepEqual(files(folder), ["in/photo.jpg", "in/photo.min.jpg"]);
});

/** A line of bash, for its redirections; what it starts is `$filepress`. */
function shell(cwd, line) {
  const env = { ...process.env, filepress: program };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", line], { cwd, env, timeout: 60_000 });
  return { status, stdout, stderr: stderr.toString() };
}

test("a pipe is read as standard input is, and nothing is written beside it", async () => {
  const folder = folderOf({ "photo.jpg": photo });
  const [made, expected] = [(name) => readFileSync(join(folder, name)), await compressed(photo, { to: "webp" })];
  for (const name of ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]) {
    assert.deepEqual(shell(folder, `"$filepress" ${name} --to webp --quiet < photo.jpg`), { status: 0, stdout: expected, stderr: "" });
  }
  execFileSync("mkfifo", [join(folder, "pipe.jpg")]);
  const named = "pipe.jpg --to webp --out c/ & cat photo.jpg > pipe.jpg; wait $!";
  for (const line of ["<(cat photo.jpg) --out a.webp", "/dev/fd/3 --out b.webp 3< photo.jpg", named]) {
    assert.deepEqual(shell(folder, `"$filepress" --quiet ${line}`), { status: 0, stdout: Buffer.of(), stderr: "" });
  }
  for (const name of ["a.webp", "b.webp", "c/pipe.webp"]) assert.deepEqual(made(name), expected, name);
  for (const line of ["<(cat photo.jpg)", "/dev/fd/3 3< photo.jpg", "pipe.jpg"]) {
    const { status, stderr } = shell(folder, `"$filepress" ${line}`);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^filepress: \S+: a result cannot be written beside a pipe; use --out \(no_output\)\n$/);
  }
  assert.match(shell(folder, `"$filepress" inspect <(cat photo.jpg)`).stdout.toString(), /: image\/jpeg, 160 × 104/);
  // Whoever names many files does not mean those that wait for a writer.
  for (const line of [". --out d", "'pipe.*' --out d", "/dev/null"]) {
    const { status, stderr } = shell(folder, `"$filepress" ${line}`);
    assert.deepEqual([status, /not a file, folder or pipe \(no_file\)/.test(stderr)], [1, true], stderr);
  }
});

test("unsupported files of a folder are counted, and an empty folder is a pattern without a match", () => {
  const folder = folderOf({ "in/photo.jpg": photo, "in/film.mp4": "x", "in/film.pdf": "x", "in/a.txt": "x", "none/x.min.jpg": photo });
  const { status, stderr } = run(folder, ["in"]);
  assert.equal(status, 0);
  assert.match(stderr, /^warning: skipped 2 that need a server: --server\nwarning: skipped 1 of unsupported formats\n$/);
  const none = run(folder, ["none", "--json"]);
  assert.deepEqual([none.status, JSON.parse(none.lines[0]).error.code], [1, "no_match"]);
});

test("a pattern finds extensions of either case", () => {
  const folder = folderOf({ "ONE.JPG": photo, "two.png": png });
  assert.match(run(folder, ["*.{jpg,png}", "--out", "out"]).lines.at(-1), /^2 of 2 files/);
});

test("--force writes over nothing but the file that is named", async () => {
  const folder = folderOf({ "z.png": png, "z.webp": Buffer.from(await (await api.convert(photo, "webp")).bytes()), "x:y.png": png, "x_y.png": photo });
  const kept = readFileSync(join(folder, "z.webp"));
  const { status, stderr } = run(folder, ["-f", "-t", "webp", "--concurrency", "1", "z.png", "z.webp"]);
  assert.equal(status, 1);
  assert.match(stderr, /z\.webp is another input of this run/);
  assert.deepEqual(readFileSync(join(folder, "z.webp")), kept);
  assert.equal(run(folder, ["-f", "x:y.png"]).status, 0);
  assert.deepEqual(readFileSync(join(folder, "x_y.png")), photo);
  assert.ok(files(folder).includes("x_y.min.png"), `${files(folder)}`);
  const pipe = join(folder, "pipe.png");
  execFileSync("mkfifo", [pipe]);
  const refused = run(folder, ["-f", "z.png", "-o", "pipe.png"]);
  assert.equal(refused.status, 1);
  assert.ok(statSync(pipe).isFIFO());
});

test("a folder that cannot be read is told, and the files beside it are done", () => {
  const folder = folderOf({ "in/photo.jpg": photo, "in/z/other.jpg": photo });
  // Permissions hold nobody who tests as root; a path that is longer than the system takes holds everybody.
  const deep = join(...Array(10).fill("long".repeat(60)));
  for (const place of ["in", "further"]) mkdirSync(join(folder, place, deep), { recursive: true });
  renameSync(join(folder, "further"), join(folder, "in", deep, "further"));
  try {
    const { status, stderr, lines } = run(folder, ["in", "--to", "webp"]);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^filepress: in\/(?:long)+[^\n]*\/further\/(?:long|\/)+: name too long \(ENAMETOOLONG\)\n$/);
    assert.match(lines.at(-1), /^2 of 3 files/);
    assert.equal(run(folder, ["inspect", "in", "--json"]).status, 1);
  } finally {
    execFileSync("rm", ["-rf", join(folder, "in")]);
  }
});

test("patterns that take for ever, or are none, are refused", () => {
  const folder = folderOf({ ["a".repeat(200)]: photo });
  for (const pattern of ["*a*a*a*a*a*b", "q[z-a].png"]) {
    const { status, stderr } = run(folder, [pattern]);
    assert.equal(status, 2, stderr);
    assert.doesNotMatch(stderr, /at .*\.js/);
  }
});

test("however many ** a pattern has, each folder is read once for each of its parts at most", async () => {
  const depth = 14;
  const folder = folderOf({ [`${"d/".repeat(depth)}a.jpg`]: photo });
  const { glob } = await import(pathToFileURL(join(consumer.installed, "bin/glob.js")));
  for (const pattern of ["**/**/**/**/**/**/*.jpg", "**/*/**/d/**/*/**/*/**/*.jpg", "**/**/**/**/**/**"]) {
    const readings = await foldersRead(() => glob(join(folder, pattern)));
    assert.ok(readings <= (pattern.split("/").length + 1) * (depth + 1), `${readings} for ${pattern}`);
  }
  const { paths } = await glob(join(folder, "**/**"));
  assert.deepEqual(paths, [join(folder, "d/".repeat(depth), "a.jpg")]);
});

/** How many times a folder is read while `work` runs. */
async function foldersRead(work) {
  const { readdir } = promises;
  let readings = 0;
  const replaceBy = (own) => {
    promises.readdir = own;
    syncBuiltinESMExports();
  };
  replaceBy((...args) => {
    readings += 1;
    return readdir(...args);
  });
  try {
    await work();
  } finally {
    replaceBy(readdir);
  }
  return readings;
}
