// The README.md of the package. npm shows it on its own page, where relative links lead nowhere, so links to files of
// the repository become absolute, or plain text while its address is not known, and pictures are removed.
import { fileAddress } from "../project.mjs";

/** A relative address: not one of the web, nor a place in the document itself. */
const RELATIVE = "(?!https?:|#)[^)]*";
const picture = new RegExp(String.raw`!\[[^\]]*\]\(${RELATIVE}\)`, "g");
const link = new RegExp(String.raw`(?<!!)\[([^\]]+)\]\((${RELATIVE})\)`, "g");
const fence = /^```[\s\S]*?^```$/m;
/** Rows of a table without a word in any cell. */
const emptyTable = /(?:^\|[|\s:-]*\n)+\n(?!\|)/gm;

/**
 * @param {string} text the README of the repository.
 * @param project what project.json says.
 */
export function readmeOfPackage(text, project) {
  const linked = (_, words, path) => (project.repository ? `[${words}](${fileAddress(project, path)})` : words);
  const code = new RegExp(`(${fence.source})`, "m");
  const parts = text.split(code).map((part) => (fence.test(part) ? part : part.replace(picture, "").replace(link, linked)));
  return parts.join("").replace(emptyTable, "");
}
