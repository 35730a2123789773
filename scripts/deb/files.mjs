// The files of the Debian package, laid out below a folder as they are below / later.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { thirdPartyNotices } from "../package/notices.mjs";

const DEPLOY = "server/deploy";

/** Lays out everything but DEBIAN/. `binary` is the server, which also writes its manual pages and shell completions. */
export function stageFiles(root, binary, fields) {
  const documents = `usr/share/doc/${fields.Package}`;
  const put = (path, contents, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), contents);
    chmodSync(join(root, path), mode);
  };
  const copy = (from, path, mode) => put(path, readFileSync(from), mode);
  const compress = (path, contents) => put(`${path}.gz`, gzipSync(contents, { level: 9 }));

  mkdirSync(join(root, "usr/bin"), { recursive: true });
  copyFileSync(binary, join(root, "usr/bin/filepress-server"));
  chmodSync(join(root, "usr/bin/filepress-server"), 0o755);
  execFileSync("strip", ["--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", join(root, "usr/bin/filepress-server")]);
  execFileSync(binary, ["generate", "--folder", join(root, "usr/share")], { stdio: ["ignore", "ignore", "inherit"] });
  const manual = "usr/share/man/man1";
  for (const page of readdirSync(join(root, manual))) {
    compress(join(manual, page), readFileSync(join(root, manual, page)));
    rmSync(join(root, manual, page));
  }
  copy(`${DEPLOY}/filepress.service`, "usr/lib/systemd/system/filepress.service");
  copy(`${DEPLOY}/filepress.toml`, "etc/filepress/filepress.toml");
  copy(`${DEPLOY}/filepress.env`, "etc/filepress/filepress.env", 0o600);
  put(`${documents}/copyright`, copyright());
  compress(`${documents}/THIRD-PARTY-LICENSES.txt`, thirdPartyNotices({ crate: "filepress-server", features: [], target: hostTarget() }));
  compress(`${documents}/README.md`, readFileSync("server/README.md"));
  compress(`${documents}/hosting.md`, readFileSync("docs/hosting.md"));
  compress(`${documents}/changelog`, readFileSync("CHANGELOG.md"));
  compress(`${documents}/changelog.Debian`, changelog(fields));
}

/** In the form of DEP-5. Debian has the text of the Apache license on every system. */
function copyright() {
  const [, holders, ...terms] = readFileSync("LICENSE-MIT", "utf8").trim().split("\n\n");
  const paragraphs = (texts) => texts.map((text) => text.replace(/^/gm, " ")).join("\n .\n");
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Comment: THIRD-PARTY-LICENSES.txt.gz has the licenses of the libraries that the program contains.

Files: *
Copyright: ${holders.replace(/^Copyright (\(c\) )?/, "")}
License: Expat or Apache-2.0

License: Expat
${paragraphs(terms)}

License: Apache-2.0
 On Debian systems, the text of this license is in
 /usr/share/common-licenses/Apache-2.0.
`;
}

function changelog({ Package, Version, Maintainer }) {
  const time = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toUTCString().replace("GMT", "+0000");
  return `${Package} (${Version}) unstable; urgency=medium\n\n  * Version ${Version.split("-")[0]}; changelog.gz has what is new.\n\n -- ${Maintainer}  ${time}\n`;
}

function hostTarget() {
  return execFileSync("rustc", ["--version", "--verbose"], { encoding: "utf8" }).match(/^host: (.+)$/m)[1];
}
