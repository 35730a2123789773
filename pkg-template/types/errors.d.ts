// The errors that the functions of the package reject with, and their codes.

import type { Task } from "./resources.js";

/**
 * What every call rejects with, always as one of the subclasses, except for an abort.
 *
 * The subclass and `kind` say whose fault it was; `code` says what it was, by a name that does not change.
 */
export abstract class FilepressError extends Error {
  /** Only filepress makes them. */
  protected constructor();
  /** Whose fault it was, and so what can be done: another input, other options, other limits, or a report of a bug. */
  readonly kind: "input" | "options" | "limits" | "remote" | "internal";
  /** What it was. */
  readonly code: ErrorCode;
  /**
   * Whether the same call may succeed later. True for `engine_load` and `worker_failed`, and for a {@link RemoteError} after
   * network faults and the statuses 408, 425, 429, 500, 502, 503 and 504.
   */
  readonly retryable: boolean;
  /** Facts for a program; which, is said at the subclass. */
  readonly details: object;
  /** What was thrown, where the error stands for something else; in words where that was in a worker. */
  readonly cause?: unknown;
}

/** The codes of all subclasses. */
export type ErrorCode = InputErrorCode | OptionsErrorCode | LimitErrorCode | RemoteErrorCode | InternalErrorCode;

/** The input cannot be used: take another. */
export class InputError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "InputError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "input";
  /** See {@link InputErrorCode}. */
  readonly code: InputErrorCode;
  /** Which facts there are depends on the code. */
  readonly details: {
    /** `unsupported_type`: what it is, as a media type. */
    readonly type?: string;
    /** `unsupported_type`: what it is, by name. */
    readonly name?: string;
    /** `response_not_ok`: the HTTP status; 0 for an opaque response. */
    readonly status?: number;
    /** Of a {@link score}: which of the two files it is about; absent where it is about both, or about neither. */
    readonly file?: "original" | "other";
  };
}

/**
 * - `empty_input`: no bytes.
 * - `unknown_type`: no type that filepress knows.
 * - `unsupported_type`: recognized and named, but not readable here (HEIC, JPEG XL, PSD, ZIP, …).
 * - `corrupt`: damaged or incomplete.
 * - `unreadable_input`: not an {@link Input}, a body that was read before, or a file that cannot be read.
 * - `response_not_ok`: a `Response` without success.
 * - `sizes_differ`: pictures of different shapes were to be compared by {@link score}.
 */
export type InputErrorCode =
  | "empty_input"
  | "unknown_type"
  | "unsupported_type"
  | "corrupt"
  | "unreadable_input"
  | "response_not_ok"
  | "sizes_differ";

/** The call cannot be carried out as it is written: change its options. */
export class OptionsError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "OptionsError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "options";
  /** See {@link OptionsErrorCode}. */
  readonly code: OptionsErrorCode;
  /** Which facts there are depends on the code. */
  readonly details: {
    /** `unknown_option`, `invalid_option`: which one, for example `"resize.width"`. */
    readonly option?: string;
    /** `unsupported_output`, `unsupported_pair`, `needs_service`, and `not_in_build` of an input: the media type in question. */
    readonly type?: string;
    /** `not_in_build`: the build that has what is missing. */
    readonly build?: "core" | "full";
    /** `unsupported_pair`: the media types that the input can become. */
    readonly outputs?: readonly string[];
    /** Of a {@link score}: which of the two files it is about; absent where it is about both, or about neither. */
    readonly file?: "original" | "other";
  };
}

/**
 * - `unknown_option`: no option has that name.
 * - `invalid_option`: a value out of its range or of the wrong type.
 * - `unsupported_output`: this version does not write that type, or not from this input.
 * - `lossless_unsupported`: `lossless` is not possible with this output and these options.
 * - `unsupported_pair`: the service cannot make that type of this input; `details.outputs` tells what it can.
 * - `needs_service`: video, audio and PDF are for a service, and there is no `client`, or `engine` is `"local"`.
 * - `key_in_browser`: a {@link Client} was given an `apiKey` in a page.
 * - `not_in_build`: the one build given to {@link init} lacks the codec, or what {@link score} takes.
 */
export type OptionsErrorCode =
  | "unknown_option"
  | "invalid_option"
  | "unsupported_output"
  | "lossless_unsupported"
  | "unsupported_pair"
  | "needs_service"
  | "key_in_browser"
  | "not_in_build";

