// Entry of the GitHub Action (action.yml): compresses the images of a pull request in the working tree, and reports what that saved. It
// commits nothing. `node main.mjs PATH_OF_THE_COMMAND_LINE_PROGRAM`, with the environment of a runner.
import { execFile } from "node:child_process";
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
  const github = createGitHub({ api: env.GITHUB_API_URL, graphql: env.GITHUB_GRAPHQL_URL, repository: env.GITHUB_REPOSITORY, token: env.INPUT_TOKEN });
  const files = changedImages(await github.listFiles(number), workspace);
  const report = createReport(files.length > 0 ? await compress(files) : []);
  console.log(report.text);
  append(env.GITHUB_STEP_SUMMARY, `${report.markdown}\n`);
  append(env.GITHUB_OUTPUT, `files=${report.files}\nsaved-bytes=${report.saved}\n`);
  if (env.INPUT_COMMENT === "true") await comment(github, report);
}

/**
 * Runs the command line program on the files. Resolves to its lines of JSON. Not in a synchronous call, during which GitHub could close a
 * connection that the next request would be sent on.
 */
function compress(files) {
  const flags = ["--json", "--in-place", ...readFlags(join(workspace, env.INPUT_CONFIG))];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...flags, "--", ...files], { cwd: workspace, maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      // 1: a file failed, which its line tells.
      if (error && error.code !== 1) reject(new Error(`filepress ended with ${error.code ?? error.signal}: ${stderr}`));
      else resolve(stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line)));
    });
  });
}

/** A pull request without anything to report gets no new comment. */
async function comment(github, { markdown, isEmpty }) {
  try {
    const body = `${MARKER}\n${markdown}`;
    const changed = await github.changeComment(await github.findComments(number, MARKER), body);
    if (!changed && !isEmpty) await github.addComment(number, body);
  } catch (error) {
    // The token of a pull request from a fork may not write.
    console.log(`::warning::filepress could not comment: ${error.message}`);
  }
}

function append(path, text) {
  if (path) appendFileSync(path, text);
}
