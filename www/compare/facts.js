// What is known of both sides of a comparison, as lists of terms.
import { fault } from "../errors.js";
import { saving, size } from "../formatting.js";
import { measure } from "./score.js";

/** What the number means, where there is room for it. */
const SCALE = " (100 is identical, 90 can hardly be told apart)";

/**
 * Fills both lists for `{ file, facts, result, background }`.
 * @param output the row of `formats()` of the result: where both sides are pictures they have a score.
 * @param {(words: string) => void} note says what the measuring asks for; "" when there is nothing to say.
 * @returns {() => void} ends the measuring, and empties the lists.
 */
export function showFacts(item, output, note) {
  const { file, facts, result } = item;
  const pictures = facts.class === "image" && output.class === "image";
  fill("facts-before", [
    ["Size", size(file.size)],
    ["Type", facts.name],
    ["Pixels", facts.width && `${facts.width} × ${facts.height}`],
  ]);
  fill("facts-after", [
    ["Size", `${size(result.outputSize)} (${saving(file.size, result.outputSize).number})`],
    ["Type", output.name],
    ["Pixels", result.width && `${result.width} × ${result.height}`],
    ["Plays", result.duration && `${result.duration.toFixed(1)} s`],
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
  const [figure, scale = ""] = await scoreWords(item, signal).catch((error) => [`not measured: ${fault(error)}`]);
  if (signal.aborted) return;
  end();
  place.replaceChildren(figure, span("scale", scale));
}

/** Says how long it takes already; what is there in a moment needs no words. */
function wait(place, { width, height }, note, ms) {
  const time = span("", ` ${Math.round(ms / 1000)} s`);
  // Not to be read out at each second.
  time.setAttribute("aria-hidden", "true");
  place.replaceChildren("measuring…", time);
  const megapixels = Math.round((width * height) / 1e6);
  note(`${megapixels > 1 ? `${megapixels} megapixels take` : "This takes"} a while to measure. Close to stop it.`);
}

const span = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });

/** The figure, and what it means. */
async function scoreWords(item, signal) {
  const { result } = item;
  if (result.keptOriginal) return ["100", " (the pixels are the same)"];
  // A search by it has measured it already.
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

/** What is not quite identical is not to look it. */
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
