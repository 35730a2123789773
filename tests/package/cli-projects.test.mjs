// The command line in a project: ignored files, existing results, several results per file, configuration, and
// --watch.
import { strict as assert } from "node:assert";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { test } from "node:test";
import { api, consumer, files, folderOf, photo, png, compressed, program, run } from "./support/cli.mjs";
import { encodeJxl } from "./support/formats/jxl.mjs";

const jxl = encodeJxl(png);
const { width } = await api.inspect(photo);

test("node_modules and what .gitignore names are left out of folders", () => {
  const tree = {
    ".git/HEAD": "",
    ".gitignore": "/dist/\n*.tmp.jpg\n!keep.tmp.jpg\n",
    "photo.jpg": photo,
    "a.tmp.jpg": photo,
    "keep.tmp.jpg": photo,
    "dist/photo.jpg": photo,
    "node_modules/pack/photo.jpg": photo,
    "site/.gitignore": "old*\n",
    "site/old.jpg": photo,
    "site/dist/photo.jpg": photo,
  };
  const listed = (folder, args) => run(folder, [...args, "--dry-run", "--to", "webp", "--json"]).lines.map((line) => JSON.parse(line).input).sort();
  const folder = folderOf(tree);
  assert.deepEqual(listed(folder, ["."]), ["keep.tmp.jpg", "photo.jpg", "site/dist/photo.jpg"]);
  assert.deepEqual(listed(folder, ["site"]), ["site/dist/photo.jpg"], "rules of the folders above apply");
  assert.deepEqual(listed(folder, ["node_modules", "a.tmp.jpg"]), ["a.tmp.jpg", "node_modules/pack/photo.jpg"], "what is named is not ignored");
  assert.equal(listed(folder, [".", "--no-ignore"]).length, 7);
});

test("--skip-existing skips inputs with a result, and a second run writes nothing", async () => {
  const folder = folderOf({ "photo.jpg": photo, "in/other.png": png });
  assert.equal(run(folder, [".", "--skip-existing"]).status, 0);
  const made = files(folder);
  assert.deepEqual(made, ["in/other.min.png", "in/other.png", "photo.jpg", "photo.min.jpg"]);
  const before = made.map((name) => statSync(join(folder, name)).mtimeMs);
  const { status, lines, stderr } = run(folder, [".", "--skip-existing"]);
  assert.deepEqual([status, lines, stderr], [0, ["0 of 2 files, 2 skipped"], ""]);
  assert.deepEqual(files(folder).map((name) => statSync(join(folder, name)).mtimeMs), before);
  const documents = run(folder, [".", "--skip-existing", "--json"]).lines.map((line) => JSON.parse(line));
  assert.deepEqual(documents.map(({ skipped }) => skipped), ["exists", "exists"]);
});

test("--newer makes a result again when its input has changed", async () => {
  const folder = folderOf({ "photo.jpg": photo });
  const make = () => run(folder, ["photo.jpg", "--to", "webp", "--newer", "--json"]).lines.map((line) => JSON.parse(line).skipped);
  assert.deepEqual(make(), [undefined]);
  assert.deepEqual(make(), ["newer"]);
  const later = new Date(Date.now() + 5000);
  utimesSync(join(folder, "photo.jpg"), later, later);
  assert.deepEqual(make(), [undefined]);
});

test("--in-place replaces a file only by one that is at least 1 % smaller", async () => {
  const folder = folderOf({ "photo.jpg": photo });
  chmodSync(join(folder, "photo.jpg"), 0o640);
  const first = run(folder, ["photo.jpg", "--in-place", "--quality", "40"]);
  assert.equal(first.status, 0, first.stderr);
  const made = readFileSync(join(folder, "photo.jpg"));
  assert.deepEqual(made, await compressed(photo, { quality: 40 }));
  assert.equal(statSync(join(folder, "photo.jpg")).mode & 0o777, 0o640);
  const second = run(folder, ["photo.jpg", "--in-place", "--quality", "100"]);
  assert.deepEqual([second.status, second.lines], [0, ["photo.jpg: skipped, the result would not be at least 1 % smaller"]]);
  assert.deepEqual(readFileSync(join(folder, "photo.jpg")), made);
  assert.deepEqual(files(folder), ["photo.jpg"]);
  for (const flag of [["--out", "x"], ["--to", "webp"], ["--widths", "20"], ["--watch"]]) {
    assert.equal(run(folder, ["photo.jpg", "--in-place", ...flag]).status, 2, `${flag}`);
  }
});

