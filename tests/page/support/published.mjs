// Publishes a new version of a site, as a deployment does.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Changes main.js in a folder of the site, and the list of its files, of which the service worker knows that. Resolves to the list. */
export async function publish(folder, version) {
  const [script, files] = ["main.js", "files.js"].map((name) => join(folder, name));
  await writeFile(script, `${await readFile(script, "utf8")}\n`);
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", await readFile(script))).toString("base64");
  const list = (await readFile(files, "utf8")).replace(/"version": "\w+"/, `"version": "${version}"`);
  const changed = list.replace(/("main\.js",\s+")[^"]+/, `$1sha256-${digest}`);
  await writeFile(files, changed);
  return changed;
}
