// Error messages for visitors: what is wrong, and what to do. Messages of the package are kept, except those for programmers.
import { service } from "./service.js";
import { formatSize } from "./formatting.js";

/** Codes of limits of this device, which a server may not have. */
const LOCAL_LIMITS = ["input_too_large", "too_many_pixels", "too_much_memory"];

/** Codes of a server's errors, and reasons of its failed tasks, that a retry can't fix. */
const PERMANENT = new Set([
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

const messages = {
  empty_input: () => "This file is empty.",
  unsupported_type: ({ name }) => `This is ${name}, which filepress can’t read.`,
  unknown_type: () => "The format of this file was not recognized.",
  unreadable_input: () => "This file can’t be read any more. If it was changed or moved, add it again.",
  input_too_large: ({ actual, limit }) => `This file has ${formatSize(actual)}; this page takes up to ${formatSize(limit)}.`,
  too_many_pixels: ({ actual, limit }) =>
    `This image has ${millions(actual)} pixels; this page takes up to ${millions(limit)}.`,
  too_much_memory: ({ needBytes, limitBytes }) =>
    `${needBytes === undefined ? "This takes more memory" : `This takes ${formatSize(needBytes)} of memory, more`} ` +
    `than the page may have${limitBytes === undefined ? "" : ` (${formatSize(limitBytes)})`}. ` +
    "Set a longest side, or choose another format.",
  output_too_large: ({ actual, limit }) =>
    `The result would be ${actual} pixels long; its format allows ${limit}. Set a longest side, or choose another format.`,
  target_unreachable: ({ smallest }) =>
    `The smallest size that was reached is ${formatSize(smallest)}. Allow that size, or choose another format.`,
  unsupported_pair: () => "The server can’t convert this file to that format. Choose another format.",
  unsupported_output: () => "This file can’t be converted to that format. Choose another format.",
};

/** For errors of the server. Its limits are its own, so its messages about them are kept. */
const serverMessages = {
  network: () =>
    isMixed()
      ? "The server can’t be reached. This page was loaded by https://, and some browsers do not let it connect to http://."
      : "The server can’t be reached. Is it running, and does it allow this page (CORS)?",
  unauthorized: () => "The server rejected the key. Change it in the settings, under “Video, audio, PDF”.",
  unsupported_pair: messages.unsupported_pair,
};

/** The message for an error. */
export function errorMessage({ kind, code, message, details }) {
  // The browser's message would name the module's URL.
  if (!kind && /import/i.test(message)) return "A part of this page could not be loaded. Are you online?";
  return (kind === "remote" ? serverMessages : messages)[code]?.(details) ?? message;
}

const isMixed = () => location.protocol === "https:" && service.address.startsWith("http:");

/** Whether a retry may succeed. It can't if the file or the settings cause the error. */
export function canRetry({ kind, code, retryable, details }) {
  if (kind === "remote") return retryable || !PERMANENT.has(code === "task_failed" ? details.reason : code);
  if (kind === "internal") return code !== "encode_failed";
  return !kind || code === "unreadable_input";
}

/** Whether a file exceeds a limit of this device, which a server may not have. */
export const isOverLocalLimit = ({ kind, code }) => kind === "limits" && LOCAL_LIMITS.includes(code);

/** 180000000 → "180 million"; numbers below a million in full. */
function millions(count) {
  return count < 1e6 ? String(count) : `${Number((count / 1e6).toPrecision(3))} million`;
}
