#!/usr/bin/env node
// The command line: `npx filepress photo.jpg --to webp`. This file knows commands, signals and exit codes, which help.js documents.
import { readCommand, UsageError } from "./arguments.js";
import { HELP, version } from "./help.js";
import { writeJson, writeLine } from "./print.js";
import { inspectAll, listFormats } from "./inspect.js";
import { compressAll } from "./compress.js";
import { discardUnfinished } from "./atomic-write.js";

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

for (const [signal, code] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    discardUnfinished();
    process.exit(code);
  });
}

/** What a shell tells of a program that SIGPIPE ended. Node ignores the signal, so that writing fails instead. */
const READER_GONE = 141;

// Whoever read what is written here has gone, as `head` does: there is nobody left to tell.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", ({ code }) => {
    if (code !== "EPIPE" && stream !== process.stderr) process.stderr.write(`filepress: standard output: ${code}\n`);
    discardUnfinished();
    process.exit(code === "EPIPE" ? READER_GONE : 1);
  });
}

try {
  const { name, ...command } = readCommand(process.argv.slice(2));
  const commands = {
    help: () => process.stdout.write(HELP),
    version: () => process.stdout.write(`${version()}\n`),
    formats: listFormats,
    inspect: inspectAll,
    compress: compressAll,
  };
  const allDone = await commands[name](command);
  process.exitCode = allDone === false ? 1 : 0;
} catch (error) {
  const isUsage = error instanceof UsageError;
  const told = isUsage ? [error.message, "Try: filepress --help"] : error.stack.split("\n");
  for (const [index, line] of told.entries()) writeLine(process.stderr, index === 0 ? `filepress: ${line}` : line);
  if (isUsage && process.argv.includes("--json")) {
    writeJson(process.stdout, { error: { name: "UsageError", code: "usage", message: error.message } });
  }
  process.exitCode = isUsage ? 2 : 1;
}
