// The command line of the installed package: commands, options, output, exit codes.
import { strict as assert } from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { api, consumer, files, folderOf, photo, png, compressed, program, run } from "./support/cli.mjs";

test("help names every option, and the version is the package's", async () => {
  const { status, stdout } = run(consumer.folder, ["--help"]);
  const { readCommand } = await import(pathToFileURL(join(consumer.installed, "bin/arguments.js")));
  assert.deepEqual(stdout.toString().split("\n").filter((line) => line.length > 80), [], "a line fits 80 columns");
  const flags = [...stdout.toString().matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
  assert.equal(status, 0);
  assert.ok(new Set(flags).size >= 25, `${flags}`);
  for (const flag of flags) {
    const attempts = [[flag, "x"], [flag, "--server=https://example.com", "x"], [flag, "1", "x"], [flag, "a=1", "x"], [flag, "0,0,9,9", "x"], [flag, "1", "--overlay=logo.png", "x"]];
    assert.ok(attempts.some((args) => succeeds(() => readCommand(args, () => ({})))), flag);
  }
  assert.throws(() => readCommand(["--unknown", "x"]), /--unknown/);
  assert.equal(run(consumer.folder, ["--version"]).lines[0], consumer.manifest.version);
});

test("a command may stand behind options, and a file behind -- is none", async () => {
  const { readCommand } = await import(pathToFileURL(join(consumer.installed, "bin/arguments.js")));
  assert.deepEqual(run(consumer.folder, ["--json", "formats"]), run(consumer.folder, ["formats", "--json"]));
  assert.deepEqual(readCommand(["--json", "inspect", "a", "inspect"]), { name: "inspect", inputs: ["a", "inspect"], json: true });
  for (const args of [["--", "inspect"], ["./inspect"], ["a", "inspect"], ["--out", "formats", "a"]]) {
    assert.equal(readCommand(args).name, "compress", args.join(" "));
  }
  assert.throws(() => readCommand(["--quality", "5", "inspect", "a"]), /--quality/);
});

function succeeds(work) {
  try {
    return work() !== undefined;
  } catch {
    return false;
  }
}

test("a file goes beside its input: under the new type's extension, else with .min", async () => {
  const folder = folderOf({ "a photo.jpg": photo });
  const changed = run(folder, ["a photo.jpg", "--to", "webp", "--max-width", "80"]);
  assert.deepEqual([changed.status, changed.stderr, changed.lines.length], [0, "", 1]);
  assert.match(changed.lines[0], /^a photo\.jpg → a photo\.webp {2}[\d.]+ kB → [\d.]+ k?B, −[\d.]+ %$/);
  assert.equal(run(folder, ["a photo.jpg"]).status, 0);
  assert.deepEqual(files(folder), ["a photo.jpg", "a photo.min.jpg", "a photo.webp"]);
  assert.deepEqual(readFileSync(join(folder, "a photo.webp")), await compressed(photo, { to: "webp", resize: { maxWidth: 80 } }));
  assert.deepEqual(readFileSync(join(folder, "a photo.min.jpg")), await compressed(photo));
  assert.deepEqual(readFileSync(join(folder, "a photo.jpg")), photo);
});

test("each option means what it means in the package", async () => {
  const cases = [
    [["-q", "40"], { quality: 40 }],
    [["--quality", "auto", "--min-score", "60"], { quality: "auto", minScore: 60 }],
    [["--target-size", "3kB"], { targetSize: 3000 }],
    [["--target-size", "2.5KiB"], { targetSize: 2560 }],
    [["-t", "image/webp", "--lossless"], { to: "webp", lossless: true }],
    [["--effort", "0"], { effort: 0 }],
    [["--to", "png", "--colors", "12", "--dither", "0.25"], { to: "png", colors: 12, dither: 0.25 }],
    [["--chroma", "444", "-q", "30"], { chroma: "444", quality: 30 }],
    [["--width", "60", "--height", "60", "--fit", "cover"], { resize: { width: 60, height: 60, fit: "cover" } }],
    [["--width", "30", "--height", "60", "--fit", "cover", "--position", "top left"], { resize: { width: 30, height: 60, fit: "cover", position: "top left" } }],
    [["--width", "30", "--height", "60", "--fit", "cover", "--position", "attention"], { resize: { width: 30, height: 60, fit: "cover", position: "attention" } }],
    [["--width", "30", "--height", "60", "--fit", "contain", "--background", "#369"], { resize: { width: 30, height: 60, fit: "contain" }, background: "#369" }],
    [["--crop", "5,6,70,40", "--rotate", "90", "--flip", "vertical"], { crop: { x: 5, y: 6, width: 70, height: 40 }, rotate: 90, flip: "vertical" }],
    [["--crop", "10%,0%,50%,100%"], { crop: { x: "10%", y: "0%", width: "50%", height: "100%" } }],
    [["--max-height", "30"], { resize: { maxHeight: 30 } }],
    [["--hdr", "keep"], { hdr: "keep" }],
    [["--metadata", "keep", "--animation", "first", "--background", "#123"], { metadata: "keep", animation: "first", background: "#123" }],
  ];
  const folder = folderOf({ "photo.jpg": photo });
  for (const [args, options] of cases) {
    const { status, stderr } = run(folder, ["photo.jpg", "--out", "made", "--force", ...args]);
    assert.deepEqual([status, stderr], [0, ""], args.join(" "));
    assert.deepEqual(readFileSync(join(folder, "made")), await compressed(photo, options), args.join(" "));
  }
});

test("--overlay lays the image of a file over each result", async () => {
  const folder = folderOf({ "one.jpg": photo, "two.png": png, "logo.png": png, "words.png": "words" });
  const flags = ["--overlay", "logo.png", "--overlay-position", "bottom right", "--overlay-opacity", "0.5", "--overlay-margin", "2%", "--overlay-width", "20%"];
  const overlay = { image: png, position: "bottom right", opacity: 0.5, margin: "2%", width: "20%" };
  const { status, stderr } = run(folder, ["one.jpg", "two.png", "--out", "out", "--to", "webp", ...flags]);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.deepEqual(readFileSync(join(folder, "out/one.webp")), await compressed(photo, { to: "webp", overlay }));
  assert.deepEqual(readFileSync(join(folder, "out/two.webp")), await compressed(png, { to: "webp", overlay }));
  const wide = run(folder, ["one.jpg", "--out", "out", "--widths", "60", "--to", "png,webp", "--overlay", "logo.png", "--overlay-width", "30"]);
  assert.deepEqual([wide.status, wide.stderr], [0, ""]);
  assert.deepEqual(readFileSync(join(folder, "out/one-60.png")), await compressed(photo, { to: "png", resize: { width: 60 }, overlay: { image: png, width: 30 } }));
  for (const [args, message] of [
    [["--overlay", "gone.png"], /--overlay gone\.png: no such file or directory/],
    [["--overlay", "words.png"], /--overlay words\.png: /],
    [["--overlay", "logo.png", "--overlay-opacity", "2"], /--overlay-opacity must be a number from 0 to 1/],
    [["--overlay", "logo.png", "--overlay-width", "wide"], /--overlay-width must be a number of pixels, or a percentage/],
    [["--overlay-opacity", "0.5"], /--overlay-opacity needs --overlay/],
  ]) {
    const failed = run(folder, ["one.jpg", "--out", "none/", ...args]);
    assert.equal(failed.status, 2, args.join(" "));
    assert.match(failed.stderr, message);
  }
  assert.ok(!files(folder).some((name) => name.startsWith("none")));
});

test("the name of --out says the type where --to does not", async () => {
  const folder = folderOf({ "photo.jpg": photo });
  assert.equal(run(folder, ["photo.jpg", "-o", "new/small.png"]).status, 0);
  assert.deepEqual(readFileSync(join(folder, "new/small.png")), await compressed(photo, { to: "png" }));
});

test("a file that fails is told, the others are done, and the exit code is 1", () => {
  const folder = folderOf({ "a/one.jpg": photo, "b/one.jpg": photo, "broken.png": png.subarray(0, 300), "film.mp4": "\0\0\0\x18ftypisom\0\0\0\0isommp42" });
  const inputs = ["a/one.jpg", "broken.png", "film.mp4", "gone.jpg", "b/one.jpg"];
  const { status, stderr, lines } = run(folder, [...inputs, "--out", "out", "--concurrency", "1"]);
  assert.equal(status, 1);
  assert.match(lines.at(-1), /^1 of 5 files/);
  assert.deepEqual(files(join(folder, "out")), ["one.jpg"]);
  for (const line of [/broken\.png: .+ \(corrupt\)/, /film\.mp4: .+ --server\. \(needs_service\)/, /gone\.jpg: no such file or directory \(ENOENT\)/, /b\/one\.jpg: out.one\.jpg is the result of a.one\.jpg; .* \(output_exists\)/]) {
    assert.match(stderr, line);
  }
});

test("--json gives a document a line, failures among them, and nothing else", () => {
  const folder = folderOf({ "one.jpg": photo, "words.jpg": "words" });
  const { status, stderr, lines } = run(folder, ["one.jpg", "words.jpg", "--json", "--max-width", "50"]);
  assert.deepEqual([status, stderr], [1, ""]);
  const documents = lines.map((line) => JSON.parse(line)).sort((one, other) => (one.input < other.input ? -1 : 1));
  const [{ outputSize, ...done }, { input, error }] = documents;
  assert.equal(outputSize, statSync(join(folder, "one.min.jpg")).size);
  assert.deepEqual(done, {
    input: "one.jpg",
    output: "one.min.jpg",
    type: "image/jpeg",
    width: 50,
    height: 33,
    quality: 80,
    inputType: "image/jpeg",
    inputSize: photo.length,
    engine: "local",
    keptOriginal: false,
    warnings: [],
  });
  assert.deepEqual([input, error.name, error.code, error.retryable], ["words.jpg", "InputError", "unsupported_type", false]);
});

test("standard input becomes standard output, with nothing else on it", async () => {
  const folder = folderOf({ "photo.jpg": photo });
  const through = run(folder, ["-", "--to", "webp"], photo);
  const expected = await compressed(photo, { to: "webp" });
  assert.deepEqual([through.status, through.stdout], [0, expected]);
  assert.deepEqual(run(folder, ["photo.jpg", "--out", "-", "--to", "webp", "--quiet"]).stdout, expected);
  const beside = run(folder, ["photo.jpg", "-", "--to", "webp"], photo);
  assert.deepEqual([beside.status, beside.stdout], [0, expected]);
  assert.deepEqual(readFileSync(join(folder, "photo.webp")), expected);
  assert.equal(run(folder, ["-", "--out", "made.webp"], photo).status, 0);
  assert.deepEqual(readFileSync(join(folder, "made.webp")), expected);
});

test("a wrong command line exits with 2 and does nothing", () => {
  const folder = folderOf({ "photo.jpg": photo, "empty/notes.txt": "words" });
  const wrong = [
    [], ["--to"], ["photo.jpg", "--frobnicate"], ["photo.jpg", "--quality", "much"], ["photo.jpg", "--quality", "500"], ["photo.jpg", "--to", "docx"],
    ["photo.jpg", "--target-size", "3 parsecs"], ["photo.jpg", "--concurrency", "0"], ["photo.jpg", "--set", "crf"], ["photo.jpg", "photo.jpg", "-o", "-"],
    ["empty", "-o", "-"], [".", "-o", "-"], ["*.jpg", "-o", "-"], ["-", "--to", "avif,webp"], ["-", "--widths", "8,16"], ["photo.jpg", "-", "--to", "avif,webp"],
    ["-", "--html"], ["photo.jpg", "--html", "-o", "-"], ["photo.jpg", "--watch", "-o", "-"],
    ["photo.jpg", "--engine", "remote"], ["-", "-"], [""], ["photo.jpg", "--out", "q.gif", "--to", "webp"], ["photo.jpg", "photo2.jpg", "--out", "r.webp"],
    ["photo.jpg", "--out", "photo.jpg", "--effort", "99"], ["photo.jpg", "--font", "gone.ttf"], ["inspect"], ["formats", "photo.jpg"],
  ];
  for (const args of wrong) {
    const { status, stdout, stderr } = run(folder, args, "");
    assert.deepEqual([status, stdout.length], [2, 0], `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, /^filepress: .+\nTry: filepress --help\n$/);
  }
  assert.deepEqual(files(folder), ["empty/notes.txt", "photo.jpg"]);
});

test("what is wrong is told in the words of the command line", () => {
  const folder = folderOf({ "photo.jpg": photo, "photo.webp": "mine", "words.jpg": "words" });
  const cases = [
    [["photo.jpg", "--target-size", "9"], 1, /: raise --target-size, .+ leave out the profile with --metadata strip\. \(target_unreachable\)/],
    [["photo.jpg", "--lossless", "--width", "9"], 1, /leave out --lossless,/],
    [["words.jpg"], 1, /`filepress formats` lists the formats that can/],
    [["photo.jpg", "--to", "webp", "--quality", "500"], 2, /^filepress: --quality must be a whole number/],
    [["photo.jpg", "--to", "png", "--colors", "1"], 2, /^filepress: --colors must be a whole number from 2 to 256/],
    [["photo.jpg", "--to", "png", "--dither", "2"], 2, /^filepress: --dither must be a number from 0 to 1/],
    [["photo.jpg", "--to", "png", "--chroma", "422"], 2, /^filepress: --chroma must be "auto", "444" or "420", not "422"/],
    [["photo.jpg", "--to", "webp", "--chroma", "444"], 2, /^filepress: --chroma has no meaning for WebP; leave it out/],
    [["photo.jpg", "--max-width", "0"], 2, /^filepress: --max-width must be/],
    [["photo.jpg", "--target-size", "0"], 2, /^filepress: --target-size must be/],
    [["photo.jpg", "--server", "ftp://example.com"], 2, /^filepress: --server /],
    [["photo.jpg", "--only-if-smaller", "--server", "https://files.example.com"], 2, /^filepress: --only-if-smaller and --server can't be combined/],
    [["photo.jpg", "--font", "gone.ttf"], 2, /^filepress: --font gone\.ttf: no such file or directory\n/],
    [["photo.jpg", "--frobnicate"], 2, /^filepress: unknown option --frobnicate; a file whose name begins with a dash goes after --\n/],
    [["photo.jpg", "--to", "mp4"], 1, /it can be converted to (?:\w+, )+\w+\. \(unsupported_pair\)/],
    [["photo.jpg", "--out", "photo.webp/x.jpg"], 1, /^filepress: photo\.webp\/x\.jpg: photo\.webp is not a folder \(ENOTDIR\)\n$/],
    [["photo.jpg", "--out", "photo.webp/in/x.jpg"], 1, /^filepress: photo\.webp\/in\/x\.jpg: not a directory \(ENOTDIR\)\n$/],
    [["-", "--json"], 2, /^filepress: --json and the output can't both go to standard output\n/],
    [["photo.jpg", "-", "--json"], 2, /^filepress: --json and the output can't both go to standard output\n/],
    [["inspect", "gone.jpg"], 1, /^filepress: gone\.jpg: no such file or directory \(ENOENT\)\n$/],
  ];
  for (const [args, code, expected] of cases) {
    const { status, stderr } = run(folder, args);
    assert.equal(status, code, `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, expected);
  }
  const { status, lines } = run(folder, ["photo.jpg", "--json", "--quality", "500"]);
  assert.deepEqual([status, JSON.parse(lines[0]).error.name], [2, "UsageError"]);
  assert.equal(run(folder, ["help"]).lines[0], run(folder, ["--help"]).lines[0]);
});

test("SIGINT exits with 130 and leaves whole files alone", async () => {
  const folder = folderOf(Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`in/${index}.jpg`, photo])));
  const child = spawn(program, ["in", "--out", "out", "--to", "webp"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.once("data", () => child.kill("SIGINT"));
  const [code, signal] = await new Promise((resolve) => child.once("close", (...ended) => resolve(ended)));
  assert.deepEqual([code, signal], [130, null]);
  const made = files(join(folder, "out"));
  const expected = await compressed(photo, { to: "webp" });
  assert.ok(made.length > 0 && made.length < 150, `${made.length} files`);
  for (const name of made) assert.ok(readFileSync(join(folder, "out", name)).equals(expected), name);
});

