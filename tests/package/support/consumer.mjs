// A small project that installs the package from the tarball by npm, as users do. Without dependencies of its own it
// needs no network.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const tarball = fileURLToPath(new URL("../../../dist/filepress.tgz", import.meta.url));
const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Makes the project in a new folder that is gone when this process ends. `template` is a folder with a package.json, a lock
 * file and what else belongs to the project: it is copied, and its own dependencies are installed first.
 */
export function createConsumer(template) {
  if (!existsSync(tarball)) throw new Error("dist/filepress.tgz is not there: run `make package` first");
  const folder = mkdtempSync(join(tmpdir(), "filepress-consumer-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const npm = (...args) => execFileSync("npm", [...args, ...quiet], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (template) {
    cpSync(template, folder, { recursive: true });
    npm("ci", "--prefer-offline");
  } else {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  }
  npm("install", "--offline", "--no-save", tarball);

  const installed = join(folder, "node_modules", "filepress");
  return {
    folder,
    /** The installed package's own folder. */
    installed,
    manifest: JSON.parse(readFileSync(join(installed, "package.json"), "utf8")),
    /** Writes a file of the project; returns its path. */
    write(name, contents) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), contents);
      return join(folder, name);
    },
    /** What `import … from specifier` gives to a program of the project in this Node. */
    import(specifier = "filepress") {
      const name = `${specifier.replaceAll(/\W/g, "-")}.mjs`;
      return import(pathToFileURL(this.write(name, `export * from ${JSON.stringify(specifier)};\n`)));
    },
  };
}
