// Figures and states as people read them.

const units = ["bytes", "kB", "MB", "GB"];

/** 862468 → "862 kB": three digits, decimal units as file managers show them. */
export function size(bytes) {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  const digits = power === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(value)));
  return `${value.toFixed(digits)} ${units[power]}`;
}

/** The share of the size that went away: { number: "−69 %", words: "2.79 MB became 862 kB", outcome }. */
export function saving(before, after) {
  const share = ((before - after) / before) * 100;
  const digits = Math.abs(share) < 10 ? 1 : 0;
  const outcome = after < before ? "smaller" : after > before ? "larger" : "same";
  const sign = { smaller: "−", larger: "+", same: "" }[outcome];
  const number = outcome === "same" ? "0 %" : `${sign}${Math.abs(share).toFixed(digits)} %`;
  const words = outcome === "same" ? `${size(before)}, as small as before` : `${size(before)} became ${size(after)}`;
  return { number, words, outcome };
}

/** 812.3 → "812 ms", 2345 → "2.35 s". */
export const duration = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`);

/** What each phase of `onProgress` does, said to the visitor. */
export const phases = {
  load: "Fetching the codecs",
  decode: "Reading the picture",
  resize: "Resizing",
  encode: "Pressing",
  done: "Done",
};
