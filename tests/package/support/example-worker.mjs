// The Worker of examples/worker/ in miniflare, with its wrangler.jsonc and the installed package.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, startWorker } from "./workerd.mjs";

const example = fileURLToPath(new URL("../../../examples/worker", import.meta.url));

/** `bindings` go over the `vars` of its configuration. */
export async function startExample(consumer, bindings) {
  const folder = join(consumer.folder, "worker");
  cpSync(example, folder, { recursive: true });
  const { vars, ratelimits, main } = JSON.parse(readFileSync(join(folder, "wrangler.jsonc"), "utf8").replaceAll(/^\s*\/\/.*$/gm, ""));
  const { modules } = await bundle(join(folder, main));
  return startWorker(modules, {
    bindings: { ...vars, ...bindings },
    ratelimits: Object.fromEntries(ratelimits.map(({ name, simple }) => [name, { simple }])),
    cachePersist: false,
  });
}
