// The README.md of the package. npm shows it on its own page, where relative links lead nowhere, so links to files of
// the repository become plain text, and pictures are removed.

/** A relative address: not one of the web, nor a place in the document itself. */
const RELATIVE = String.raw`\((?!https?:|#)[^)]*\)`;
const picture = new RegExp(String.raw`!\[[^\]]*\]${RELATIVE}`, "g");
const link = new RegExp(String.raw`(?<!!)\[([^\]]+)\]${RELATIVE}`, "g");
const fence = /^```[\s\S]*?^```$/m;
/** Rows of a table without a word in any cell. */
const emptyTable = /(?:^\|[|\s:-]*\n)+\n(?!\|)/gm;

/** @param {string} text the README of the repository. */
export function readmeOfPackage(text) {
  const code = new RegExp(`(${fence.source})`, "m");
  const parts = text.split(code).map((part) => (fence.test(part) ? part : part.replace(picture, "").replace(link, "$1")));
  return parts.join("").replace(emptyTable, "");
}
