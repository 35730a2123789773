// A Debian with systemd and little else, which runs in a container of its own, without a network, until a script in it has ended.
//
// What this does not show: how the unit behaves on another kernel, and memory limits by cgroups where this machine has no such
// controllers.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What the guide's commands and the unit need beyond the smallest system. */
const INCLUDED = ["adduser", "bubblewrap", "ca-certificates", "curl", "jq", "systemd", "systemd-sysv"];
const TOOLS = resolve(process.env.FILEPRESS_TOOLS ?? join(import.meta.dirname, "..", "..", "..", ".tools"));
const BOOT_TIMEOUT_MS = 300_000;

/** A new system in a folder, which is gone when this process ends: { root }; or { obstacle }, why none can run here. */
export function prepareSystem() {
  if (process.getuid() !== 0) return { obstacle: "only root can start a system in a container: the package is neither installed nor purged" };
  const missing = ["debootstrap", "systemd-nspawn"].filter((program) => spawnSync(program, ["--version"]).error);
  if (missing.length > 0) return { obstacle: `${missing.join(" and ")} not found: the package is neither installed nor purged` };
  const archive = base();
  if (archive === undefined) return { obstacle: "debootstrap could not download a Debian, see above: the package is neither installed nor purged" };
  const root = mkdtempSync(join(tmpdir(), "filepress-debian-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  execFileSync("tar", ["--extract", "--numeric-owner", "--file", archive, "--directory", root]);
  chmodSync(root, 0o755);
  const { status, stderr } = spawnSync("systemd-nspawn", [...container(root), "/bin/true"], { encoding: "utf8" });
  return status === 0 ? { root } : { obstacle: `systemd-nspawn does not work here, so the package is neither installed nor purged: ${stderr.trim()}` };
}

/** Boots the system and runs a bash script in /root, as root; gives its exit status and what it printed. Afterwards, nothing is shut down. */
export function run(root, script) {
  const unit = ["[Unit]", "After=multi-user.target", "SuccessAction=exit-force", "FailureAction=exit-force", "[Service]", "Type=oneshot", "ExecStart=/root/run"];
  writeFileSync(join(root, "root/run"), `#!/bin/bash\ncd /root\nexec >log 2>&1\n(set -euo pipefail\n${script}\n)\necho $? >status\n`, { mode: 0o755 });
  writeFileSync(join(root, "etc/systemd/system/run.service"), `${unit.join("\n")}\n`);
  const wants = join(root, "etc/systemd/system/default.target.wants");
  mkdirSync(wants, { recursive: true });
  symlinkSync("../run.service", join(wants, "run.service"));
  const boot = spawnSync("systemd-nspawn", [...container(root), "--boot"], { encoding: "utf8", timeout: BOOT_TIMEOUT_MS });
  if (!existsSync(join(root, "root/status"))) throw new Error(`the system did not run the script:\n${boot.stdout}\n${boot.stderr}`);
  return { status: Number(readFileSync(join(root, "root/status"), "utf8")), log: readFileSync(join(root, "root/log"), "utf8") };
}

function container(root) {
  // Without a machine manager to register at, as in containers and virtual machines for tests.
  return ["--quiet", "--register=no", "--keep-unit", "--private-network", "--console=pipe", "--directory", root];
}

/** The archive of the system, made once for each list of packages; undefined without a mirror. */
function base() {
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8"))[1];
  const key = createHash("sha256").update(INCLUDED.join()).digest("hex").slice(0, 8);
  const archive = join(TOOLS, `debian-${suite}-${key}.tar`);
  if (existsSync(archive)) return archive;
  console.log(`downloading Debian ${suite} into ${archive} (minutes)`);
  const folder = mkdtempSync(join(tmpdir(), "filepress-debootstrap-"));
  try {
    // Without a mirror, debootstrap takes Debian's own.
    const { status } = spawnSync("debootstrap", ["--variant=minbase", `--include=${INCLUDED.join()}`, suite, folder], { stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0) return undefined;
    rmSync(join(folder, "var/cache/apt/archives"), { recursive: true, force: true });
    mkdirSync(TOOLS, { recursive: true });
    execFileSync("tar", ["--create", "--numeric-owner", "--one-file-system", "--file", `${archive}.part`, "--directory", folder, "."]);
    renameSync(`${archive}.part`, archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return archive;
}
