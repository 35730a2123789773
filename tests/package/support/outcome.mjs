// What a call came to, in a form that can be compared between runtimes. Runs in all of them, so it imports nothing.

/** { sha256, size, type, width, height, keptOriginal, warnings: [code] } of a result of the package. */
export async function outcomeOf(result) {
  const { type, width, height, keptOriginal, warnings } = result;
  return outcome(await result.bytes(), { type, width, height, keptOriginal, warnings });
}

export async function outcome(bytes, { type, width, height, keptOriginal, warnings }) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { sha256, size: bytes.length, type, width, height, keptOriginal, warnings: warnings.map(({ code }) => code) };
}
