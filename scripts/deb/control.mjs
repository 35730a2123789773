// What dpkg is told of the package: its fields, its configuration files, and the scripts of server/deploy/debian/.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { readProject } from "../project.mjs";

const SCRIPTS = "server/deploy/debian";
/** What conversions are done with: images need none of them. */
const TOOLS = ["bubblewrap", "ffmpeg", "ghostscript", "libheif-examples", "poppler-utils", "qpdf"];

/** The fields of the package, without its size. */
export function control(binary) {
  const { homepage } = readProject();
  return {
    Package: "filepress-server",
    Version: `${version(binary)}-1`,
    Section: "net",
    Priority: "optional",
    Architecture: execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim(),
    Maintainer: maintainer(),
    Depends: ["adduser", libraries(binary)].join(", "),
    // The certificate authorities are for webhooks, and for a database or an object store over TLS.
    Recommends: ["ca-certificates", ...TOOLS].join(", "),
    ...(homepage && { Homepage: homepage }),
    Description: [
      "REST service that compresses and converts files",
      " Clients upload images, video, audio and PDF to signed URLs, create tasks that",
      " convert them, and download the results from signed URLs. Images need nothing",
      " but this package; the recommended packages convert the rest.",
      " .",
      " Runs on one machine with SQLite and a folder, or on many with PostgreSQL and",
      " an object store.",
    ].join("\n"),
  };
}

/** Writes DEBIAN/ beside the files of the package. */
export function writeControl(root, fields) {
  const files = readdirSync(root, { recursive: true }).filter((path) => statSync(join(root, path)).isFile()).sort();
  const kib = Math.ceil(files.reduce((sum, path) => sum + statSync(join(root, path)).size, 0) / 1024);
  const folder = join(root, "DEBIAN");
  mkdirSync(folder);
  const lines = Object.entries({ ...fields, "Installed-Size": kib }).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(folder, "control"), lines.join(""));
  const settings = files.filter((path) => path.startsWith("etc/"));
  writeFileSync(join(folder, "conffiles"), settings.map((path) => `/${path}\n`).join(""));
  const sums = files.filter((path) => !settings.includes(path)).map((path) => `${md5(join(root, path))}  ${path}\n`);
  writeFileSync(join(folder, "md5sums"), sums.join(""));
  for (const script of readdirSync(SCRIPTS)) copyFileSync(join(SCRIPTS, script), join(folder, script));
}

const md5 = (path) => createHash("md5").update(readFileSync(path)).digest("hex");

/** A pre-release sorts before its release, which in Debian's order of versions `~` says and `-` does not. */
function version(binary) {
  return execFileSync(binary, ["--version"], { encoding: "utf8" }).trim().split(" ").at(-1).replace("-", "~");
}

/** As Debian's tools find it: whoever builds a package answers for it, unless the project names somebody. */
function maintainer() {
  const { DEBFULLNAME, DEBEMAIL, EMAIL } = process.env;
  const configured = (name) => spawnSync("git", ["config", name], { encoding: "utf8" }).stdout?.trim() || undefined;
  const name = DEBFULLNAME ?? configured("user.name") ?? userInfo().username;
  const address = DEBEMAIL ?? EMAIL ?? configured("user.email") ?? `${userInfo().username}@${hostname()}`;
  return readProject().maintainer ?? `${name} <${address}>`;
}

/** The packages of the libraries that the binary loads, in the versions that it needs at least. */
function libraries(binary) {
  const folder = mkdtempSync(join(tmpdir(), "filepress-shlibs-"));
  try {
    // The program reads a source package, of which only the name matters here.
    mkdirSync(join(folder, "debian"));
    writeFileSync(join(folder, "debian/control"), "Source: filepress-server\n\nPackage: filepress-server\nArchitecture: any\n");
    const found = execFileSync("dpkg-shlibdeps", ["--warnings=0", "-O", binary], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    return found.trim().replace(/^shlibs:Depends=/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
