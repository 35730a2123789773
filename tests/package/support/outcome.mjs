// The outcome of a call in a form that can be compared between runtimes. Runs in all of them, so it imports nothing.

/** What `outcome` says of a result of the package. */
export async function outcomeOf(result) {
  return outcome(await result.bytes(), result);
}

/** The bytes as { sha256, size }, and of the report what the package promises: warnings by their codes. */
export async function outcome(bytes, { type, width, height, keptOriginal, quality = null, score = null, warnings }) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { sha256, size: bytes.length, type, width, height, keptOriginal, quality, score, warnings: warnings.map(({ code }) => code) };
}