/** A limit of the call or of the output's type: raise it, or resize. */
export class LimitError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "LimitError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "limits";
  /** See {@link LimitErrorCode}. */
  readonly code: LimitErrorCode;
  /** The value that broke the limit, and the limit. */
  readonly details: {
    /**
     * What there is: bytes, pixels, or pixels a side, by the code; of a `Response` of unknown length, the bytes that were read. Absent
     * with `too_much_memory`.
     */
    readonly actual?: number;
    /** What is allowed, in the same unit; absent as `actual` is. */
    readonly limit?: number;
    /** `too_much_memory`: the bytes that the call is estimated to need. Absent where a decoder stopped without telling. */
    readonly needBytes?: number;
    /** `too_much_memory`: the bytes that are allowed; absent as `needBytes` is. */
    readonly limitBytes?: number;
    /** `target_unreachable`: the fewest bytes that were reached. */
    readonly smallest?: number;
    /** Of a {@link score}: which of the two files it is about; absent where it is about both, or about neither. */
    readonly file?: "original" | "other";
  };
}

/**
 * - `input_too_large`: bytes, see {@link Limits.maxInputBytes}.
 * - `too_many_pixels`: see {@link Limits.maxPixels}.
 * - `too_much_memory`: bytes, estimated, see {@link Limits.maxMemoryBytes}.
 * - `output_too_large`: pixels a side that the output's type cannot hold.
 * - `target_unreachable`: bytes, see {@link CompressOptions.targetSize}.
 */
export type LimitErrorCode =
  | "input_too_large"
  | "too_many_pixels"
  | "too_much_memory"
  | "output_too_large"
  | "target_unreachable";

/** A service answered with an error, or not at all. */
export class RemoteError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "RemoteError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "remote";
  /** See {@link RemoteErrorCode}. */
  readonly code: RemoteErrorCode;
  /** HTTP status of the answer, where there was one. */
  readonly status?: number;
  /** The service's name for the request, to be quoted in a question to its operator. */
  readonly requestId?: string;
  /** The part of the request that was wrong. */
  readonly source?: {
    /** JSON pointer into the body. */
    readonly pointer?: string;
    /** Name of the query parameter. */
    readonly parameter?: string;
    /** Name of the header. */
    readonly header?: string;
  };
  /** `task_failed`: the task, as it ended. */
  readonly task?: Task;
  /** `task_failed`: `reason` is why, by the service's stable name (`corrupt_file`, `timed_out`, …). */
  readonly details: { readonly reason?: string };
}

/**
 * The service's own codes (`rate_limited`, `max_file_size_exceeded`, …, see its documentation), and those of the client:
 *
 * - `network`: no answer: no connection, or it broke. In Node and Workers also a link or redirection that leads from the internet
 *   into a private network.
 * - `timeout`: no answer within {@link ClientOptions.timeout}.
 * - `bad_answer`: an answer that does not follow the interface.
 * - `http_error`: a status of failure without a code.
 * - `task_failed`: the conversion failed; the message and `details.reason` say why.
 * - `wait_timeout`: {@link WaitOptions.timeout} is over.
 * - `no_token`: {@link ClientOptions.getToken} threw, or gave no text of visible ASCII.
 * - `already_uploaded`: {@link Files.upload} of a file that has its bytes already; services say it as well.
 * - `file_not_uploaded`: {@link Files.download} of a file that has no bytes yet; services say it as well.
 * - `foreign_link`: the service sent an address that a key must not go to (another origin), or bytes (no `https:`).
 */
export type RemoteErrorCode =
  | "network"
  | "timeout"
  | "bad_answer"
  | "http_error"
  | "task_failed"
  | "wait_timeout"
  | "no_token"
  | "already_uploaded"
  | "file_not_uploaded"
  | "foreign_link"
  | (string & {});

/** Something went wrong in filepress or around it. The next call starts afresh. */
export class InternalError extends FilepressError {
  /** The name of this class, also where a minifier has renamed the class itself. */
  readonly name: "InternalError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "internal";
  /** See {@link InternalErrorCode}. */
  readonly code: InternalErrorCode;
}

/**
 * - `engine_trap`: the engine stopped, or ran out of memory, which the message then says.
 * - `engine_load`: the WebAssembly could not be fetched or compiled; the message says what to change. Retryable.
 * - `worker_failed`: a worker could not be started, or ended. Retryable.
 * - `encode_failed`: an encoder refused what it should have taken.
 */
export type InternalErrorCode = "engine_trap" | "engine_load" | "worker_failed" | "encode_failed";
