// JPEG XL by Debian's cjxl and djxl, which take PNG, GIF and JPEG files, and make PNG files.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readWithSharp } from "./sharp.mjs";

/** The file that cjxl makes of a PNG, GIF or JPEG file; `settings` are its arguments, by default without loss. */
export const encodeJxl = (file, ...settings) => {
  const given = settings.length > 0 ? settings : ["-d", "0", "-e", "3"];
  const extension = { 0xff: "jpg", 0x47: "gif" }[file[0]] ?? "png";
  return run("cjxl", file, extension, "jxl", [...given, "--quiet"]);
};

/** The PNG that djxl makes of a file. */
export const decodeJxl = (file) => run("djxl", file, "jxl", "png", ["--quiet"]);

export const read = (file) => readWithSharp(decodeJxl(file));

function run(program, file, from, to, settings) {
  const folder = mkdtempSync(join(tmpdir(), "filepress-jxl-"));
  try {
    const [source, target] = [join(folder, `source.${from}`), join(folder, `target.${to}`)];
    writeFileSync(source, file);
    execFileSync(program, [source, target, ...settings], { stdio: "pipe" });
    return readFileSync(target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
