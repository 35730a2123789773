// What is known of both sides of a comparison, as lists of terms.
import { saving, size } from "../words.js";

export function showFacts({ file, facts, result }) {
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
    ["SSIMULACRA2", score(result)],
  ]);
}

/** The package measures it where it searches a quality by it, and nowhere else. */
function score({ engine, score, type }) {
  if (score !== undefined) return `${score.toFixed(1)} (100 is identical, 90 can hardly be told apart)`;
  return engine === "local" && type !== "image/svg+xml" ? "measured with quality “Auto”" : undefined;
}

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
