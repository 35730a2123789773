// Parses the values of flags. Each function returns { value }, or { expected }: a description of valid values.

const UNITS = { "": 1, b: 1, k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30 };

export function readNumber(text) {
  return /^-?\d+(\.\d+)?$/.test(text) ? { value: Number(text) } : { expected: "a number" };
}

/** A size in bytes: `200000`, `500k`, `200KB`, `1.5 MB`, `64KiB`. k and KB are 1000 bytes, KiB is 1024. */
export function readSize(text) {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (digits === undefined || factor === undefined) return { expected: "a size, such as 200KB or 1.5MB" };
  return { value: Math.floor(Number(digits) * factor) };
}

/** Widths in pixels: `400,800,1600`. */
export function readWidths(text) {
  const widths = text.split(",").map((width) => width.trim());
  if (!widths.every((width) => /^[1-9]\d{0,4}$/.test(width))) return { expected: "widths in pixels, such as 400,800,1600" };
  return { value: [...new Set(widths.map(Number))] };
}

/** A part of a picture: `X,Y,W,H` in pixels, or each with `%`. */
export function readCrop(text) {
  const parts = text.split(",").map((part) => readLength(part.trim()));
  if (parts.length !== 4 || parts.some(({ expected }) => expected)) return { expected: "X,Y,W,H, such as 0,0,640,480 or 10%,10%,80%,80%" };
  const [x, y, width, height] = parts.map(({ value }) => value);
  return { value: { x, y, width, height } };
}

/** A length in pixels, or in percent: `24`, `2.5%`. */
export function readLength(text) {
  if (!/^\d+$|^\d+(?:\.\d+)?%$/.test(text)) return { expected: "a number of pixels, or a percentage such as 20%" };
  return { value: text.endsWith("%") ? text : Number(text) };
}

const PLACEHOLDERS = ["name", "ext", "width", "height"];

/** A template of file names: `{name}-{width}.{ext}`. A slash makes a folder. */
export function readTemplate(text) {
  const names = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
  const parts = text.split(/[\\/]/);
  const isInside = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (!isInside || !names.every((name) => PLACEHOLDERS.includes(name))) {
    return { expected: `a file name with ${PLACEHOLDERS.map((name) => `{${name}}`).join(", ")}` };
  }
  return { value: text };
}

/** An object from `crf=30`, `mute=true`, `trim.end=10`. Values are parsed as JSON if possible, otherwise they are strings. */
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

/** Defines a member. Assignment would change the prototype for `__proto__`. */
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
