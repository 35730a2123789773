// What became of each file: a line for a person, or a JSON document a line. Failures of the former go to standard error.
import { extname } from "node:path";
import { writeJson, writeLine } from "./print.js";
import { STANDARD_OUTPUT } from "./output-paths.js";
import { withFlagNames, toUserMessage } from "./messages.js";

/** `progress` is taken off the terminal before each line. */
export function createReport({ json, quiet, toStandardOutput, progress, total, types }) {
  const sums = { done: 0, failed: 0, inputSize: 0, outputSize: 0 };
  const say = (stream, text) => {
    progress.clear();
    writeLine(stream, text);
  };
  const give = (document) => {
    progress.clear();
    writeJson(process.stdout, document);
  };
  const tell = (text) => quiet || say(toStandardOutput ? process.stderr : process.stdout, text);
  const complain = (text) => say(process.stderr, `filepress: ${text}`);

  function done(input, output, result) {
    sums.done += 1;
    sums.inputSize += result.inputSize;
    sums.outputSize += result.outputSize;
    if (json) return give(document(input, output, result));
    const target = output === STANDARD_OUTPUT ? "standard output" : output;
    tell(`${input.shown} → ${target}  ${change(result)}${result.keptOriginal ? "  (the original)" : ""}`);
    if (quiet) return;
    for (const { code, message } of result.warnings) {
      say(process.stderr, `warning: ${input.shown}: ${withFlagNames(message)} (${code})`);
    }
  }

  function failed(input, error) {
    sums.failed += 1;
    if (json) return give({ input: input.path, error: failure(error) });
    const place = typeof error.output === "string" ? error.output : input.shown;
    complain(`${place}: ${toUserMessage(error, types)}${error.code ? ` (${error.code})` : ""}`);
  }

  /** Says how many files of folders were passed over, since they are of no type that can be done. */
  function passed(paths, hasService) {
    if (quiet || paths.length === 0) return;
    const known = new Set(types.flatMap(({ extensions }) => extensions));
    const heavy = hasService ? 0 : paths.filter((path) => known.has(extname(path).slice(1).toLowerCase())).length;
    if (heavy > 0) say(process.stderr, `warning: passed over ${heavy} of a type that needs a service: --server`);
    if (paths.length > heavy) say(process.stderr, `warning: passed over ${paths.length - heavy} of a type that is not known`);
  }

  /** Whether none failed. */
  function end() {
    if (total > 1 && !json) tell(`${sums.done} of ${total} files${sums.done > 0 ? `  ${change(sums)}` : ""}`);
    return sums.failed === 0;
  }

  return { done, failed, passed, end };
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
