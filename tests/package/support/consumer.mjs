// A small project that has installed the package as users do: from the tarball, by npm, without a network.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const tarball = fileURLToPath(new URL("../../../dist/filepress.tgz", import.meta.url));

/** Makes the project in a new folder that is gone when this process ends. */
export function createConsumer() {
  if (!existsSync(tarball)) throw new Error("dist/filepress.tgz is not there: run `make package` first");
  const folder = mkdtempSync(join(tmpdir(), "filepress-consumer-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const quiet = ["--offline", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...quiet, tarball], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });

  const installed = join(folder, "node_modules", "filepress");
  return {
    folder,
    /** The installed package's own folder. */
    installed,
    manifest: JSON.parse(readFileSync(join(installed, "package.json"), "utf8")),
    /** Writes a file of the project; returns its path. */
    write(name, contents) {
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