test("--in-place writes no other format into a file", async () => {
  const folder = folderOf({ "in/a.jxl": jxl, "in/photo.jpg": photo });
  const options = { quality: 40 };
  const { type, outputSize } = await api.compress(jxl, options);
  assert.ok(type !== "image/jxl" && outputSize < jxl.length * 0.99, "its size alone does not keep the file");
  const { status, lines } = run(folder, ["in", "--in-place", "--quality", "40", "--json"]);
  const skipped = lines.map((line) => JSON.parse(line)).filter((line) => line.skipped);
  assert.deepEqual([status, skipped], [0, [{ input: "in/a.jxl", output: "in/a.jxl", skipped: "other_format" }]]);
  assert.deepEqual(readFileSync(join(folder, "in/a.jxl")), jxl);
  assert.deepEqual(readFileSync(join(folder, "in/photo.jpg")), await compressed(photo, options));
  assert.deepEqual(run(folder, ["in/a.jxl", "--in-place", "--quality", "40"]).lines, ["in/a.jxl: skipped, the result would have another format"]);
});

test("several formats and widths make several results of each file", async () => {
  const folder = folderOf({ "photo.jpg": photo });
  const { status, lines } = run(folder, ["photo.jpg", "--to", "webp", "--to", "png", "--widths", "16,24", "--out", "set/"]);
  assert.equal(status, 0);
  assert.match(lines.at(-1), /^4 of 4 files/);
  assert.deepEqual(files(join(folder, "set")), ["photo-16.png", "photo-16.webp", "photo-24.png", "photo-24.webp"]);
  const expected = await compressed(photo, { to: "webp", resize: { maxWidth: 24 } });
  assert.deepEqual(readFileSync(join(folder, "set/photo-24.webp")), expected);
  const again = run(folder, ["photo.jpg", "--to", "webp", "--to", "png", "--widths", "16,24", "--out", "set/", "--skip-existing"]);
  assert.deepEqual([again.status, again.lines.at(-1)], [0, "0 of 4 files, 4 skipped"]);
});

test("a width above that of the picture makes one result of the picture's own", () => {
  const folder = folderOf({ "photo.jpg": photo });
  const { status, lines } = run(folder, ["photo.jpg", "--to", "webp", "--widths", `16,${width + 1},${width + 2}`]);
  assert.deepEqual([status, lines.at(-1).startsWith("2 of 3 files, 1 skipped")], [0, true]);
  assert.deepEqual(files(folder), ["photo-16.webp", `photo-${width}.webp`, "photo.jpg"]);
});

test("--name is a template of names", () => {
  const folder = folderOf({ "in/photo.jpg": photo });
  assert.equal(run(folder, ["in", "--out", "out", "--to", "webp", "--max-width", "20", "--name", "{ext}/{name}@{width}x{height}.{ext}"]).status, 0);
  assert.equal(files(join(folder, "out")).length, 1);
  assert.match(files(join(folder, "out"))[0], /^webp\/photo@20x\d+\.webp$/);
  for (const name of ["../{name}.{ext}", "/tmp/{name}", "{title}.{ext}", ""]) {
    const { status, stderr } = run(folder, ["in", "--name", name]);
    assert.deepEqual([status, stderr.split("\n")[0]], [2, `filepress: --name must be a file name with {name}, {ext}, {width}, {height}, not ${name}`]);
  }
});

test("--dry-run writes nothing and tells what would be written", () => {
  const folder = folderOf({ "photo.jpg": photo, "one.jpg": photo, "one.webp": "mine" });
  const { status, lines, stderr } = run(folder, ["photo.jpg", "one.jpg", "--to", "webp", "--dry-run"]);
  assert.deepEqual([status, lines], [1, ["photo.jpg → photo.webp", "1 of 2 files would be written"]]);
  assert.match(stderr, /^filepress: one\.jpg: one\.webp exists/);
  assert.deepEqual(files(folder), ["one.jpg", "one.webp", "photo.jpg"]);
});

