// The properties of original and result, as description lists.
import { errorMessage } from "../errors.js";
import { formatSaving, formatSize } from "../formatting.js";
import { measure } from "./score.js";

/** Explanation of the score, shown if there is room. */
const SCALE = " (100 is identical, 90 is hard to tell apart)";

/**
 * Fills both lists for `{ file, facts, result, background }`.
 * @param output the entry of `formats()` for the result. Two images get a score.
 * @param {(words: string) => void} note shows a message about the measurement; "" clears it.
 * @returns {() => void} cancels the measurement, and clears the lists.
 */
export function showFacts(item, output, note) {
  const { file, facts, result } = item;
  const pictures = facts.class === "image" && output.class === "image";
  fill("facts-before", [
    ["Size", formatSize(file.size)],
    ["Format", facts.name],
    ["Pixels", facts.width && `${facts.width} × ${facts.height}`],
  ]);
  fill("facts-after", [
    ["Size", `${formatSize(result.outputSize)} (${formatSaving(file.size, result.outputSize).number})`],
    ["Format", output.name],
    ["Pixels", result.width && `${result.width} × ${result.height}`],
    ["Duration", result.duration && `${result.duration.toFixed(1)} s`],
    ["Pages", result.pages],
    ["Quality", result.quality],
    ["SSIMULACRA2", pictures ? "measuring…" : undefined],
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
  const begin = performance.now();
  const timer = setInterval(() => wait(place, item.result, note, performance.now() - begin), 1000);
  const end = () => {
    clearInterval(timer);
    note("");
  };
  signal.addEventListener("abort", end);
  const [figure, scale = ""] = await scoreWords(item, signal).catch((error) => [`not measured: ${errorMessage(error)}`]);
  if (signal.aborted) return;
  end();
  place.replaceChildren(figure, span("scale", scale));
}

/** Shows the elapsed time. Not called for measurements that finish within a second. */
function wait(place, { width, height }, note, ms) {
  const time = span("", ` ${Math.round(ms / 1000)} s`);
  // Screen readers should not read it every second.
  time.setAttribute("aria-hidden", "true");
  place.replaceChildren("measuring…", time);
  const megapixels = Math.round((width * height) / 1e6);
  note(`${megapixels > 1 ? `${megapixels} megapixels take` : "This takes"} a while to measure. Close to stop it.`);
}

const span = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });

/** The score as text, and its explanation. */
async function scoreWords(item, signal) {
  const { result } = item;
  if (result.keptOriginal) return ["100", " (the pixels are the same)"];
  // Already measured by `quality: "auto"`.
  if (result.score !== undefined) return [figure(result.score), SCALE];
  const { score, resized, warnings } = await measure(item, signal);
  const codes = warnings.map(({ code }) => code);
  const of = [
    codes.includes("animation_dropped") && "first frame",
    codes.includes("pages_dropped") && "first page",
    resized && "at the new size",
  ].filter(Boolean);
  return [[figure(score), ...of].join(", "), SCALE];
}

/** Only a score of exactly 100 is shown as 100. */
const figure = (score) => (score === 100 ? "100" : Math.min(score, 99.9).toFixed(1));

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
