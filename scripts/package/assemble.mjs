// Assembles the package's folder: the hand-written template, the WebAssembly builds, and the documents.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adaptGlue } from "./glue.mjs";
import { manifestMembers, readProject } from "../project.mjs";
import { joinScripts } from "./join.mjs";
import { thirdPartyNotices } from "./notices.mjs";
import { readmeOfPackage } from "./readme.mjs";
import { wasmFolder } from "./wasm.mjs";

const TEMPLATE = "pkg-template";
const DOCUMENTS = ["CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

export function assemble(folder, builds) {
  rmSync(folder, { recursive: true, force: true });
  cpSync(TEMPLATE, folder, { recursive: true });
  for (const build of builds) {
    const destination = join(folder, "wasm", build);
    mkdirSync(destination, { recursive: true });
    cpSync(join(wasmFolder(build), "filepress_bg.wasm"), join(destination, "filepress_bg.wasm"));
    writeFileSync(join(destination, "filepress.js"), adaptGlue(build, readFileSync(join(wasmFolder(build), "filepress.js"), "utf8")));
  }
  joinScripts(folder);
  for (const file of DOCUMENTS) cpSync(file, join(folder, file));
  const project = readProject();
  writeFileSync(join(folder, "README.md"), readmeOfPackage(readFileSync("README.md", "utf8"), project));
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), thirdPartyNotices());
  completeManifest(join(folder, "package.json"), project);
}

/** Adds the version, which Cargo.toml alone names, and where the project lives. */
function completeManifest(manifest, project) {
  const metadata = JSON.parse(execFileSync("cargo", ["metadata", "--no-deps", "--locked", "--format-version", "1"], { encoding: "utf8" }));
  const { version } = metadata.packages.find(({ name }) => name === "filepress");
  const contents = { ...JSON.parse(readFileSync(manifest, "utf8")), version, ...manifestMembers(project) };
  writeFileSync(manifest, `${JSON.stringify(contents, null, 2)}\n`);
}