test("--config gives options, and the command line takes precedence", async () => {
  const config = { inputs: ["photo.jpg"], to: ["webp"], widths: [16], quality: 40, "skip-existing": true };
  const folder = folderOf({ "photo.jpg": photo, "filepress.json": JSON.stringify(config), "wrong.json": '{ "qualty": 3 }', "text.json": "words" });
  assert.equal(run(folder, ["--config", "filepress.json"]).status, 0);
  assert.deepEqual(readFileSync(join(folder, "photo-16.webp")), await compressed(photo, { to: "webp", quality: 40, resize: { maxWidth: 16 } }));
  assert.equal(run(folder, ["--config", "filepress.json", "--to", "png", "--widths", "20"]).status, 0);
  assert.ok(files(folder).includes("photo-20.png"), "a list of the command line replaces that of the file");
  const cases = {
    "wrong.json": 'the configuration file has the unknown member "qualty"; did you mean "quality"?',
    "gone.json": "--config gone.json: no such file or directory",
    "text.json": /--config text\.json is not valid JSON: /,
  };
  for (const [file, expected] of Object.entries(cases)) {
    const { status, stderr } = run(folder, ["photo.jpg", "--config", file]);
    assert.equal(status, 2, file);
    if (expected instanceof RegExp) assert.match(stderr, expected);
    else assert.equal(stderr.split("\n")[0], `filepress: ${expected}`);
  }
});

test("a configuration file whose members have wrong types is refused", () => {
  const folder = folderOf({ "photo.jpg": photo });
  const cases = {
    '{ "lossless": "true" }': '"lossless" of the configuration file must be true or false',
    '{ "set": null }': '"set" of the configuration file must be an object',
    '{ "set": ["crf=3"] }': '"set" of the configuration file must be an object',
    '{ "quality": null }': '"quality" of the configuration file must be text or a number',
    '{ "to": [["webp"]] }': '"to" of the configuration file must be text or a number',
    '{ "out": ["a", "b"] }': '"out" of the configuration file must be one value',
    '{ "inputs": [1, null] }': '"inputs" of the configuration file must be a list of files and folders',
    '{ "inputs": { "a": 1 } }': '"inputs" of the configuration file must be a list of files and folders',
    '{ "__proto__": { "quality": 3 } }': 'the configuration file has the unknown member "__proto__"',
    '{ "quality": 1e999 }': "--quality must be a number, not Infinity",
  };
  for (const [text, expected] of Object.entries(cases)) {
    writeFileSync(join(folder, "filepress.json"), text);
    const { status, stderr } = run(folder, [...(text.includes("inputs") ? [] : ["photo.jpg"]), "--config", "filepress.json"]);
    assert.deepEqual([status, stderr.split("\n")[0].endsWith(expected)], [2, true], `${text}: ${stderr}`);
  }
  assert.deepEqual(files(folder), ["filepress.json", "photo.jpg"]);
});

test("--in-place leaves links in folders alone", () => {
  const folder = folderOf({ "elsewhere.jpg": photo, "in/own.jpg": photo });
  symlinkSync("../elsewhere.jpg", join(folder, "in/link.jpg"));
  const { status, lines } = run(folder, ["in", "--in-place", "--quality", "40", "--json"]);
  assert.equal(status, 0);
  const skipped = lines.map((line) => JSON.parse(line)).filter((line) => line.skipped);
  assert.deepEqual(skipped, [{ input: "in/link.jpg", output: "in/link.jpg", skipped: "link" }]);
  assert.deepEqual(readFileSync(join(folder, "elsewhere.jpg")), photo);
  assert.equal(run(folder, ["in/link.jpg", "--in-place", "--quality", "40"]).status, 0);
  assert.ok(readFileSync(join(folder, "elsewhere.jpg")).length < photo.length, "what is named is replaced");
});

