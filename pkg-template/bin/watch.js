// --watch: looks at the inputs again and again, and runs the command on those that are new or have changed. Polling works on every file
// system and never misses a file; a change is taken up once the file has stopped growing.
import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const INTERVAL_MS = 500;

/**
 * `find` resolves to the inputs; `done` are those that were processed already; `run(inputs, isKnown, all)` processes some of all, which are
 * new or were processed before. Never resolves.
 */
export async function watch(find, done, run) {
  const processed = await signatures(done);
  let before = processed;
  for (;;) {
    await setTimeout(INTERVAL_MS);
    const inputs = await find();
    const now = await signatures(inputs);
    const isSettled = ({ path }) => now.get(path) !== undefined && now.get(path) === before.get(path);
    const changed = inputs.filter((input) => isSettled(input) && now.get(input.path) !== processed.get(input.path));
    before = now;
    const known = changed.filter(({ path }) => processed.has(path));
    const added = changed.filter(({ path }) => !processed.has(path));
    for (const { path } of changed) processed.set(path, now.get(path));
    if (known.length > 0) await run(known, true, inputs);
    if (added.length > 0) await run(added, false, inputs);
  }
}

/** Size and modification time of each file that exists. */
async function signatures(inputs) {
  const found = new Map();
  for (const { path, fault } of inputs) {
    const facts = fault ? undefined : await stat(path).catch(() => undefined);
    if (facts) found.set(path, `${facts.size} ${facts.mtimeMs}`);
  }
  return found;
}
