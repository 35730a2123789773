// Collects the license texts of the crates compiled into the WebAssembly files, or into the server, of the sources that our own
// crates use, and of the fonts: MIT, BSD and Apache require that copies include them.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** What is built, as Cargo selects it: `full`, which has all that the smaller builds have, and `jxl`. */
const PACKAGE = { crate: "filepress", features: ["--no-default-features", "--features", "full,jxl"], target: "wasm32-unknown-unknown" };
const FONTS = "assets/fonts";
const WEBP = "codecs/webp";
/** Crates of which code was taken over rather than linked. */
const PORTED = ["ssimulacra2"];
const LICENSE_FILE = /^(licen[cs]e|copying|notice|copyright)/i;

export function thirdPartyNotices(build = PACKAGE) {
  const crates = linkedCrates(build).map(({ name, version, license, manifest_path }) => {
    const texts = licenseTexts(dirname(manifest_path));
    return [`${name} ${version} (${license ?? "see its text"})`, ...texts].join("\n\n");
  });
  const webp = ["Decisions and constants of libwebp (BSD-3-Clause)", ...licenseTexts(WEBP)].join("\n\n");
  const fonts = ["Fonts: subsets of Roboto and DejaVu Sans", ...licenseTexts(FONTS)].join("\n\n");
  const rule = `\n\n${"=".repeat(80)}\n\n`;
  return `filepress contains compiled code of these Rust crates, and fonts.${rule}${[...crates, webp, fonts].join(rule)}\n`;
}

/** The crates of other people that a build links: neither build scripts nor macros. */
export function linkedCrates({ crate, features, target } = PACKAGE) {
  const tree = cargo("tree", "--locked", "--package", crate, ...features, "--target", target, "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}");
  const linked = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages, workspace_members } = JSON.parse(cargo("metadata", "--locked", ...features, "--filter-platform", target, "--format-version", "1"));
  const counts = ({ name, version }) => linked.has(`${name} v${version}`) || PORTED.includes(name);
  return packages.filter((crate) => !workspace_members.includes(crate.id) && counts(crate));
}

function licenseTexts(folder) {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name));
  return files.map(({ name }) => readFileSync(join(folder, name), "utf8").trim());
}

function cargo(...args) {
  return execFileSync("cargo", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}
