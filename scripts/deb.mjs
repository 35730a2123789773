// `make deb`: builds the Debian package of the server, dist/filepress-server_VERSION_ARCHITECTURE.deb, and prints its path. The binary is
// the one that FILEPRESS_SERVER names, else that of `make server`.
//   --output FOLDER   where the package goes
//   --fast            compresses in seconds; for tests
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { control, writeControl } from "./deb/control.mjs";
import { stageFiles } from "./deb/files.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
process.umask(0o022);
// dpkg-deb takes it as the newest time of a file, so that the same commit makes the same package. A copy without a history has none.
process.env.SOURCE_DATE_EPOCH ??= spawnSync("git", ["log", "-1", "--format=%ct"], { encoding: "utf8" }).stdout?.trim() || `${Math.floor(Date.now() / 1000)}`;

const { values } = parseArgs({ options: { output: { type: "string", default: "dist" }, fast: { type: "boolean", default: false } } });
const target = process.env.CARGO_TARGET_DIR ?? "target";
const binary = resolve(process.env.FILEPRESS_SERVER ?? join(target, "server", "filepress-server"));

const stage = mkdtempSync(join(tmpdir(), "filepress-deb-"));
try {
  const fields = control(binary);
  const root = join(stage, "root");
  stageFiles(root, binary, fields);
  writeControl(root, fields);
  mkdirSync(values.output, { recursive: true });
  const path = join(values.output, `${fields.Package}_${fields.Version}_${fields.Architecture}.deb`);
  const compression = values.fast ? ["-Zgzip", "-z1"] : ["-Zxz"];
  execFileSync("dpkg-deb", ["--root-owner-group", ...compression, "--build", root, path], { stdio: ["ignore", "ignore", "inherit"] });
  console.log(path);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
