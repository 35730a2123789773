// Where filepress spends the time of a case, as a line under its tables.
import { percent } from "./markdown.mjs";

/** Functions below this share are left out. */
const LEAST = 0.04;

/** @param {{ id: string, profile?: import("../profiler.mjs").Profile }} section */
export function reportProfile({ id, profile }) {
  if (!profile) return [];
  const { picture, quality, shares } = profile;
  const parts = shares.filter(([, share]) => share >= LEAST).map(([name, share]) => `${percent(share)} \`${name}\``);
  const command = ["make profile", `WORK=${id}`, `PICTURE=${picture}`, ...(quality === undefined ? [] : [`QUALITY=${quality}`])].join(" ");
  return [`Where the time of filepress goes (\`${command}\`): ${parts.join(", ")}.`];
}
