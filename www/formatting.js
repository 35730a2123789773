// Formats numbers and states for display, in the language of the page.
import { text } from "./text.js";

const words = text.formatting;

/** Control characters, and those that change the direction of what follows (UAX #9), which can make a name look like another one. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** The name of a file as it is shown. */
export const formatName = (name) => name.replace(CONTROLS, "\ufffd");

/** 862468 → "862 kB": three significant digits, decimal units. */
export function formatSize(bytes) {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), words.units.length - 1);
  const value = bytes / 1000 ** power;
  const digits = power === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(value)));
  return `${formatNumber(value, digits)} ${words.units[power]}`;
}

/** Formatters by digits after the point; making one takes longer than its use. */
const formatters = new Map();

/** A number with so many digits after the point. */
export function formatNumber(value, digits = 0) {
  if (!formatters.has(digits)) {
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
    formatters.set(digits, new Intl.NumberFormat(`${text.locale}-u-nu-latn`, options));
  }
  return formatters.get(digits).format(value);
}

/** The change of a size: { number: "−69 %", outcome: "smaller" | "larger" | "same" }. */
export function formatSaving(before, after) {
  const share = before === 0 ? 0 : ((before - after) / before) * 100;
  const digits = Math.abs(share) < 10 ? 1 : 0;
  // A change that rounds to 0.0 % counts as none.
  const outcome = Math.abs(share) < 0.05 ? "same" : after < before ? "smaller" : "larger";
  const sign = { smaller: "−", larger: "+", same: "" }[outcome];
  // Never shows 100 % for a file that still has bytes.
  const figure = share > 99.5 && after > 0 ? formatNumber(99.9, 1) : formatNumber(Math.abs(share), digits);
  const number = outcome === "same" ? "0\u00a0%" : `${sign}${figure}\u00a0%`;
  return { number, outcome };
}

/** 3.1 → "< 0.01 s", 812.3 → "0.81 s", 12345 → "12 s", 95000 → "1:35 min". */
export function formatDuration(ms) {
  if (ms < 10) return words.instant;
  if (ms < 10_000) return words.seconds(formatNumber(ms / 1000, 2));
  if (ms < 60_000) return words.seconds(Math.round(ms / 1000));
  const seconds = Math.round(ms / 1000);
  return words.minutes(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
}

/** 11200 → "12 s", 95000 → "1:35 min". */
export const formatRemaining = (ms) => (ms < 60_000 ? words.seconds(Math.ceil(ms / 1000)) : formatDuration(ms));

/** 180000000 → "180 million"; numbers below a million in full. */
export const formatMillions = (count) =>
  count < 1e6 ? String(count) : words.million(Number((count / 1e6).toPrecision(3)).toLocaleString(`${text.locale}-u-nu-latn`));
