// The software bill of materials of the package, in CycloneDX 1.6: the crates that its WebAssembly files are compiled from. The package
// has no npm dependencies.
import { readFileSync } from "node:fs";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { PackageURL } from "packageurl-js";
import { linkedCrates } from "./notices.mjs";

const licenseFactory = new Contrib.License.Factories.LicenseFactory((expression) => expression);

/** The document as JSON, the same for the same package. `manifest` is the package's package.json. */
export function billOfMaterials(manifest) {
  const bom = new Models.Bom();
  bom.metadata.component = component("npm", manifest);
  const hashes = checksums();
  for (const { name, version, license, authors, source } of linkedCrates()) {
    const part = component("cargo", { name, version, license, author: authors.join(", ") || undefined });
    const hash = source && hashes.get(`${name} ${version}`);
    if (hash) part.hashes.set(Enums.HashAlgorithm["SHA-256"], hash);
    bom.components.add(part);
    bom.metadata.component.dependencies.add(part.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function component(registry, { name, version, license, author }) {
  const purl = new PackageURL(registry, undefined, name, version).toString();
  const part = new Models.Component(Enums.ComponentType.Library, name, { version, author, purl, bomRef: purl });
  // Older manifests of crates separate alternatives by a slash.
  if (license) part.licenses.add(licenseFactory.makeFromString(license.replace(/\s*\/\s*/g, " OR ")));
  return part;
}

/** The SHA-256 of each crate of the registry, by name and version. */
function checksums() {
  const lock = readFileSync("Cargo.lock", "utf8");
  const entries = lock.matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource = .+\nchecksum = "(\w+)"$/gm);
  return new Map([...entries].map(([, name, version, checksum]) => [`${name} ${version}`, checksum]));
}
