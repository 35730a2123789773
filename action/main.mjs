// Entry of the GitHub Action (action.yml): compresses the images of a pull request in the working tree, and reports what that saved. It
// commits nothing. `node main.mjs PATH_OF_THE_COMMAND_LINE_PROGRAM`, with the environment of a runner.
import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { changedImages } from "./changed-images.mjs";
import { readFlags } from "./config.mjs";
import { createGitHub } from "./github.mjs";
import { MARKER, createReport } from "./report.mjs";

/** Lines of JSON of a pull request with the most images that GitHub lists. */
const MAX_OUTPUT = 64 * 1024 * 1024;

const [program] = process.argv.slice(2);
const workspace = env.GITHUB_WORKSPACE;
const number = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")).pull_request?.number;

if (number === undefined) {
  console.log("filepress: this is no event of a pull request; there is nothing to do");
} else {
  const github = createGitHub({ api: env.GITHUB_API_URL, repository: env.GITHUB_REPOSITORY, token: env.INPUT_TOKEN });
  const files = changedImages(await github.listFiles(number), workspace);
  const report = createReport(files.length > 0 ? compress(files) : []);
  console.log(report.text);
  append(env.GITHUB_STEP_SUMMARY, `${report.markdown}\n`);
  append(env.GITHUB_OUTPUT, `files=${report.files}\nsaved-bytes=${report.saved}\n`);
  if (env.INPUT_COMMENT === "true") await comment(github, report);
}

/** Runs the command line program on the files. Returns its lines of JSON. */
function compress(files) {
  const flags = readFlags(join(workspace, env.INPUT_CONFIG));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "--json", "--in-place", ...flags, "--", ...files], { cwd: workspace, encoding: "utf8", maxBuffer: MAX_OUTPUT });
  // 1: a file failed, which its line tells.
  if (status !== 0 && status !== 1) throw new Error(`filepress ended with ${status}: ${stderr}`);
  return stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** A pull request without anything to report gets no new comment. */
async function comment(github, { markdown, isEmpty }) {
  try {
    const existing = await github.findComment(number, MARKER);
    if (existing || !isEmpty) await github.writeComment(number, existing, `${MARKER}\n${markdown}`);
  } catch (error) {
    // The token of a pull request from a fork may not write.
    console.log(`::warning::filepress could not comment: ${error.message}`);
  }
}

function append(path, text) {
  if (path) appendFileSync(path, text);
}
