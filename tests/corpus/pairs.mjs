// Rows of option values such that each pair of values of two options occurs in a row.

/** `factors`: the values of each option by its name, `undefined` for its absence. `random` gives numbers from 0 to below 1. */
export function pairwise(factors, random) {
  const names = Object.keys(factors);
  const open = new Set(names.flatMap((a, i) => names.slice(i + 1).flatMap((b, j) => factors[a].flatMap((_, x) => factors[b].map((__, y) => key(i, x, i + 1 + j, y))))));
  const rows = [];
  while (open.size > 0) {
    const chosen = new Array(names.length);
    const [i, x, j, y] = [...open][Math.floor(random() * open.size)].split(",").map(Number);
    [chosen[i], chosen[j]] = [x, y];
    for (const at of names.keys()) chosen[at] ??= mostCovering(at, chosen);
    for (const [a, b] of combinations(names.length)) open.delete(key(a, chosen[a], b, chosen[b]));
    rows.push(Object.fromEntries(names.map((name, at) => [name, factors[name][chosen[at]]]).filter(([, value]) => value !== undefined)));
  }
  return rows;

  /** The value of an option that covers most open pairs with those chosen before; among equals any. */
  function mostCovering(at, chosen) {
    const gains = factors[names[at]].map((_, value) => [...chosen.keys()].filter((other) => other !== at && chosen[other] !== undefined && open.has(other < at ? key(other, chosen[other], at, value) : key(at, value, other, chosen[other]))).length);
    const best = gains.flatMap((gain, value) => (gain === Math.max(...gains) ? [value] : []));
    return best[Math.floor(random() * best.length)];
  }
}

const key = (...numbers) => numbers.join(",");
const combinations = (count) => [...Array(count).keys()].flatMap((a) => [...Array(count).keys()].slice(a + 1).map((b) => [a, b]));
