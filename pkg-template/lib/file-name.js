// File names: what an input was called, and what its result is to be called.

/** What file systems refuse, and what would leave the folder that a result is saved in. */
const UNSAFE = /[\u0000-\u001f\u007f\\/:*?"<>|]/g;
const EXTENSION = /\.[a-z][a-z0-9]{0,4}$/i;

/** The name of a File, safe to save under; undefined where there is none. */
export function fileName(name) {
  if (typeof name !== "string") return undefined;
  return name.split(/[\\/]/).pop().replace(UNSAFE, "_") || undefined;
}

/** The last segment of a web address; undefined where there is none. */
export function nameFromUrl(url) {
  try {
    const { protocol, pathname } = new URL(url);
    return /^https?:$/.test(protocol) ? fileName(decodeURIComponent(pathname.split("/").pop())) : undefined;
  } catch {
    return undefined;
  }
}

/** `name`, or `unnamed`, with one of a type's `extensions`: its own where it is among them, else the first. */
export function withExtension(name = "", extensions, unnamed) {
  const own = name.match(EXTENSION)?.[0] ?? "";
  const stem = name.slice(0, name.length - own.length) || unnamed;
  return extensions.includes(own.slice(1).toLowerCase()) ? stem + own : `${stem}.${extensions[0]}`;
}
