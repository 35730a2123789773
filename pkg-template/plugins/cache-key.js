// Keys of results: the same bytes, options and version of the package give the same result.

/** The SHA-256 of bytes or text, as hexadecimal digits. */
export async function sha256(data) {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** JSON in which the order of members makes no difference. */
function canonicalJson(value) {
  const sorted = (_, member) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return JSON.stringify(value, sorted);
}

/** The key of what is made of `bytes` with `settings`, any value that JSON can represent. */
export async function cacheKey(bytes, settings) {
  return (await sha256(`${await sha256(bytes)} ${canonicalJson(settings)}`)).slice(0, 32);
}
