// The texts of options as values: each function gives { value }, or { expected }, which says in words what it takes.

const UNITS = { "": 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 };

export function readNumber(text) {
  return /^-?\d+(\.\d+)?$/.test(text) ? { value: Number(text) } : { expected: "a number" };
}

/** Bytes of `200000`, `200KB`, `1.5 MB`, `64KiB`; units of 1000, and of 1024 where they have an i. */
export function readSize(text) {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (digits === undefined || factor === undefined) return { expected: "a size, such as 200KB or 1.5MB" };
  return { value: Math.floor(Number(digits) * factor) };
}

/** An object of `crf=30`, `mute=true`, `trim.end=10`: values are JSON where they can be, else text. */
export function readSettings(texts) {
  const value = {};
  for (const text of texts) {
    const [, path, given] = /^([a-z_][\w.]*)=(.*)$/is.exec(text) ?? [];
    if (path === undefined) return { expected: "KEY=VALUE" };
    const names = path.split(".");
    const last = names.pop();
    const parent = names.reduce((object, name) => own(object, name), value);
    define(parent, last, readJson(given));
  }
  return { value };
}

function own(object, name) {
  if (!Object.hasOwn(object, name) || typeof object[name] !== "object" || object[name] === null) define(object, name, {});
  return object[name];
}

/** Not by assignment, which `__proto__` would turn into something else. */
function define(object, name, value) {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
