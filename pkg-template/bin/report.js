// Reports the result of each file: as a line of text, errors on standard error; or with --json as one JSON object per line.
import { extname } from "node:path";
import { writeJson, writeLine } from "./print.js";
import { STANDARD_OUTPUT } from "./output-paths.js";
import { withFlagNames, toUserMessage } from "./messages.js";

/** `progress` is cleared from the terminal before each line. */
export function createReport({ json, quiet, toStandardOutput, progress, total, types }) {
  const sums = { done: 0, planned: 0, unchanged: 0, failed: 0, inputSize: 0, outputSize: 0 };
  const { writeText, writeDocument } = createOutput(progress);
  const info = (text) => quiet || writeText(toStandardOutput ? process.stderr : process.stdout, text);
  const printError = (text) => writeText(process.stderr, `filepress: ${text}`);

  function done(input, output, result) {
    sums.done += 1;
    sums.inputSize += result.inputSize;
    sums.outputSize += result.outputSize;
    if (json) return writeDocument(document(input, output, result));
    const target = output === STANDARD_OUTPUT ? "standard output" : output;
    info(`${input.shown} → ${target}  ${change(result)}${result.keptOriginal ? "  (original kept)" : ""}`);
    if (quiet) return;
    for (const { code, message } of result.warnings) {
      writeText(process.stderr, `warning: ${input.shown}: ${withFlagNames(message)} (${code})`);
    }
  }

  /** A result that is not written because `skip` (see output-paths.js). */
  function unchanged(input, { path, skip }) {
    sums.unchanged += 1;
    if (json) writeDocument({ input: input.path, output: path, skipped: skip });
    else if (total === 1) info(`${input.shown}: skipped, ${SKIP_REASONS[skip]}`);
  }

  /** With --dry-run, a result that would be written. */
  function planned(input, path) {
    sums.planned += 1;
    const output = path === STANDARD_OUTPUT ? "standard output" : path;
    if (json) writeDocument({ input: input.path, output: path === STANDARD_OUTPUT ? "-" : path, dryRun: true });
    else info(`${input.shown} → ${output ?? "a name with the size of the result"}`);
  }

  function failed(input, error) {
    sums.failed += 1;
    if (json) return writeDocument({ input: input.path, error: failure(error) });
    const place = typeof error.output === "string" ? error.output : input.shown;
    printError(`${place}: ${toUserMessage(error, types)}${error.code ? ` (${error.code})` : ""}`);
  }

  function skipped(paths, hasServer) {
    if (quiet) return;
    for (const warning of skipWarnings(paths, hasServer, types)) writeText(process.stderr, `warning: ${warning}`);
  }

  /** Prints the totals. Returns whether all files succeeded. */
  function end() {
    const rest = sums.unchanged > 0 ? `, ${sums.unchanged} skipped` : "";
    const made = sums.planned > 0 ? `${sums.planned} of ${total} files would be written` : `${sums.done} of ${total} files`;
    if (total > 1 && !json) info(`${made}${rest}${sums.done > 0 ? `  ${change(sums)}` : ""}`);
    return sums.failed === 0;
  }

  /** The markup of a `<picture>` on standard output; other lines go to standard error. */
  const markup = (lines) => lines.forEach((line) => writeText(process.stdout, line));

  return { done, markup, unchanged, planned, failed, skipped, end };
}

/** Prints lines of text and JSON documents after the progress line was cleared. */
function createOutput(progress) {
  const writeText = (stream, text) => {
    progress.clear();
    writeLine(stream, text);
  };
  const writeDocument = (document) => {
    progress.clear();
    writeJson(process.stdout, document);
  };
  return { writeText, writeDocument };
}

/** How many files in folders were skipped because their format is not supported, or needs a server. */
function skipWarnings(paths, hasServer, types) {
  const known = new Set(types.flatMap(({ extensions }) => extensions));
  const remote = hasServer ? 0 : paths.filter((path) => known.has(extname(path).slice(1).toLowerCase())).length;
  const unsupported = paths.length - remote;
  return [remote > 0 && `skipped ${remote} that need a server: --server`, unsupported > 0 && `skipped ${unsupported} of unsupported formats`].filter(Boolean);
}

const SKIP_REASONS = {
  duplicate: "another width gives the same result",
  exists: "the result exists",
  link: "it is a symbolic link, or lies behind one",
  newer: "the result is up to date",
  larger: "the last format is smaller",
  other_format: "the result would have another format",
  not_smaller: "the result would not be at least 1 % smaller",
};

const FACTS = ["type", "width", "height", "duration", "pages", "quality", "score", "inputType", "inputSize", "outputSize", "engine"];

function document(input, output, result) {
  const facts = Object.fromEntries(FACTS.map((name) => [name, result[name]]));
  const { keptOriginal, warnings } = result;
  return { input: input.path, output, ...facts, keptOriginal, warnings };
}

function failure({ name, code, message, retryable, status, requestId, details }) {
  return { name, code, message, retryable, status, requestId, details };
}

/** `2.79 MB → 863 kB, −69.1 %` */
function change({ inputSize, outputSize }) {
  const share = inputSize > 0 ? (100 * (outputSize - inputSize)) / inputSize : 0;
  const sign = share > 0 ? "+" : "−";
  return `${bytes(inputSize)} → ${bytes(outputSize)}, ${sign}${Math.abs(share).toFixed(1)} %`;
}

function bytes(count) {
  const steps = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(count, 1)) / 3)));
  return `${Number((count / 1000 ** steps).toPrecision(3))} ${["B", "kB", "MB", "GB"][steps]}`;
}
