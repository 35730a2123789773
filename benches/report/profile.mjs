// Where filepress spends the time of a work, as a line under its tables.
import { percent } from "./markdown.mjs";

/** Functions below this share are left out. */
const LEAST = 0.04;

/** @param {{ id: string, profile?: import("../hot.mjs").Profile }} section */
export function reportProfile({ id, profile }) {
  if (!profile) return [];
  const { picture, shares } = profile;
  const parts = shares.filter(([, share]) => share >= LEAST).map(([name, share]) => `${percent(share)} \`${name}\``);
  return [`Where the time of filepress goes (\`make profile WORK=${id} PICTURE=${picture}\`): ${parts.join(", ")}.`];
}
