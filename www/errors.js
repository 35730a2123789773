// Errors as a visitor reads them: what is wrong, and what would mend it. The package's own sentences are kept but for those that
// speak to a programmer.
import { service } from "./service.js";
import { size } from "./formatting.js";

/** Limits of this device, which a service may not have. */
const OVER = ["input_too_large", "too_many_pixels", "too_much_memory"];

/** What lies in a file, or in what was asked of it, by the codes of a service and by the reasons for which its tasks fail. */
const SETTLED = new Set([
  "max_file_size_exceeded",
  "format_mismatch",
  "unknown_format",
  "unsupported_pair",
  "unknown_setting",
  "invalid_setting",
  "corrupt_file",
  "unsupported_file",
  "wrong_format",
  "password_protected",
  "not_animated",
  "no_video_stream",
  "no_audio_stream",
  "no_subtitle_stream",
  "too_many_pixels",
  "too_many_frames",
  "too_many_pages",
  "too_long",
  "too_much_memory",
  "input_too_large",
  "output_too_large",
  "page_out_of_range",
  "trim_out_of_range",
  "unsupported_settings",
  "target_unreachable",
]);

const sentences = {
  empty_input: () => "This file is empty.",
  unsupported_type: ({ name }) => `This is ${name}, which filepress does not read.`,
  unknown_type: () => "What this file is was not recognized.",
  unreadable_input: () => "This file cannot be read any more. If it was changed or moved, add it again.",
  input_too_large: ({ actual, limit }) => `This file has ${size(actual)}; this page takes up to ${size(limit)}.`,
  too_many_pixels: ({ actual, limit }) =>
    `This picture has ${millions(actual)} pixels; this page takes up to ${millions(limit)}.`,
  too_much_memory: ({ needBytes, limitBytes }) =>
    `${needBytes === undefined ? "This takes more memory" : `This takes ${size(needBytes)} of memory, more`} ` +
    `than the page may have${limitBytes === undefined ? "" : ` (${size(limitBytes)})`}. ` +
    "A longest side, or another type, takes less.",
  output_too_large: ({ actual, limit }) =>
    `The result would be ${actual} pixels long, and its type holds ${limit}. Set a longest side, or choose another type.`,
  target_unreachable: ({ smallest }) =>
    `The smallest that was reached is ${size(smallest)}. Allow that size, or choose another type.`,
  unsupported_pair: () => "The service does not make that type of this file. Choose another type.",
  unsupported_output: () => "That type cannot be made of this file. Choose another type.",
};

/** A service has limits of its own, which its own words tell. */
const ofService = {
  network: () =>
    isMixed()
      ? "The service cannot be reached. This page came by https://, from which not every browser lets it speak to http://."
      : "The service cannot be reached. Is it up, and does it let this page in?",
  unauthorized: () => "The service does not take the key. Change it in the settings, under “Video, sound, PDF”.",
  unsupported_pair: sentences.unsupported_pair,
};

/** What is wrong, in a sentence or two. */
export function fault({ kind, code, message, details }) {
  // The browser names the part by its address.
  if (!kind && /import/i.test(message)) return "A part of this page could not be loaded. Is there a network?";
  return (kind === "remote" ? ofService : sentences)[code]?.(details) ?? message;
}

const isMixed = () => location.protocol === "https:" && service.address.startsWith("http:");

/** Whether the same again may end otherwise: not where the fault lies in the file, or in what is asked of it. */
export function canRetry({ kind, code, retryable, details }) {
  if (kind === "remote") return retryable || !SETTLED.has(code === "task_failed" ? details.reason : code);
  if (kind === "internal") return code !== "encode_failed";
  return !kind || code === "unreadable_input";
}

/** Whether a file is over a limit of this device, which a service may not have. */
export const isOver = ({ kind, code }) => kind === "limits" && OVER.includes(code);

/** 180000000 → "180 million"; what is less than a million as it is. */
function millions(count) {
  return count < 1e6 ? String(count) : `${Number((count / 1e6).toPrecision(3))} million`;
}