test("--in-place leaves files alone that a pattern finds behind links", () => {
  const folder = folderOf({ "elsewhere/photo.jpg": photo, "in/own/photo.jpg": photo, "in/..own/photo.jpg": photo });
  symlinkSync("../elsewhere", join(folder, "in/link"));
  const { status, lines } = run(folder, ["in/*/*.jpg", "in/..*/*.jpg", "--in-place", "--quality", "40", "--json"]);
  const documents = lines.map((line) => JSON.parse(line));
  assert.equal(status, 0);
  assert.deepEqual(documents.filter(({ skipped }) => skipped), [{ input: "in/link/photo.jpg", output: "in/link/photo.jpg", skipped: "link" }]);
  assert.deepEqual([documents.length, readFileSync(join(folder, "elsewhere/photo.jpg"))], [3, photo]);
  assert.equal(run(folder, ["in/link/*.jpg", "--in-place", "--quality", "40"]).status, 0);
  assert.ok(readFileSync(join(folder, "elsewhere/photo.jpg")).length < photo.length, "what is named is replaced");
});

test("a .gitignore with many ** is read in time", () => {
  const deep = "d/".repeat(40);
  const folder = folderOf({ ".git/HEAD": "", ".gitignore": `${"**/d/".repeat(20)}**/x\n**/**/**/gone.jpg\nall/**\n`, [`${deep}photo.jpg`]: photo, [`${deep}gone.jpg`]: photo, "all/photo.jpg": photo, "gone.jpg": photo });
  const { status, lines } = run(folder, [".", "--dry-run", "--json"]);
  assert.deepEqual([status, lines.map((line) => JSON.parse(line).input)], [0, [`${deep}photo.jpg`]]);
});

test("a concurrency far above the number of files is that number", () => {
  const folder = folderOf({ "photo.jpg": photo, "other.png": png });
  const { status, lines } = run(folder, [".", "--concurrency", "1000000000"]);
  assert.deepEqual([status, /^2 of 2 files/.test(lines.at(-1))], [0, true]);
});

test("a name that is not valid UTF-8 is named as the reason", () => {
  const folder = folderOf({ "photo.jpg": photo });
  writeFileSync(Buffer.concat([Buffer.from(join(folder, "bad")), Buffer.of(0xff), Buffer.from(".jpg")]), photo);
  const { status, stderr, lines } = run(folder, ["."]);
  assert.deepEqual([status, stderr], [1, "filepress: bad\ufffd.jpg: the name is not valid UTF-8; rename it (invalid_name)\n"]);
  assert.match(lines.at(-1), /^1 of 2 files/);
});

test("a misspelled option is answered with the one that was meant", () => {
  const folder = folderOf({ "photo.jpg": photo, "-photo.jpg": photo });
  const cases = { "--qualty=3": "--qualty; did you mean --quality?", "--max-widht=3": "--max-widht; did you mean --max-width?", "--zzzz": "--zzzz; a file whose name begins with a dash goes after --" };
  for (const [flag, expected] of Object.entries(cases)) {
    assert.equal(run(folder, ["photo.jpg", flag]).stderr.split("\n")[0], `filepress: unknown option ${expected}`);
  }
  assert.equal(run(folder, ["--to", "webp", "--", "-photo.jpg"]).status, 0);
  assert.ok(files(folder).includes("-photo.webp"));
});

test("a file that may not be read is an error that says so", () => {
  const folder = folderOf({ "photo.jpg": photo });
  chmodSync(join(folder, "photo.jpg"), 0);
  for (let path = folder; path.length > 4; path = dirname(path)) execFileSync("chmod", ["a+rx", path]);
  const user = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
  const { status, stderr } = spawnSync(process.execPath, [join(consumer.installed, "bin/filepress.js"), "photo.jpg", "--out", "-"], { cwd: folder, ...user, encoding: "utf8" });
  assert.deepEqual([status, stderr], [1, "filepress: photo.jpg: permission denied (EACCES)\n"]);
});

