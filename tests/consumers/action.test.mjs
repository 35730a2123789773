// The GitHub Action: the step of action.yml, run by a shell on the tarball, with a stand-in for GitHub's API.
import { strict as assert } from "node:assert";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { readFlags } from "../../action/config.mjs";
import { MARKER, createReport } from "../../action/report.mjs";
import { COMPRESS } from "../../pkg-template/bin/flags.js";
import { listen } from "../package/support/listen.mjs";
import { jpeg } from "./support/photos.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "filepress-action-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const definition = readFileSync(join(root, "action.yml"), "utf8");

/** The lines of the step. */
const script = /^ {6}run: \|\n((?: {8}.*\n)+)/m.exec(definition)[1].replaceAll(/^ {8}/gm, "");
/** The environment of the step, by the names of the inputs. */
const variables = [...definition.matchAll(/^ {8}(INPUT_\w+): \$\{\{ inputs\.([\w-]+) \}\}$/gm)].map(([, variable, input]) => [variable, input]);
const defaults = { package: join(root, "dist/filepress.tgz"), config: ".filepressrc", comment: "true", "github-token": "a token" };

/**
 * Runs the action in a workspace of `files`; `event` is that of the pull request, `api` answers for GitHub. `viewer` is the author of what the token
 * writes, and `refused` the paths that it may not change.
 */
async function runAction(name, { files, event = { pull_request: { number: 7 } }, listed = Object.keys(files).map((filename) => ({ filename, status: "added" })), comments = [], viewer = "github-actions[bot]", refused = [], mayWrite = true, prepare }) {
  const workspace = join(folder, name);
  const place = (file) => join(workspace, "repository", file);
  for (const [file, bytes] of Object.entries(files)) {
    mkdirSync(join(place(file), ".."), { recursive: true });
    writeFileSync(place(file), bytes);
  }
  prepare?.(place);
  const written = [];
  const api = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://api");
    assert.equal(request.headers.authorization, "Bearer a token");
    const start = (Number(searchParams.get("page")) - 1) * 100;
    const lists = { "/repos/team/site/pulls/7/files": listed, "/repos/team/site/issues/7/comments": comments };
    if (request.method === "GET") return response.end(JSON.stringify(lists[pathname].slice(start, start + 100)));
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    if (pathname === "/graphql") {
      assert.deepEqual(body, { query: "{ viewer { login } }" });
      return response.writeHead(viewer ? 200 : 403).end(JSON.stringify({ data: { viewer: { login: viewer } } }));
    }
    written.push({ method: request.method, path: pathname, ...body });
    response.writeHead(mayWrite && !refused.includes(pathname) ? 200 : 403).end("{}");
  });
  writeFileSync(join(workspace, "event.json"), JSON.stringify(event));
  mkdirSync(join(workspace, "temp"));
  const github = {
    GITHUB_ACTION_PATH: root, GITHUB_API_URL: api.url, GITHUB_GRAPHQL_URL: `${api.url}/graphql`, GITHUB_EVENT_PATH: join(workspace, "event.json"), GITHUB_OUTPUT: join(workspace, "output"),
    GITHUB_REPOSITORY: "team/site", GITHUB_STEP_SUMMARY: join(workspace, "summary"), GITHUB_WORKSPACE: join(workspace, "repository"), RUNNER_TEMP: join(workspace, "temp"),
  };
  const inputs = Object.fromEntries(variables.map(([variable, input]) => [variable, defaults[input]]));
  const child = spawn("bash", ["-e", "-o", "pipefail", "-c", script], { cwd: join(workspace, "repository"), env: { ...process.env, npm_config_offline: "true", ...github, ...inputs } });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const status = await new Promise((resolve) => child.once("close", resolve));
  await api.close();
  const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");
  return { status, said, written, output: read(github.GITHUB_OUTPUT), summary: read(github.GITHUB_STEP_SUMMARY), file: (name) => readFileSync(place(name)) };
}

const photo = await jpeg(600, 400);

test("the definition names the inputs that the step uses", () => {
  assert.deepEqual(variables.map(([, input]) => input).sort(), Object.keys(defaults).sort());
  for (const input of Object.keys(defaults)) assert.ok(new RegExp(`^  ${input}:$`, "m").test(definition), input);
});

