// `make profile WORK=jpeg`: where a case of the benchmark spends its time, as a table.
//
//   node benches/profile.mjs WORK [--picture NAME] [--quality N]   an id of cases.mjs, a name of corpus.mjs (default: the case's last)
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { table } from "../scripts/table.mjs";
import { openCorpus } from "./corpus.mjs";
import { profileOf } from "./profiler.mjs";
import { cases } from "./cases.mjs";

/** Functions below this share of the time are left out. */
const LEAST = 0.01;

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const options = { picture: { type: "string" }, quality: { type: "string" } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [id] = positionals;
const work = one(cases, ({ id: own }) => own === id, `WORK is one of ${cases.map((work) => work.id).join(", ")}`);
const picture = await open(values.picture ?? work.pictures.at(-1));
const asked = values.quality ? Number(values.quality) : work.start?.[0];
const { calls, shares, quality: used } = await profileOf(work, picture, asked);

console.log(`${work.title}: ${picture.name}, ${picture.width} × ${picture.height}, ${used ? `quality ${used}` : "lossless"}, ${calls} calls`);
const rows = shares.filter(([, share]) => share >= LEAST).map(([own, share]) => [`${(share * 100).toFixed(1)} %`, own]);
console.log(table([{ title: "share", right: true }, { title: "function" }], rows).join("\n"));

async function open(wanted) {
  const folder = mkdtempSync(join(tmpdir(), "filepress-profile-"));
  try {
    const corpus = await openCorpus(folder);
    return one(corpus, ({ name: own }) => own === wanted, `PICTURE is one of ${corpus.map((picture) => picture.name).join(", ")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function one(items, is, otherwise) {
  const found = items.find(is);
  if (found) return found;
  console.error(otherwise);
  process.exit(2);
}
