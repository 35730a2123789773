// `make publish`: publishes the built package on npm, and writes its bill of materials beside the tarball. Refuses while project.json is
// incomplete, and with changes that are not committed. ARGS="--dry-run" is passed on to npm.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { billOfMaterials } from "./package/sbom.mjs";
import { missingMembers, readProject } from "./project.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const missing = missingMembers(readProject());
if (missing.length > 0) refuse(`project.json does not name ${missing.join(", ")} yet`);
if (execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" }) !== "") refuse("there are changes that are not committed");

const manifest = JSON.parse(readFileSync("dist/package/package.json", "utf8"));
writeFileSync("dist/filepress.cdx.json", billOfMaterials(manifest));
execFileSync("npm", ["publish", "dist/filepress.tgz", "--access", "public", ...process.argv.slice(2)], { stdio: "inherit" });
console.log("publish: dist/filepress.cdx.json belongs to the release as its bill of materials");

function refuse(reason) {
  console.error(`publish: refused, since ${reason}`);
  process.exit(1);
}
