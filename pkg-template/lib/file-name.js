// File names of inputs and results.

/** Characters that file systems refuse, path separators, and those that break lines or turn the direction of what is shown. */
const UNSAFE = /[\u0000-\u001f\u007f\\/:*?"<>|\u2028-\u202e\u2066-\u2069]/g;
const EXTENSION = /\.[a-z][a-z0-9]{0,4}$/i;

/** The sanitized name of a File; undefined if it has none. */
export function fileName(name) {
  if (typeof name !== "string") return undefined;
  return name.split(/[\\/]/).pop().replace(UNSAFE, "_") || undefined;
}

/** The last path segment of an http(s) URL; undefined if there is none. */
export function nameFromUrl(url) {
  try {
    const { protocol, pathname } = new URL(url);
    return /^https?:$/.test(protocol) ? fileName(decodeURIComponent(pathname.split("/").pop())) : undefined;
  } catch {
    return undefined;
  }
}

/** `name` without its extension, or `unnamed`. */
export const stemOf = (name = "", unnamed) => name.replace(EXTENSION, "") || unnamed;

/** `name`, or `unnamed`, with one of a format's `extensions`: its own if it is among them, otherwise the first. */
export function withExtension(name = "", extensions, unnamed) {
  const own = name.match(EXTENSION)?.[0] ?? "";
  const stem = stemOf(name, unnamed);
  return extensions.includes(own.slice(1).toLowerCase()) ? stem + own : `${stem}.${extensions[0]}`;
}
