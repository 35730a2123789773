// Where the project lives: reads project.json, the one place that names it. What is empty there is not known yet; whatever would link
// to it is then left out, and publishing refuses.
import { readFileSync } from "node:fs";

const FILE = new URL("../project.json", import.meta.url);
const MEMBERS = ["repository", "homepage", "maintainer"];

/** `{ repository, homepage, maintainer }`, undefined where empty. Addresses end without a slash. */
export function readProject(text = readFileSync(FILE, "utf8")) {
  const given = JSON.parse(text);
  const wrong = Object.keys(given).filter((name) => !MEMBERS.includes(name));
  if (wrong.length > 0) throw new Error(`project.json: unknown member ${wrong.join(", ")}`);
  return {
    repository: address("repository", given.repository),
    homepage: address("homepage", given.homepage),
    maintainer: given.maintainer || undefined,
  };
}

/** The members that are empty, by name. */
export const missingMembers = (project) => MEMBERS.filter((name) => project[name] === undefined);

/** What the package's manifest says of the project. npm refuses to publish a private package. */
export function manifestMembers(project) {
  const { repository, homepage, maintainer } = project;
  return {
    ...(missingMembers(project).length > 0 && { private: true }),
    ...(repository && { repository: { type: "git", url: `git+${repository}.git` }, bugs: `${repository}/issues` }),
    ...(homepage && { homepage: `${homepage}/` }),
    ...(maintainer && { author: maintainer }),
  };
}

/** The address of a file of the repository on its newest commit; undefined while there is no repository. */
export const fileAddress = ({ repository }, path) => repository && `${repository}/blob/HEAD/${path}`;

function address(name, text) {
  if (!text) return undefined;
  if (!/^https:\/\/[^\s"<>?#]+$/.test(text)) throw new Error(`project.json: ${name} must be an https: address without query and fragment`);
  return text.replace(/(\.git)?\/*$/, "");
}
