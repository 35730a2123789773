// The properties of original and result, as description lists.
import { errorMessage } from "../errors.js";
import { formatNumber, formatSaving, formatSize } from "../formatting.js";
import { text } from "../text.js";
import { estimate, measure } from "./score.js";

const words = text.compare;

/**
 * Fills both lists for `{ file, source, facts, result, colors, background, marked }`; `colors` is the size of a palette.
 * @param output the entry of `formats()` for the result. Two images get a score.
 * @param {(words: string) => void} note shows a message about the measurement; "" clears it.
 * @returns {() => void} cancels the measurement, and clears the lists.
 */
export function showFacts(item, output, note) {
  const { file, facts, result, colors } = item;
  // A watermark is no loss that a score should measure.
  const pictures = facts.class === "image" && !facts.unread && output.class === "image" && !item.marked;
  fill("facts-before", [
    [words.size, formatSize(file.size)],
    [words.format, facts.name],
    [words.pixels, facts.width && `${facts.width} × ${facts.height}`],
  ]);
  fill("facts-after", [
    [words.size, `${formatSize(result.outputSize)} (${formatSaving(file.size, result.outputSize).number})`],
    [words.format, output.name],
    [words.pixels, result.width && `${result.width} × ${result.height}`],
    [words.duration, result.duration && text.formatting.seconds(formatNumber(result.duration, 1))],
    [words.pages, result.pages],
    [words.quality, result.quality],
    [words.colors, colors],
    [words.score, pictures ? words.measuring : undefined],
  ]);
  const controller = new AbortController();
  if (pictures) showScore(item, note, controller.signal);
  return () => {
    controller.abort();
    for (const id of ["facts-before", "facts-after"]) fill(id, []);
  };
}

async function showScore(item, note, signal) {
  const place = document.querySelector("#facts-after div:last-child dd");
  place.setAttribute("aria-live", "polite");
  const time = span("", "");
  // Screen readers should not read it every second.
  time.setAttribute("aria-hidden", "true");
  place.replaceChildren(words.measuring, time);
  const begin = performance.now();
  const timer = setInterval(() => wait(time, item.result, note, performance.now() - begin), 1000);
  const end = () => {
    clearInterval(timer);
    note("");
  };
  signal.addEventListener("abort", end);
  await showEstimate(item, place, time, signal);
  const [figure, scale = ""] = await scoreWords(item, signal).catch((error) => [words.notMeasured(errorMessage(error))]);
  if (signal.aborted) return;
  end();
  place.replaceChildren(figure, span("scale", scale));
}

/** Shows about what the score of a large picture will be, while that is measured. */
async function showEstimate(item, place, time, signal) {
  if (known(item)) return;
  // Without an estimate, the measurement itself says what is wrong.
  const score = await estimate(item, signal).catch(() => undefined);
  if (score === undefined || signal.aborted) return;
  place.replaceChildren(words.aboutScore(Math.round(score)), span("scale", grade(score)), text.formatting.comma, words.measuring, time);
}

/** Shows the elapsed time. Not called for measurements that finish within a second. */
function wait(time, { width, height }, note, ms) {
  time.textContent = ` ${text.formatting.seconds(Math.round(ms / 1000))}`;
  const megapixels = Math.round((width * height) / 1e6);
  note(words.slow(megapixels));
}

const span = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });

/** What needs no measurement: pixels that are the same, and a score that `quality: "auto"` has measured. */
function known({ result: { keptOriginal, score } }) {
  if (keptOriginal) return ["100", words.samePixels];
  return score === undefined ? undefined : [figure(score), grade(score)];
}

/** The score as a number, and in words. */
async function scoreWords(item, signal) {
  if (known(item)) return known(item);
  const { score, resized, warnings } = await measure(item, signal);
  const codes = warnings.map(({ code }) => code);
  const of = [
    codes.includes("animation_dropped") && words.firstFrame,
    codes.includes("pages_dropped") && words.firstPage,
    resized && words.newSize,
  ].filter(Boolean);
  return [[figure(score), ...of].join(", "), grade(score)];
}

/** Least scores of the grades, best first; the last grade has none. */
const GRADES = [90, 80, 70, 50, 30, 0];

/** The score in words. */
function grade(score) {
  const place = GRADES.findIndex((least) => score >= least);
  return ` (${words.grades.at(place)})`;
}

/** Only a score of exactly 100 is shown as 100. */
const figure = (score) => (score === 100 ? "100" : formatNumber(Math.min(score, 99.9), 1));

function fill(id, rows) {
  const lines = rows
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([term, value]) => {
      const line = document.createElement("div");
      line.append(Object.assign(document.createElement("dt"), { textContent: term }));
      line.append(Object.assign(document.createElement("dd"), { textContent: value }));
      return line;
    });
  document.getElementById(id).replaceChildren(...lines);
}
