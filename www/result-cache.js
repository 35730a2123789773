// Results by file and call, so that settings that were tried before cost nothing. Those used longest ago leave first.

/** Bytes of all results together. */
const ROOM = 128e6;

/** Outcomes by file and call, in the order of their last use. */
const kept = new Map();
let bytes = 0;

const keyOf = (id, call) => `${id} ${JSON.stringify(call)}`;
const ids = new WeakMap();
let count = 0;

function idOf(file) {
  if (!ids.has(file)) ids.set(file, count++);
  return ids.get(file);
}

/** The outcome `{ result, ms }` of a call for a file, or undefined. */
export function recall(file, call) {
  const key = keyOf(idOf(file), call);
  const outcome = kept.get(key);
  if (!outcome) return undefined;
  kept.delete(key);
  kept.set(key, outcome);
  return outcome;
}

/** Keeps an outcome. One that is larger than the room is not kept. */
export function remember(file, call, outcome) {
  const key = keyOf(idOf(file), call);
  if (kept.has(key) || outcome.result.outputSize > ROOM) return;
  kept.set(key, outcome);
  bytes += outcome.result.outputSize;
  for (const [oldest, { result }] of kept) {
    if (bytes <= ROOM) return;
    kept.delete(oldest);
    bytes -= result.outputSize;
  }
}

/** Drops all outcomes of a file. */
export function forget(file) {
  const prefix = `${idOf(file)} `;
  for (const [key, { result }] of kept) {
    if (!key.startsWith(prefix)) continue;
    kept.delete(key);
    bytes -= result.outputSize;
  }
}
