// Error messages for visitors: what is wrong, and what to do. Messages of the package are for programmers, and not shown.
import { service } from "./service.js";
import { formatMillions, formatSize } from "./formatting.js";
import { text } from "./text.js";

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

const words = text.errors;
const unread = ({ name }) => words.unsupported(text.formats[name] ?? name);
const messages = {
  empty_input: () => words.empty,
  unsupported_type: unread,
  needs_decoder: (details) => (/heic|heif/.test(details.type) ? words.heic : unread(details)),
  unknown_type: () => words.unknown,
  corrupt: () => words.damaged,
  unreadable_input: () => words.unreadable,
  input_too_large: ({ actual, limit }) => words.tooLarge(formatSize(actual), formatSize(limit)),
  too_many_pixels: ({ actual, limit }) => words.tooManyPixels(formatMillions(actual), formatMillions(limit)),
  too_much_memory: ({ needBytes, limitBytes }) =>
    words.tooMuchMemory(...[needBytes, limitBytes].map((bytes) => (bytes === undefined ? "" : formatSize(bytes)))),
  output_too_large: ({ actual, limit }) => words.outputTooLarge(actual, limit),
  target_unreachable: ({ smallest }) => words.unreachableSize(formatSize(smallest)),
  unsupported_pair: () => words.serverPair,
  unsupported_output: () => words.pair,
  lossless_unsupported: () => words.ratherLossy,
  sizes_differ: () => words.shapes,
  engine_load: () => words.offline,
};

/** For errors of the server. Its limits and its reasons are its own, so its messages about them are kept. */
const serverMessages = {
  network: () => (isMixed() ? words.mixed : words.network),
  unauthorized: () => words.unauthorized,
  key_expired: () => words.unauthorized,
  missing_scope: () => words.unauthorized,
  unsupported_pair: (_, source) => (source?.pointer?.endsWith("/input") ? words.serverInput : words.serverPair),
};

/** Whether a module of the page could not be loaded. */
const isPartMissing = ({ kind, message }) => !kind && /import/i.test(message);

/** The message for something else than a file that failed: `advice`, unless a part of the page is missing. */
export const failureMessage = (error, advice) => (isPartMissing(error) ? words.offline : advice);

/** The message for an error of a file. Those of the browser are for programmers too. */
export function errorMessage(error) {
  const { kind, code, message, details, source } = error;
  if (isPartMissing(error)) return words.offline;
  if (details?.file === "overlay") return words.watermark((messages[code] ?? messages.corrupt)(details));
  if (kind === "remote") return serverMessages[code]?.(details, source) ?? message;
  return messages[code]?.(details) ?? words.internal;
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
