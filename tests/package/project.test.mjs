// project.json is the one place that says where the project lives: what follows from it filled in, and empty.
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { billOfMaterials } from "../../scripts/package/sbom.mjs";
import { readmeOfPackage } from "../../scripts/package/readme.mjs";
import { fillTexts } from "../../scripts/page-texts.mjs";
import { manifestMembers, missingMembers, readProject } from "../../scripts/project.mjs";
import { withProjectLinks } from "../../scripts/site/project-links.mjs";
import { CATALOG } from "../../www/text/en.js";
import { createConsumer } from "./support/consumer.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { manifest } = createConsumer();
const whole = { repository: "https://code.example/team/filepress.git", homepage: "https://filepress.example/", maintainer: "A Person <a@filepress.example>" };
const filled = readProject(JSON.stringify(whole));
const empty = readProject("{}");

test("the package has what project.json says, and npm refuses to publish it until that is whole", () => {
  const project = readProject();
  for (const [name, value] of Object.entries(manifestMembers(project))) assert.deepEqual(manifest[name], value, name);
  assert.equal(manifest.private, missingMembers(project).length > 0 ? true : undefined);
  assert.deepEqual(manifestMembers(empty), { private: true });
  assert.equal(manifestMembers(readProject(JSON.stringify({ ...whole, maintainer: "" }))).private, true);
  assert.deepEqual(manifestMembers(filled), {
    repository: { type: "git", url: "git+https://code.example/team/filepress.git" },
    bugs: "https://code.example/team/filepress/issues",
    homepage: "https://filepress.example/",
    author: "A Person <a@filepress.example>",
  });
});

test("addresses that are none, and unknown members, are refused", () => {
  for (const repository of ["code.example", "http://code.example", "https://code.example/?a", 'https://code.example/"']) {
    assert.throws(() => readProject(JSON.stringify({ repository })), /repository must be an https: address/);
  }
  assert.throws(() => readProject('{ "repo": "" }'), /unknown member repo/);
});

test("links of the README lead to the repository once it is known", () => {
  const text = "[Options](docs/options.md#errors) and [formats](#formats)";
  assert.equal(readmeOfPackage(text, empty), "Options and [formats](#formats)");
  assert.equal(readmeOfPackage(text, filled), "[Options](https://code.example/team/filepress/blob/HEAD/docs/options.md#errors) and [formats](#formats)");
});

test("the demo page links the source code and describes itself to others once their addresses are known", () => {
  const page = fillTexts(readFileSync(join(root, "www/index.html"), "utf8"), CATALOG.page);
  assert.equal(withProjectLinks(page, empty), page);
  const linked = withProjectLinks(page, filled);
  assert.match(linked, /<footer[^>]*>\s*<p>.+ <a id="source" href="https:\/\/code\.example\/team\/filepress"[^>]*>Source code<\/a><\/p>/);
  assert.match(linked, /<meta property="og:image" content="https:\/\/filepress\.example\/icons\/512\.png">/);
  assert.match(linked, /<link rel="canonical" href="https:\/\/filepress\.example\/">/);
  assert.equal(linked.match(/property="og:title" content="([^"]*)"/)[1], page.match(/<title[^>]*>([^<]+)</)[1]);
});

test("make publish refuses while project.json is incomplete, before anything else", () => {
  const folder = mkdtempSync(join(tmpdir(), "filepress-publish-"));
  for (const name of ["scripts", "node_modules/@cyclonedx", "node_modules/packageurl-js", "package.json"]) cpSync(join(root, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, "project.json"), JSON.stringify({ ...whole, homepage: "" }));
  const { status, stderr } = spawnSync(execPath, ["scripts/publish.mjs", "--dry-run"], { cwd: folder, encoding: "utf8" });
  assert.deepEqual([status, stderr], [1, "publish: refused, since project.json does not name homepage yet\n"]);
});

test("the bill of materials is valid CycloneDX and names every crate that the licenses name", async () => {
  const text = billOfMaterials(manifest);
  assert.equal(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text), null);
  const { components, metadata } = JSON.parse(text);
  assert.equal(metadata.component.purl, `pkg:npm/filepress@${manifest.version}`);
  const licenses = readFileSync(join(root, "dist/package/THIRD-PARTY-LICENSES.txt"), "utf8");
  assert.ok(components.length >= 50, `${components.length} components`);
  for (const { name, version, purl, licenses: own } of components) {
    assert.ok(licenses.includes(`${name} ${version} (`), name);
    assert.equal(purl, `pkg:cargo/${name}@${version}`);
    assert.equal(own?.length, 1, name);
  }
  assert.ok(components.filter(({ hashes }) => hashes?.length === 1).length >= 40, "checksums");
  assert.equal(billOfMaterials(manifest), text);
});