test("--watch processes new and changed files until it is ended", async () => {
  const folder = folderOf({ "in/one.jpg": photo });
  const child = spawn(program, ["in", "--out", "out", "--to", "webp", "--watch"], { cwd: folder, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", (...how) => resolve(how)));
  try {
    await appears(join(folder, "out/one.webp"));
    mkdirSync(join(folder, "in/deep"));
    writeFileSync(join(folder, "in/deep/two.jpg"), photo);
    await appears(join(folder, "out/deep/two.webp"));
    const before = statSync(join(folder, "out/one.webp")).mtimeMs;
    writeFileSync(join(folder, "in/one.jpg"), png);
    await becomes(() => statSync(join(folder, "out/one.webp")).mtimeMs > before);
    // A file that replaces another one may be older than the result.
    const pngResult = readFileSync(join(folder, "out/one.webp"));
    writeFileSync(join(folder, "older.jpg"), photo);
    utimesSync(join(folder, "older.jpg"), 1e9, 1e9);
    renameSync(join(folder, "older.jpg"), join(folder, "in/one.jpg"));
    await becomes(() => !readFileSync(join(folder, "out/one.webp")).equals(pngResult));
  } finally {
    child.kill("SIGINT");
  }
  assert.deepEqual(await ended, [130, null]);
});

test("--watch takes nothing that it has written as an input", async () => {
  const cases = [
    [".", "--widths", "16"],
    ["*.jpg", "--name", "{name}-{width}.{ext}", "--width", "16"],
    ["**/*.jpg", "--out", "out", "--width", "16", "--name", "{name}-{width}.{ext}"],
  ];
  for (const args of cases) {
    const folder = folderOf({ "one.jpg": photo });
    const place = args.includes("--out") ? "out/" : "";
    await watching(folder, args, async () => {
      // A result would be taken up no later than a file that comes after it.
      for (const [name, next] of [["one", "two"], ["two", "three"], ["three"]]) {
        await appears(join(folder, `${place}${name}-16.jpg`));
        if (next) writeFileSync(join(folder, `${next}.jpg`), photo);
      }
    });
    assert.deepEqual(files(folder), ["one", "two", "three"].flatMap((name) => [`${name}.jpg`, `${place}${name}-16.jpg`]).sort(), args.join(" "));
  }
});

test("--watch overwrites no other input, whichever changes", async () => {
  const webp = await compressed(photo, { to: "webp", quality: 95 });
  const folder = folderOf({ "one.webp": webp });
  utimesSync(join(folder, "one.webp"), 1e9, 1e9);
  await watching(folder, [".", "--to", "webp"], async () => {
    writeFileSync(join(folder, "one.jpg"), photo);
    writeFileSync(join(folder, "two.jpg"), photo);
    await appears(join(folder, "two.webp"));
    writeFileSync(join(folder, "one.jpg"), png);
    writeFileSync(join(folder, "three.jpg"), png);
    await appears(join(folder, "three.webp"));
  });
  assert.deepEqual(readFileSync(join(folder, "one.webp")), webp);
});

test("--out is a folder for a folder or a pattern in which there is nothing yet", async () => {
  const cases = { "in": "in/photo.jpg", "in/*.jpg": "in/photo.jpg" };
  for (const [input, added] of Object.entries(cases)) {
    const folder = folderOf({});
    mkdirSync(join(folder, "in"));
    await watching(folder, [input, "--out", "out", "--to", "webp"], async () => {
      writeFileSync(join(folder, added), photo);
      await becomes(() => files(folder).some((name) => /^out(?:$|\/photo)/.test(name)));
    });
    assert.deepEqual(files(folder), ["in/photo.jpg", "out/photo.webp"], input);
    const { status, stderr } = run(folderOf({ "in/words.txt": "words" }), [input, "--out", "out.webp"]);
    assert.deepEqual([status, stderr.split(";")[0]], [2, "filepress: --out out.webp looks like a file, and there are several inputs"]);
  }
});

/** Does `work` while the program watches, once it has told what it made of its first inputs. */
async function watching(folder, args, work) {
  const child = spawn(program, [...args, "--watch"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const told = Promise.race([child.stdout, child.stderr].map((stream) => new Promise((resolve) => stream.once("data", resolve).resume())));
  try {
    await told;
    await work();
  } finally {
    child.kill("SIGINT");
  }
  assert.equal(await ended, 130);
}

const appears = (path) => becomes(() => statSync(path, { throwIfNoEntry: false }) !== undefined);

/** Waits as long as the test may last. */
async function becomes(condition) {
  while (!condition()) await setTimeout(50);
}
