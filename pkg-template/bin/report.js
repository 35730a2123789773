// Reports the result of each file: as a line of text, errors on standard error; or with --json as one JSON object per line.
import { extname } from "node:path";
import { writeJson, writeLine } from "./print.js";
import { STANDARD_OUTPUT } from "./output-paths.js";
import { withFlagNames, toUserMessage } from "./messages.js";

/** `progress` is cleared from the terminal before each line. */
export function createReport({ json, quiet, toStandardOutput, progress, total, types }) {
  const sums = { done: 0, failed: 0, inputSize: 0, outputSize: 0 };
  const writeText = (stream, text) => {
    progress.clear();
    writeLine(stream, text);
  };
  const writeDocument = (document) => {
    progress.clear();
    writeJson(process.stdout, document);
  };
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

  function failed(input, error) {
    sums.failed += 1;
    if (json) return writeDocument({ input: input.path, error: failure(error) });
    const place = typeof error.output === "string" ? error.output : input.shown;
    printError(`${place}: ${toUserMessage(error, types)}${error.code ? ` (${error.code})` : ""}`);
  }

  /** Warns how many files in folders were skipped because their format is not supported. */
  function skipped(paths, hasServer) {
    if (quiet || paths.length === 0) return;
    const known = new Set(types.flatMap(({ extensions }) => extensions));
    const remote = hasServer ? 0 : paths.filter((path) => known.has(extname(path).slice(1).toLowerCase())).length;
    if (remote > 0) writeText(process.stderr, `warning: skipped ${remote} that need a server: --server`);
    if (paths.length > remote) writeText(process.stderr, `warning: skipped ${paths.length - remote} of unsupported formats`);
  }

  /** Prints the totals. Returns whether all files succeeded. */
  function end() {
    if (total > 1 && !json) info(`${sums.done} of ${total} files${sums.done > 0 ? `  ${change(sums)}` : ""}`);
    return sums.failed === 0;
  }

  return { done, failed, skipped, end };
}

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
