// The images that a pull request adds or changes. Their names come from whoever made the pull request.
import { lstatSync, realpathSync } from "node:fs";
import { extname, join, sep } from "node:path";

/** What compresses in place and is common in repositories. */
const EXTENSIONS = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".svg"];

/** The paths in `workspace` of `files`, which are those of GitHub's API. Links, and what a link leads to, are left out. */
export function changedImages(files, workspace) {
  const root = realpathSync(workspace);
  const present = files.filter(({ status }) => status !== "removed").map(({ filename }) => filename);
  return present.filter((name) => EXTENSIONS.includes(extname(name).toLowerCase()) && isRegular(root, name));
}

function isRegular(root, name) {
  try {
    const path = join(root, name);
    return lstatSync(path).isFile() && realpathSync(path) === path && path.startsWith(root + sep);
  } catch {
    return false;
  }
}
