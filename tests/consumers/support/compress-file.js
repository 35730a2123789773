// The script of each project's page: compresses the chosen file. It is copied into each project.
import { compress } from "filepress";
import { outcomeOf } from "./outcome.mjs";

/** What `compress` makes of the file in the page's form. */
export async function compressFile(options) {
  const [file] = document.querySelector("input").files;
  return outcomeOf(await compress(file, options));
}
