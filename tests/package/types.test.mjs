// The type declarations compared with the code: strict TypeScript accepts a program that uses every symbol and
// refuses wrong ones, and the declarations name exactly what the entries export.
import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createConsumer } from "./support/consumer.mjs";
import { sample } from "./support/samples.mjs";

const consumer = createConsumer();
const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const read = (names) => names.map((name) => readFileSync(join(consumer.installed, name), "utf8")).join("\n");
const filesOf = (folder) => readdirSync(join(consumer.installed, folder)).filter((name) => name.endsWith(".d.ts")).map((name) => join(folder, name));
const declarations = read(["index.d.ts", ...filesOf("types")]);
/** Those of the plug-ins, which projects of tests/consumers/ compile with the libraries that they are for. */
const pluginDeclarations = read(filesOf("types/plugins"));
const usage = readFileSync(new URL("./support/usage.ts", import.meta.url), "utf8");

/** What tsc says of a program, as lines; none when it is content. */
function complaints(name, program, settings = ["--module", "nodenext"]) {
  const file = consumer.write(name, program);
  const flags = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--types", "", "--skipLibCheck", "false", ...settings];
  try {
    execFileSync(process.execPath, [compiler, "--ignoreConfig", ...flags, file], { cwd: consumer.folder, encoding: "utf8" });
    return [];
  } catch ({ stdout }) {
    return stdout.trim().split("\n");
  }
}

test("a strict program that uses everything compiles, for Node and for bundlers", () => {
  assert.deepEqual(complaints("usage.ts", usage), []);
  assert.deepEqual(complaints("usage.ts", usage, ["--module", "esnext", "--moduleResolution", "bundler"]), []);
});

test("a program without TypeScript's DOM library compiles, with the types of Node", () => {
  const program = `
    import { compress, decode, init } from "filepress";
    export const size = async (bytes: Uint8Array): Promise<number> => (await compress(bytes, { to: "webp" })).blob.size + (await decode(bytes)).width;
    export const start = (): Promise<void> => init({ wasm: new Uint8Array() });\n`;
  const settings = ["--module", "nodenext", "--lib", "es2022", "--types", "node", "--typeRoots", fileURLToPath(new URL("../../node_modules/@types", import.meta.url))];
  assert.deepEqual(complaints("without-dom.ts", program, settings), []);
});

test("a mistake is one error that names it", () => {
  const mistakes = {
    'compress(file, { to: "jpgg" })': /"jpgg"/,
    'convert(file, "jpgg")': /"jpgg"/,
    'compressAll([file], { to: "jpgg" })': /"jpgg"/,
    "compress(file, { qualty: 80 })": /qualty/,
    'compress(file, { quality: "80" })': /"80"/,
    "compress(42)": /number/,
  };
  const lines = complaints("mistakes.ts", `import { compress, compressAll, convert } from "filepress";\ndeclare const file: File;\n${Object.keys(mistakes).join(";\n")};\n`);
  const errors = lines.join("\n").split(/^(?=\S+\(\d+,\d+\): error)/m);
  assert.equal(errors.length, Object.keys(mistakes).length, errors.join("\n"));
  for (const [index, pattern] of Object.values(mistakes).entries()) assert.match(errors[index], pattern);
});

test("that program uses every symbol of the types", () => {
  const names = [...declarations.matchAll(/^export (?:abstract )?(?:class|function|interface|type) (\w+)/gm)].map(([, name]) => name);
  assert.ok(names.length >= 30, `${names.length} symbols found`);
  assert.deepEqual(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(usage)), []);
});

test("the types name exactly the values that the entries export", async () => {
  const exported = Object.keys(await consumer.import()).sort();
  const browser = Object.keys(await import(join(consumer.installed, "index.browser.js"))).sort();
  assert.deepEqual(browser, exported);
  const members = exported.map((name) => `${name}: 0`).join(", ");
  // Missing members and members too many are both errors.
  const program = `import * as filepress from "filepress";\nexport const all: Record<keyof typeof filepress, 0> = { ${members} };\n`;
  assert.deepEqual(complaints("exported.ts", program), []);
  assert.match(complaints("fewer.ts", program.replace("compress: 0, ", ""))[0] ?? "", /'compress' is missing/);
});

test("results have the members that the types name", async () => {
  const { compress, formats, inspect, score } = await consumer.import();
  const photo = await sample("baseline.jpg");
  const made = { Result: await compress(photo, { quality: "auto" }), Inspection: await inspect(photo), Score: await score(photo, photo), Format: (await formats())[0] };
  for (const [name, object] of Object.entries(made)) {
    const [, body] = declarations.match(new RegExp(`^export interface ${name} \\{(.*?)^\\}`, "ms"));
    const members = [...body.matchAll(/^  (\w+)\??(?:\(\))?:/gm)].map(([, member]) => member);
    assert.deepEqual(Object.keys(object).sort(), members.sort(), name);
  }
});

test("every exported symbol and every member of an interface is documented", () => {
  const lines = `${declarations}\n${pluginDeclarations}`.split("\n").map((line, index, all) => ({ line, documented: all[index - 1]?.trim().endsWith("*/") }));
  const symbols = lines.filter(({ line }) => /^export (?!\*)/.test(line));
  const members = lines.filter(({ line }) => /^  \w+\??(\(.*\))?:.*;$/.test(line));
  assert.ok(symbols.length >= 30 && members.length >= 45, `${symbols.length} symbols, ${members.length} members`);
  assert.deepEqual([...symbols, ...members].filter(({ documented }) => !documented).map(({ line }) => line), []);
});