test("the workflow of the document passes inputs that there are", () => {
  const workflow = /^```yaml action\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, "docs/plugins.md"), "utf8"))[1];
  const passed = [...workflow.slice(workflow.indexOf("./tools/filepress\n")).matchAll(/^ {10}([\w-]+):/gm)].map(([, input]) => input);
  assert.ok(passed.length >= 3, workflow);
  assert.deepEqual(passed.filter((input) => !Object.hasOwn(defaults, input)), []);
});

test("the images of a pull request become smaller, by .filepressrc, and a comment says so", async () => {
  const png = await sharp(photo).png({ compressionLevel: 0 }).toBuffer();
  const files = { "images/photo.jpg": photo, "images/a|b`<c>.PNG": png, "words.txt": "just some words", "damaged.jpg": "just other words", "untouched.jpg": photo, ".filepressrc": JSON.stringify({ quality: 50, "max-width": 300, out: "elsewhere", inputs: ["/"], to: ["webp"] }) };
  const listed = ["images/photo.jpg", "images/a|b`<c>.PNG", "words.txt", "damaged.jpg", "gone.jpg"].map((filename) => ({ filename, status: "modified" }));
  const { status, said, written, output, summary, file } = await runAction("first", { files, listed: [...listed, { filename: "removed.jpg", status: "removed" }] });
  assert.equal(status, 0, said);
  const { width, format } = await sharp(file("images/photo.jpg")).metadata();
  assert.deepEqual([width, format], [300, "jpeg"]);
  assert.ok(file("images/photo.jpg").length < photo.length && file("images/a|b`<c>.PNG").length < png.length);
  assert.deepEqual([file("untouched.jpg"), file("damaged.jpg").toString()], [photo, "just other words"]);
  assert.equal(written.length, 1);
  assert.deepEqual([written[0].method, written[0].path], ["POST", "/repos/team/site/issues/7/comments"]);
  const saved = photo.length + png.length - file("images/photo.jpg").length - file("images/a|b`<c>.PNG").length;
  assert.equal(output, `files=2\nsaved-bytes=${saved}\n`);
  assert.match(written[0].body, /^<!-- filepress -->\n\*\*filepress\*\* · 2 images: \d+ kB → [\d.]+ kB \(−\d+\.\d %\)\n/);
  assert.ok(written[0].body.includes("| <code>images/photo.jpg</code> |") && written[0].body.includes("<code>images/a&#124;b&#96;&#60;c&#62;.PNG</code>"), written[0].body);
  assert.ok(written[0].body.includes("- <code>damaged.jpg</code>: <code>unsupported_type</code>"));
  assert.ok(written[0].body.includes(summary.trim()));
});

test("the next run changes the comment, beyond the first page of comments and files", async () => {
  const comments = Array.from({ length: 150 }, (_, index) => ({ id: index + 1, user: { login: index === 3 ? "a-person" : "github-actions[bot]" }, body: [3, 120].includes(index) ? "<!-- filepress -->\nbefore" : index === 5 ? null : "a word" }));
  const listed = [...Array.from({ length: 130 }, (_, index) => ({ filename: `words-${index}.txt`, status: "added" })), { filename: "photo.jpg", status: "added" }];
  const { status, written, said } = await runAction("second", { files: { "photo.jpg": photo }, listed, comments });
  assert.equal(status, 0, said);
  assert.deepEqual(written.map(({ method, path }) => [method, path]), [["PATCH", "/repos/team/site/issues/comments/121"]]);
});

describe("the comment that a run changes", () => {
  const people = { bot: { login: "github-actions[bot]", type: "Bot" }, other: { login: "other-app[bot]", type: "Bot" }, person: { login: "a-person", type: "User" }, stranger: { login: "a-stranger", type: "User" } };
  const marked = (...names) => names.map((name, index) => ({ id: index + 1, user: people[name], body: `${MARKER}\nbefore` }));
  const comment = (id) => `/repos/team/site/issues/comments/${id}`;
  const NEW = ["POST", "/repos/team/site/issues/7/comments"];
  let count = 0;
  async function changes(settings) {
    const { status, written, said } = await runAction(`comments-${count++}`, { files: { "photo.jpg": photo }, ...settings });
    assert.equal(status, 0, said);
    return written.map(({ method, path }) => [method, path]);
  }

  test("is its author's, an app or a person", async () => {
    const comments = [...marked("stranger", "other", "person", "bot"), { id: 5, user: people.person, body: "a word" }, { id: 6, user: null, body: MARKER }];
    assert.deepEqual(await changes({ comments }), [["PATCH", comment(4)]]);
    assert.deepEqual(await changes({ comments, viewer: "a-person" }), [["PATCH", comment(3)]]);
    assert.deepEqual(await changes({ comments, viewer: "another-person" }), [NEW]);
  });

  test("is one that the token may change, otherwise there is a new one", async () => {
    const comments = marked("person", "person", "stranger");
    const all = { comments, viewer: "a-person" };
    assert.deepEqual(await changes({ ...all, refused: [comment(2)] }), [["PATCH", comment(2)], ["PATCH", comment(1)]]);
    assert.deepEqual(await changes({ ...all, refused: [comment(1), comment(2)] }), [["PATCH", comment(2)], ["PATCH", comment(1)], NEW]);
  });

  test("is that of an app if GitHub does not name the author", async () => {
    assert.deepEqual(await changes({ comments: marked("stranger", "bot", "person"), viewer: null }), [["PATCH", comment(2)]]);
  });

  test("gets an empty report too, which no new one is written for", async () => {
    const files = { "words.txt": "just some words" };
    assert.deepEqual(await changes({ files, comments: marked("bot") }), [["PATCH", comment(1)]]);
    assert.deepEqual(await changes({ files, comments: marked("bot"), refused: [comment(1)] }), [["PATCH", comment(1)]]);
  });
});

