// Makes every image of a folder, and of the folders in it, smaller: `node shrink.mjs photos small`. The copy has the same structure
// and the same names; what is no image, or does not get smaller, is copied as it is.
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { compress, FilepressError } from "filepress";

const [from, to] = process.argv.slice(2);
if (!from || !to || !relative(resolve(from), resolve(to)).startsWith("..")) {
  console.error("usage: node shrink.mjs FOLDER COPY, where COPY is outside of FOLDER");
  process.exit(2);
}

const sums = { smaller: 0, copied: 0, failed: 0, before: 0, after: 0 };

async function shrink(path) {
  const target = join(to, relative(from, path));
  await mkdir(dirname(target), { recursive: true });
  const bytes = await readFile(path);
  sums.before += bytes.length;
  const result = await compress(bytes, { quality: 80, resize: { maxWidth: 2560, maxHeight: 2560 } }).catch((error) => refused(path, error));
  if (result && result.outputSize < bytes.length) {
    await writeFile(target, await result.bytes());
    sums.smaller += 1;
    sums.after += result.outputSize;
  } else {
    await copyFile(path, target);
    sums.copied += 1;
    sums.after += bytes.length;
  }
}

/** What is no image is copied in silence; a damaged one is named. */
function refused(path, error) {
  if (!(error instanceof FilepressError)) throw error;
  if (["unknown_type", "unsupported_type", "needs_service", "empty_input"].includes(error.code)) return;
  sums.failed += 1;
  console.error(`${path}: ${error.message}`);
}

const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(({ code }) => {
  console.error(`${from} is no folder that can be read (${code})`);
  process.exit(2);
});
const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name)).values();

// The package does as many calls at once as there are processors; more files than that need not be in memory.
await Promise.all(Array.from({ length: availableParallelism() }, async () => {
  for (const path of files) await shrink(path);
}));

const { smaller, copied, failed, before, after } = sums;
const share = before > 0 ? Math.round((100 * (before - after)) / before) : 0;
console.log(`${smaller} made smaller, ${copied} copied; ${before} bytes became ${after}, ${share} % less`);
process.exitCode = failed > 0 ? 1 : 0;
