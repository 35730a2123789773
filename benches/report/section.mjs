// One case of the report: a row for each library, then filepress picture by picture.
import { geometricMean } from "../curve.mjs";
import { ratio, rivals } from "../ranking.mjs";
import { reportProfile } from "./profile.mjs";
import { count, fine, kilobytes, markdownTable, megabytes, none, times } from "./markdown.mjs";

/** @param {import("../ranking.mjs").Section & { title: string, command: string, target?: number }} section */
export function reportSection(section) {
  const { title, command, target, pictures, memoryPicture } = section;
  const size = target === undefined ? "bytes of the output" : `bytes at SSIMULACRA2 ${target}`;
  const what = `Sums over ${pictures.length} pictures (${pictures.join(", ")}): ${size}, median times.`;
  const which = pictures.includes(memoryPicture) ? `${memoryPicture} only` : `another picture, ${memoryPicture}`;
  const memory = memoryPicture ? ` Memory is measured with ${which}.` : "";
  const parts = [`### ${title}`, `${what}${memory} \`${command}\``, peerTable(section), pictureTable(section), ...reportProfile(section), settings(section)];
  return parts.join("\n\n");
}

function peerTable(section) {
  const { peers, measurements, memory, download, target } = section;
  const best = rivals(section);
  const rows = peers.map(({ id, name }) => {
    const own = measurements.filter(({ peer }) => peer === id);
    // No sum where a picture is missing, since no quality of it reaches the score.
    const total = (key) => (own.every((one) => one[key] > 0) ? own.reduce((sum, one) => sum + one[key], 0) : NaN);
    const scores = own.map(({ score }) => score);
    const score = scores.reduce((sum, value) => sum + value, 0) / scores.length;
    return [
      id === "filepress" ? `**${name}**` : name,
      count(total("ms")),
      times(ratio(section, id, best.equal, "ms")),
      count(total("bytes")),
      fine(ratio(section, id, best.smallest, "bytes")),
      ...(target === undefined ? [] : [Number.isFinite(score) ? score.toFixed(1) : none]),
      ...(memory ? [megabytes(memory[id]?.wasm), megabytes(memory[id]?.process)] : []),
      kilobytes(download?.[id]),
    ];
  });
  const titles = [
    "",
    "ms",
    "ratio",
    "bytes",
    "ratio",
    ...(target === undefined ? [] : ["score when timed"]),
    ...(memory ? ["wasm MB", "process MB"] : []),
    "download, kB gz",
  ];
  return markdownTable(titles, rows);
}

/** Where a mean hides something, it shows here. */
function pictureTable(section) {
  const { pictures, measurements } = section;
  const best = rivals(section);
  const rows = pictures.map((picture) => {
    const of = (peer) => measurements.find((one) => one.peer === peer && one.picture === picture);
    const [ours, equal, smallest] = ["filepress", best.equal, best.smallest].map(of);
    const ratios = [times(ours.ms / equal.ms), fine(ours.bytes / smallest.bytes)];
    return [picture, count(ours.ms), count(equal.ms), ratios[0], count(ours.bytes), count(smallest.bytes), ratios[1]];
  });
  const name = (id) => section.peers.find((peer) => peer.id === id).name;
  const titles = ["picture", "filepress ms", `${name(best.equal)} ms`, "ratio", "filepress bytes", `${name(best.smallest)} bytes`, "ratio"];
  return markdownTable(titles, rows);
}

function settings({ id, peers }) {
  const told = peers.map(({ name, settings }) => [name, settings?.[id] ?? settings?.all]).filter(([, text]) => text);
  return told.map(([name, text]) => `- ${name}: ${text}.`).join("\n");
}

/** The spread of all timings: what a difference has to exceed to mean something. */
export function typicalSpread(sections) {
  const spreads = sections.flatMap(({ measurements }) => measurements.map(({ spread }) => spread)).filter((spread) => spread > 0);
  return geometricMean(spreads);
}
