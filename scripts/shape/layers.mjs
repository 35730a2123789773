// The layers of the engine, as ARCHITECTURE.md draws them.

/** Modules of `src/`, the uppermost layer first. What is not named is in the lowest one. Modules of a row do not know each other. */
const LAYERS = [["js"], ["image", "remote", "jxl"], ["job"], ["media"], ["formats"]];

/** `[file, imported file]` for each import of a layer above, or of another module of the same row. */
export function upwardImports(imports) {
  const moduleOf = (path) => path.split("/")[1].replace(/\.rs$/, "");
  const rankOf = (path) => {
    const rank = LAYERS.findIndex((row) => row.includes(moduleOf(path)));
    return rank < 0 ? LAYERS.length : rank;
  };
  const isUpward = (path, other) => {
    if (moduleOf(path) === moduleOf(other)) return false;
    return rankOf(other) < rankOf(path) || (rankOf(other) === rankOf(path) && rankOf(path) < LAYERS.length);
  };
  return [...imports].flatMap(([path, named]) => [...named].filter((other) => isUpward(path, other)).map((other) => [path, other]));
}