test("links are not followed, and a token that may not write is no failure", async () => {
  const outside = join(folder, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "photo.jpg"), photo);
  const prepare = (place) => (symlinkSync(join(outside, "photo.jpg"), place("link.jpg")), symlinkSync(outside, place("folder")));
  const listed = ["link.jpg", "folder/photo.jpg", "../../outside/photo.jpg", "--force.jpg", "own.jpg"].map((filename) => ({ filename, status: "added" }));
  const { status, said, file, output } = await runAction("third", { files: { "own.jpg": photo, "--force.jpg": photo }, listed, prepare, mayWrite: false });
  assert.equal(status, 0, said);
  assert.match(said, /::warning::filepress could not comment: POST .*403/);
  assert.deepEqual(readFileSync(join(outside, "photo.jpg")), photo);
  assert.ok(file("own.jpg").length < photo.length && file("--force.jpg").length < photo.length);
  assert.match(output, /^files=2$/m);
});

test("nothing to report is not commented, and other events do nothing", async () => {
  const without = await runAction("fourth", { files: { "words.txt": "just some words" } });
  assert.deepEqual([without.status, without.written, without.output], [0, [], "files=0\nsaved-bytes=0\n"]);
  const push = await runAction("fifth", { files: { "photo.jpg": photo }, event: { ref: "refs/heads/main" } });
  assert.deepEqual([push.status, push.file("photo.jpg")], [0, photo]);
});

test("a configuration that is wrong fails the step with its reason", async () => {
  const { status, said } = await runAction("sixth", { files: { "photo.jpg": photo, ".filepressrc": '{"qualty":3}' } });
  assert.notEqual(status, 0);
  assert.match(said, /qualty/);
});

test("each option of the command line is passed on, ignored or refused, and no name contains a value", () => {
  const file = join(folder, "flags.json");
  const flags = (config) => (writeFileSync(file, JSON.stringify(config)), readFlags(file));
  const refused = Object.keys(COMPRESS).filter((name) => {
    const values = COMPRESS[name].type === "boolean" ? true : "x";
    try {
      const made = flags({ [name]: name === "set" ? { key: 1 } : values });
      return made.length > 0 && !made[0].startsWith(`--${name}`);
    } catch {
      return true;
    }
  });
  assert.deepEqual(refused, ["html"]);
  assert.deepEqual(flags({ server: "https://example.com", "in-place": false, quality: 50, lossless: true }), ["--quality=50", "--lossless"]);
  for (const name of ["server=https://example.com", "out=elsewhere", "", "o", "quality=3", "__proto__x"]) assert.throws(() => flags({ [name]: true }), /which the action does not take/, name);
});

test("a version is one of filepress, and a path stays a path", () => {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 3\n", { mode: 0o755 });
  const cases = { "1.2.3": "filepress@1.2.3", "0.1.0-beta.1": "filepress@0.1.0-beta.1", filepress: "filepress", "/tmp/a.tgz": "/tmp/a.tgz", "1.tgz": "1.tgz", "1/filepress.tgz": "1/filepress.tgz", "--force": "--force" };
  for (const [given, expected] of Object.entries(cases)) {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, RUNNER_TEMP: folder, INPUT_PACKAGE: given };
    const { status, stdout } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], { env, encoding: "utf8" });
    assert.deepEqual([status, stdout.split("\n").slice(-3, -1)], [3, ["--", expected]], given);
  }
});

test("a comment holds as many rows as fit, and every letter of their names", () => {
  const many = (letter) => Array.from({ length: 400 }, (_, index) => `${letter.repeat(120)}${index}.jpg`);
  const smaller = many("\u{1f600}").map((input) => ({ input, inputSize: 2000, outputSize: 1000 }));
  const failed = many("\u00fc").map((input) => ({ input, error: { code: "unsupported_type" } }));
  const { markdown, files } = createReport([...smaller, ...failed]);
  assert.equal(files, 400);
  assert.ok(`${MARKER}\n${markdown}`.length < 65_536, `${markdown.length}`);
  assert.ok(markdown.includes(`<code>${"&#128512;".repeat(120)}0.jpg</code>`) && markdown.includes("- <code>&#252;"));
  const shown = markdown.match(/^\| <code>/gm).length;
  assert.ok(shown > 10 && markdown.includes(`\nAnd ${400 - shown} more.\n`), `${shown}`);
  const short = createReport(Array.from({ length: 300 }, (_, index) => ({ input: `${index}.jpg`, inputSize: 2000, outputSize: 1000 })));
  assert.equal(short.markdown.match(/^\| <code>/gm).length, 300);
});
