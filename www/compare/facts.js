// What is known of both sides of a comparison, as lists of terms.
import { fault, saving, size } from "../words.js";
import { measure } from "./score.js";

/** What the number means, where there is room for it. */
const SCALE = " (100 is identical, 90 can hardly be told apart)";

/**
 * Fills both lists for `{ file, facts, result, background }`.
 * @param {boolean} pictures whether both sides are pictures, which have a score.
 * @returns {() => void} ends the measuring, and empties the lists.
 */
export function showFacts(item, pictures) {
  const { file, facts, result } = item;
  fill("facts-before", [
    ["Size", size(file.size)],
    ["Type", result.inputType],
    ["Pixels", facts.width && `${facts.width} × ${facts.height}`],
  ]);
  fill("facts-after", [
    ["Size", `${size(result.outputSize)} (${saving(file.size, result.outputSize).number})`],
    ["Type", result.type],
    ["Pixels", result.width && `${result.width} × ${result.height}`],
    ["Plays", result.duration && `${result.duration.toFixed(1)} s`],
    ["Pages", result.pages],
    ["Quality", result.quality],
    ["SSIMULACRA2", pictures ? "measuring…" : undefined],
  ]);
  const controller = new AbortController();
  if (pictures) showScore(item, controller.signal);
  return () => {
    controller.abort();
    for (const id of ["facts-before", "facts-after"]) fill(id, []);
  };
}

async function showScore(item, signal) {
  const place = document.querySelector("#facts-after div:last-child dd");
  const words = await scoreWords(item, signal).catch((error) => [`not measured: ${fault(error)}`]);
  if (signal.aborted) return;
  const [figure, scale = ""] = words;
  place.replaceChildren(figure, Object.assign(document.createElement("span"), { className: "scale", textContent: scale }));
}

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
