// Finds the name that a misspelled one was probably meant to be.

/** The name with the fewest edits, if there are at most two of them and fewer than half of the letters; otherwise undefined. */
export function didYouMean(text, names) {
  const ranked = names.map((name) => ({ name, edits: editDistance(text, name) })).sort((one, other) => one.edits - other.edits);
  const [best] = ranked;
  return best && best.edits <= Math.min(2, Math.floor(text.length / 2)) ? best.name : undefined;
}

/** Insertions, deletions, substitutions and swaps of neighbors (optimal string alignment distance). */
function editDistance(one, other) {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= one.length; i += 1) {
    rows[i] = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const substitution = rows[i - 1][j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, substitution);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[one.length][other.length];
}
