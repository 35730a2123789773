// Formats numbers and states for display.

const units = ["bytes", "kB", "MB", "GB"];

/** 862468 → "862 kB": three significant digits, decimal units. */
export function formatSize(bytes) {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  const digits = power === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(value)));
  return `${value.toFixed(digits)} ${units[power]}`;
}

/** The change of a size: { number: "−69 %", outcome: "smaller" | "larger" | "same" }. */
export function formatSaving(before, after) {
  const share = before === 0 ? 0 : ((before - after) / before) * 100;
  const digits = Math.abs(share) < 10 ? 1 : 0;
  // A change that rounds to 0.0 % counts as none.
  const outcome = Math.abs(share) < 0.05 ? "same" : after < before ? "smaller" : "larger";
  const sign = { smaller: "−", larger: "+", same: "" }[outcome];
  // Never shows 100 % for a file that still has bytes.
  const figure = share > 99.5 && after > 0 ? "99.9" : Math.abs(share).toFixed(digits);
  const number = outcome === "same" ? "0\u00a0%" : `${sign}${figure}\u00a0%`;
  return { number, outcome };
}

/** 3.1 → "< 0.01 s", 812.3 → "0.81 s", 12345 → "12 s", 95000 → "1:35 min". */
export function formatDuration(ms) {
  if (ms < 10) return "< 0.01 s";
  if (ms < 10_000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}

/** 11200 → "12 s", 95000 → "1:35 min". */
export const formatRemaining = (ms) => (ms < 60_000 ? `${Math.ceil(ms / 1000)} s` : formatDuration(ms));

/** 1 → "1 file", 20 → "20 files". */
export const countFiles = (count) => `${count} ${count === 1 ? "file" : "files"}`;

/** Display names of the phases of an item's progress. On the device, a call is queued in its first phase. */
export const phases = {
  wait: "In queue",
  load: "In queue",
  decode: "Reading",
  resize: "Resizing",
  encode: "Compressing",
  upload: "Sending to the server",
  process: "The server is working",
  download: "Downloading the result",
  done: "Done",
};
