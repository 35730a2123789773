// What is known of both sides of a comparison, as lists of terms.
import { fault } from "../fault.js";
import { saving, size } from "../words.js";
import { measure } from "./score.js";

/** What the number means, where there is room for it. */
const SCALE = " (100 is identical, 90 can hardly be told apart)";
/** Milliseconds that measuring may take before it is explained. */
const PATIENCE = 800;

/**
 * Fills both lists for `{ file, facts, result, background }`.
 * @param output the row of `formats()` of the result: where both sides are pictures they have a score.
 * @returns {() => void} ends the measuring, and empties the lists.
 */
export function showFacts(item, output) {
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
  if (pictures) showScore(item, placeOfScore(), controller.signal);
  return () => {
    controller.abort();
    for (const id of ["facts-before", "facts-after"]) fill(id, []);
  };
}

/** Where the score goes, which comes late enough to be told then. */
function placeOfScore() {
  const place = document.querySelector("#facts-after div:last-child dd");
  place.ariaLive = "polite";
  return place;
}

async function showScore(item, place, signal) {
  const say = (figure, rest = "", className = "") =>
    place.replaceChildren(figure, Object.assign(document.createElement("span"), { className, textContent: rest }));
  // What is there in a moment needs no words.
  const timer = setTimeout(() => say("measuring…", patience(item.result)), PATIENCE);
  const [figure, scale] = await scoreWords(item, signal).catch((error) => [`not measured: ${fault(error)}`]);
  clearTimeout(timer);
  if (!signal.aborted) say(figure, scale, "scale");
}

/** What to say of a score that takes its time. */
function patience({ width, height }) {
  const megapixels = Math.round((width * height) / 1e6);
  return `${megapixels > 1 ? ` ${megapixels} megapixels take a while.` : ""} Close to stop it.`;
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
