// `make docs`: the documentation as a folder for any static host, dist/docs/: the documents of the repository and the API reference, both
// by TypeDoc, and the demo page in demo/. Addresses are relative, so that it may lie in a folder of its host.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readProject } from "./project.mjs";
import { siteFolder } from "./site.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tools = join(root, "scripts", "docs");

/** Where the documentation is put. */
const docsFolder = join(root, "dist", "docs");

/** The documents by the group of the navigation in which they stand; a folder stands for those in it but its README.md. */
const DOCUMENTS = {
  Guides: ["docs/options.md", "docs/errors.md", "docs/command-line.md", "docs/frameworks.md", "docs/bundlers.md", "docs/plugins.md", "docs/migrating.md", "docs/limits.md"],
  Recipes: ["docs/recipes/", "examples/node/README.md", "examples/worker/README.md"],
  Server: ["docs/client.md", "server/README.md", "docs/hosting.md", "docs/demo-page.md"],
  Project: ["BENCHMARKS.md", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/decisions/README.md"],
  Decisions: ["docs/decisions/"],
};
/** A link to this host is one to the demo page. TypeDoc takes no relative address for its navigation. */
const DEMO = "https://demo.invalid/";

/** Builds the documentation anew, from the built demo page; returns its folder. */
export function buildDocs(folder = docsFolder) {
  installTools();
  const source = `${folder}-source`;
  for (const each of [folder, source]) rmSync(each, { recursive: true, force: true });
  stage(source);
  const typedoc = join(tools, "node_modules", "typedoc", "bin", "typedoc");
  execFileSync(process.execPath, [typedoc, "--options", "typedoc.json", "--out", folder], { cwd: source, stdio: ["ignore", "ignore", "inherit"] });
  linkDemo(folder);
  cpSync(siteFolder, join(folder, "demo"), { recursive: true });
  rmSync(source, { recursive: true });
  return folder;
}

function installTools() {
  const lock = readFileSync(join(tools, "package-lock.json"), "utf8");
  const stamp = join(tools, "node_modules", ".installed-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: tools, stdio: "inherit" });
  writeFileSync(stamp, lock);
}

/** Puts what TypeDoc reads into a folder: the types, the documents with their titles, and the settings. */
function stage(source) {
  cpSync(join(root, "pkg-template", "index.d.ts"), join(source, "filepress.d.ts"));
  cpSync(join(root, "pkg-template", "types"), join(source, "types"), { recursive: true });
  cpSync(join(root, "README.md"), join(source, "README.md"));
  for (const [path, group] of documents()) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), titled(path, group));
  }
  for (const name of readdirSync(join(root, "docs")).filter((name) => name.endsWith(".png"))) cpSync(join(root, "docs", name), join(source, "docs", name));
  const compilerOptions = { target: "es2022", lib: ["es2022", "dom", "dom.iterable"], module: "nodenext", strict: true, types: [] };
  writeFileSync(join(source, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["filepress.d.ts"] }));
  writeFileSync(join(source, "package.json"), JSON.stringify({ name: "filepress", type: "module" }));
  writeFileSync(join(source, "typedoc.json"), JSON.stringify(settings(), null, 2));
}

function settings() {
  const { repository } = readProject();
  return {
    name: "filepress",
    entryPoints: ["filepress.d.ts"],
    projectDocuments: documents().map(([path]) => path),
    readme: "README.md",
    disableSources: true,
    disableGit: true,
    hideGenerator: true,
    includeVersion: false,
    sort: ["source-order"],
    groupOrder: [...Object.keys(DOCUMENTS).slice(0, 2), "Functions", "Classes", "Interfaces", "Type Aliases", ...Object.keys(DOCUMENTS).slice(2)],
    navigation: { includeGroups: true },
    navigationLinks: { "Demo page": DEMO, ...(repository && { "Source code": repository }) },
    treatWarningsAsErrors: true,
    highlightLanguages: ["javascript", "typescript", "json", "shellscript", "html", "rust", "vue", "jsx", "svelte", "astro", "toml", "jsonc", "ini", "yaml"],
  };
}

/** The documents, each with its group. */
function documents() {
  const markdown = (folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
  const inFolder = (entry) => (entry.endsWith("/") ? markdown(entry).filter((path) => !path.endsWith("README.md")).sort() : [entry]);
  return Object.entries(DOCUMENTS).flatMap(([group, entries]) => entries.flatMap(inFolder).map((path) => [path, group]));
}

/** A document with its first heading as the title that the navigation shows. */
function titled(path, group) {
  const text = readFileSync(join(root, path), "utf8");
  const [heading, title] = /^# (.*)\n/m.exec(text);
  // In the anchor of a heading GitHub leaves out an arrow that TypeDoc keeps.
  const body = text.replace(heading, "").replace(/(\]\([^)]*#\w+)--(\w+\))/g, "$1-→-$2");
  return `---\ntitle: ${JSON.stringify(title)}\ngroup: ${group}\n---\n${body}`;
}

/** Makes the links to the demo page relative. */
function linkDemo(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".html"))) {
    const path = join(folder, name);
    const up = "../".repeat(name.split("/").length - 1);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(DEMO, `${up}demo/`));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(`docs: ${buildDocs()}`);
