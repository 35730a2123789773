// The Debian package: what is in it, and what is left of it in a bare Debian with systemd where the commands of docs/hosting.md install
// it, convert a first image, and purge it. The binary is that of the tests, since what is tested is the package.
import { strict as assert } from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import sharp from "sharp";
import { prepareSystem, run } from "./support/system.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
/** Of the scale of `systemd-analyze security`, 0 (nothing allowed) to 100. The unit has 30; without its hardening it would have 92. */
const MOST_EXPOSURE = 35;

const folder = mkdtempSync(join(tmpdir(), "filepress-deb-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const printed = execFileSync("node", ["scripts/deb.mjs", "--fast", "--output", folder], { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const deb = printed.trim();
const program = resolve(ROOT, process.env.FILEPRESS_SERVER);

const { root: system, obstacle } = prepareSystem();

const query = (...args) => execFileSync("dpkg-deb", args, { encoding: "utf8" });
const lines = (text) => text.trim().split("\n");

test("the package has the program, its settings, its manual and its completions", () => {
  const contents = new Map(lines(query("--contents", deb)).map((line) => [line.split(/\s+/)[5].replace(/^\./, ""), line.split(/\s+/).slice(0, 2).join(" ")]));
  for (const [path, mode] of [
    ["/usr/bin/filepress-server", "-rwxr-xr-x root/root"],
    ["/usr/lib/systemd/system/filepress.service", "-rw-r--r-- root/root"],
    ["/etc/filepress/filepress.toml", "-rw-r--r-- root/root"],
    ["/etc/filepress/filepress.env", "-rw------- root/root"],
    ["/usr/share/doc/filepress-server/copyright", "-rw-r--r-- root/root"],
    ["/usr/share/doc/filepress-server/THIRD-PARTY-LICENSES.txt.gz", "-rw-r--r-- root/root"],
    ["/usr/share/bash-completion/completions/filepress-server", "-rw-r--r-- root/root"],
    ["/usr/share/fish/vendor_completions.d/filepress-server.fish", "-rw-r--r-- root/root"],
    ["/usr/share/zsh/vendor-completions/_filepress-server", "-rw-r--r-- root/root"],
  ]) {
    assert.equal(contents.get(path), mode, path);
  }
  const { stdout } = spawnSync(program, ["--help"], { encoding: "utf8" });
  const commands = [...stdout.split("Commands:")[1].split("Options:")[0].matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name).filter((name) => name !== "help");
  assert.ok(commands.length >= 8, stdout);
  for (const command of commands) assert.ok(contents.has(`/usr/share/man/man1/filepress-server-${command}.1.gz`), command);
});

test("the package depends on what the program loads, and recommends what converts", () => {
  const field = (name) => query("--field", deb, name);
  assert.match(field("Depends"), /\badduser\b.*\blibc6 \(>= /);
  for (const tool of ["bubblewrap", "ffmpeg", "ghostscript", "qpdf", "libheif-examples", "poppler-utils"]) assert.match(field("Recommends"), new RegExp(`\\b${tool}\\b`));
  assert.match(field("Maintainer"), /^.+ <.+@.+>$/m);
  const version = execFileSync(program, ["--version"], { encoding: "utf8" }).trim().split(" ")[1];
  assert.equal(field("Version").trim(), `${version}-1`);
});

test("the same files make the same package", () => {
  const again = mkdtempSync(join(folder, "again-"));
  execFileSync("node", ["scripts/deb.mjs", "--fast", "--output", again], { cwd: ROOT, stdio: "ignore" });
  assert.equal(spawnSync("cmp", [deb, join(again, deb.split("/").at(-1))]).status, 0);
});

test("every setting of the example files is one that the server knows", () => {
  const help = execFileSync(program, ["serve", "--help"], { encoding: "utf8" });
  const read = (name) => readFileSync(join(ROOT, "server/deploy", name), "utf8");
  const settings = [...read("filepress.toml").matchAll(/^(?:# )?([a-z-]+) = /gm)].map(([, name]) => name);
  assert.ok(settings.length >= 8);
  for (const setting of settings) assert.match(help, new RegExp(`--${setting} `), setting);
  const variables = [...read("filepress.env").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  assert.ok(variables.length >= 5);
  // Those of the object store are not flags.
  for (const variable of variables.filter((name) => !name.startsWith("AWS_"))) assert.match(help, new RegExp(`\\[env: ${variable}[=\\]]`), variable);
});

const without = (name, what) => (spawnSync(name, ["--version"]).error ? `${name} not found: ${what}` : false);

test("lintian finds no error", { skip: without("lintian", "the package is not held against Debian's policy") }, () => {
  const { stdout } = spawnSync("lintian", ["--allow-root", "--fail-on", "error", deb], { encoding: "utf8" });
  assert.deepEqual(lines(stdout).filter((line) => line.startsWith("E:")), []);
});

test("the unit exposes little", { skip: without("systemd-analyze", "the unit's hardening is not judged") }, () => {
  const unit = join(ROOT, "server/deploy/filepress.service");
  const { status, stdout } = spawnSync("systemd-analyze", ["security", "--no-pager", "--offline=true", `--threshold=${MOST_EXPOSURE}`, unit], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

/** The blocks of commands of the guide, from a heading to the next one. */
function commandsOf(heading) {
  const section = readFileSync(join(ROOT, "docs/hosting.md"), "utf8").split(`\n## ${heading}\n`)[1].split("\n### ")[0];
  return [...section.matchAll(/```sh shell\n(.*?)```/gs)].map(([, commands]) => commands);
}

const SNAPSHOT = `find / -xdev \\( -path /root -o -path /tmp -o -path /proc -o -path /sys -o -path /dev -o -path /run \\) -prune -o -print`;

/** Until a unit has said this in the journal, once more than before. */
const WAIT = `await() { for _ in $(seq 300); do if [ "$(journalctl -u filepress | grep -c "$1")" -ge "$2" ]; then return; fi; sleep 0.2; done; journalctl -u filepress; return 1; }`;

test("in a bare Debian, the commands of the guide convert a first image, and a purge leaves only the data directory", { skip: obstacle ?? false }, async () => {
  const [make, install, first] = commandsOf("One machine");
  assert.equal(make, "make deb\n");
  cpSync(deb, join(system, "root", deb.split("/").at(-1)));
  const photo = sharp({ create: { width: 320, height: 200, channels: 3, noise: { type: "gaussian", mean: 128, sigma: 20 } } });
  writeFileSync(join(system, "root/photo.png"), await photo.png().toBuffer());
  // There is nobody to ask, and no network, from which what converts video would come.
  writeFileSync(join(system, "etc/apt/apt.conf.d/90test"), 'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n');
  const { status, log } = run(system, `${WAIT}
${SNAPSHOT} | sort >before
${install}
await 'listening on' 1
systemctl is-enabled filepress
systemd-analyze verify --man=no filepress.service
journalctl -u filepress >journal
${first}
systemctl show filepress --property=MainPID --value | xargs -I{} cat /proc/{}/status >process
stat -c '%U %a %n' /var/lib/filepress /var/lib/filepress/filepress.sqlite >owners
# An update keeps what the administrator wrote, and restarts the service.
echo 'metrics-listen = "127.0.0.1:9464"' >>/etc/filepress/filepress.toml
apt-get install --reinstall ./filepress-server_*.deb
await 'listening on' 2
curl -fsS http://127.0.0.1:9464/readyz
systemctl reload filepress
apt-get remove filepress-server
! systemctl is-active filepress
test -e /etc/filepress/filepress.toml
apt-get purge filepress-server
${SNAPSHOT} | sort >after
comm -13 before after >left
id filepress`);
  assert.equal(status, 0, log);
  const said = (name) => readFileSync(join(system, "root", name), "utf8");
  const { format, width, height } = await sharp(readFileSync(join(system, "root/photo.webp"))).metadata();
  assert.deepEqual({ format, width, height }, { format: "webp", width: 320, height: 200 });
  assert.match(said("journal"), /sandbox of the tools kind="bubblewrap" user=filepress/, "the unit leaves the strongest sandbox possible");
  assert.match(said("process"), /^CapBnd:\s+0+$/m);
  assert.match(said("process"), /^NoNewPrivs:\s+1$/m);
  assert.deepEqual(lines(said("owners")), ["filepress 700 /var/lib/filepress", "filepress 600 /var/lib/filepress/filepress.sqlite"]);
  const isData = (path) => path.startsWith("/var/lib/filepress");
  // The account stays, and with it the backup of the list of accounts; apt and systemd keep their own notes.
  const isNote = (path) => /^\/etc\/(passwd|group|shadow|gshadow|subuid|subgid)-$|^\/var\/(log|cache|lib\/(apt|dpkg|systemd))\//.test(path);
  const left = lines(said("left"));
  assert.deepEqual(left.filter((path) => !isData(path) && !isNote(path)), []);
  assert.deepEqual(left.filter((path) => isNote(path) && path.includes("filepress")), []);
  assert.ok(left.includes("/var/lib/filepress/filepress.sqlite"), "users' files are kept");
});