test("it ends as other programs do, without a word, when nobody reads what it writes any more", async () => {
  const folder = folderOf({ "photo.jpg": photo, "words.jpg": "words" });
  const cases = { stdout: [["photo.jpg", "--out", "-"], ["photo.jpg"], ["--help"]], stderr: [["words.jpg"]] };
  for (const [left, args] of Object.entries(cases).flatMap(([left, lines]) => lines.map((args) => [left, args]))) {
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    child[left].destroy();
    const other = left === "stdout" ? child.stderr : child.stdout;
    const [code, told] = await Promise.all([new Promise((resolve) => child.once("close", resolve)), text(other)]);
    assert.deepEqual([code, told], [141, ""], `${left}: ${args.join(" ")}`);
  }
});

test("a terminal sees how far the work is, and other readers do not", () => {
  const folder = folderOf({ "photo.jpg": photo });
  const seen = execFileSync("script", ["-qec", `"${program}" photo.jpg`, "/dev/null"], { cwd: folder, encoding: "utf8" });
  assert.match(seen, /\r\x1b\[2K +\d+ % {2}0\/1 {2}(load|decode|encode|done) \d+ % {2}photo\.jpg/);
  assert.match(seen, /\r\x1b\[2Kphoto\.jpg → photo\.min\.jpg .*%\r\n$/);
});

test("inspect and formats tell what the package tells", async () => {
  const folder = folderOf({ "photo.jpg": photo, "words.jpg": "words" });
  const told = run(folder, ["inspect", "photo.jpg", "--json"]);
  assert.deepEqual(JSON.parse(told.lines[0]), { input: "photo.jpg", ...(await api.inspect(photo)) });
  assert.match(run(folder, ["inspect", "photo.jpg"]).lines[0], /^photo\.jpg: image\/jpeg, 160 × 104, 8 bits, ycbcr, quality about 92$/);
  assert.equal(run(folder, ["inspect", "words.jpg"]).status, 1);
  const { lines } = run(folder, ["formats", "--json"]);
  assert.deepEqual(lines.map((line) => JSON.parse(line)), await api.formats());
  assert.match(run(folder, ["formats"]).stdout.toString(), /^image\/webp +\S.* read, write +webp$/m);
});
