#!/usr/bin/env node
// The command line: `npx filepress photo.jpg --to webp`. Dispatches commands, and handles signals and exit codes (see help.js).
import { readCommand } from "./arguments.js";
import { readConfig } from "./config.js";
import { UsageError } from "./usage-error.js";
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

/** The exit code for SIGPIPE. Node ignores the signal, and writing fails with EPIPE instead. */
const SIGPIPE_EXIT_CODE = 141;

// The reader of the output has exited, as `head` does.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", ({ code }) => {
    if (code !== "EPIPE" && stream !== process.stderr) process.stderr.write(`filepress: standard output: ${code}\n`);
    discardUnfinished();
    process.exit(code === "EPIPE" ? SIGPIPE_EXIT_CODE : 1);
  });
}

try {
  const { name, ...command } = readCommand(process.argv.slice(2), readConfig);
  const commands = {
    help: () => process.stdout.write(HELP),
    version: () => process.stdout.write(`${version()}\n`),
    formats: listFormats,
    inspect: inspectAll,
    compress: compressAll,
  };
  const succeeded = await commands[name](command);
  process.exitCode = succeeded === false ? 1 : 0;
} catch (error) {
  const isUsage = error instanceof UsageError;
  const told = isUsage ? [error.message, "Try: filepress --help"] : error.stack.split("\n");
  for (const [index, line] of told.entries()) writeLine(process.stderr, index === 0 ? `filepress: ${line}` : line);
  if (isUsage && process.argv.includes("--json")) {
    writeJson(process.stdout, { error: { name: "UsageError", code: "usage", message: error.message } });
  }
  process.exitCode = isUsage ? 2 : 1;
}
