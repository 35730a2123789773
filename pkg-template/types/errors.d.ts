// The errors that calls reject with, and their codes.

import type { Task } from "./resources.js";

/**
 * Base class of all errors. Every rejection is an instance of one of the subclasses, except that an aborted call rejects with the
 * reason of its signal.
 *
 * The subclass and `kind` say what has to change: the input, the options, or the limits. `code` says what went wrong and is stable.
 */
export abstract class FilepressError extends Error {
  /** Only filepress creates errors. */
  protected constructor();
  /** What has to change: the input, the options or the limits. `"remote"`: the server failed. `"internal"`: filepress failed. */
  readonly kind: "input" | "options" | "limits" | "remote" | "internal";
  /** Stable code of the error. */
  readonly code: ErrorCode;
  /**
   * Whether the same call may succeed later. True for:
   *
   * - `engine_load` and `worker_failed`
   * - `network`, `timeout`, `wait_timeout`, and `task_failed` with the reason `worker_lost` or `internal`
   * - the statuses 408, 425, 429, 500, 502, 503 and 504, and the server's code `idempotency_in_flight`
   */
  readonly retryable: boolean;
  /** Machine-readable details. The subclasses define their members. */
  readonly details: object;
  /** The error that caused this one, if there is one. A string if the cause was thrown in a worker. */
  readonly cause?: unknown;
}

/** Codes of all subclasses. */
export type ErrorCode = InputErrorCode | OptionsErrorCode | LimitErrorCode | RemoteErrorCode | InternalErrorCode;

/** The input cannot be used. */
export class InputError extends FilepressError {
  /** Name of the class. Not changed by minifiers. */
  readonly name: "InputError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "input";
  /** See {@link InputErrorCode}. */
  readonly code: InputErrorCode;
  /** Details. Which members are present depends on the code. */
  readonly details: {
    /** `unsupported_type`, `needs_decoder`: media type of the input. */
    readonly type?: string;
    /** `unsupported_type`, `needs_decoder`: display name of the input's format. */
    readonly name?: string;
    /** `response_not_ok`: the HTTP status; 0 for an opaque response. */
    readonly status?: number;
    /** Which file the error is about: one of the two of `score`, or the image of an `overlay`. Absent if it is about all files or none. */
    readonly file?: "original" | "other" | "overlay";
    /** `variants` only: index of the entry that failed. Absent if the error is about all entries or none. */
    readonly variant?: number;
  };
}

/**
 * Codes of {@link InputError}.
 *
 * - `empty_input`: the input has no bytes.
 * - `unknown_type`: the format was not recognized.
 * - `unsupported_type`: the format was recognized, but filepress cannot read it (ZIP, RTF, …), or cannot read this variant of it.
 * - `needs_decoder`: filepress recognizes the image format, but does not read it (HEIC, PSD, …). {@link InitOptions.decoders} has no
 *   decoder for it, and the browser has none either. HEIC is sent to {@link RemoteOptions.client} instead, if there is one.
 * - `corrupt`: the file is damaged or truncated. Or a decoder of {@link InitOptions.decoders} threw an error, which is the `cause`.
 * - `unreadable_input`: the value is not an {@link Input}, its body was already read, or the file cannot be read.
 * - `response_not_ok`: the input is a `Response` with an error status.
 * - `sizes_differ`: `score` was called with images of different aspect ratios.
 */
export type InputErrorCode =
  | "empty_input"
  | "unknown_type"
  | "unsupported_type"
  | "needs_decoder"
  | "corrupt"
  | "unreadable_input"
  | "response_not_ok"
  | "sizes_differ";

/** The options are wrong, or cannot be combined with this input. */
export class OptionsError extends FilepressError {
  /** Name of the class. Not changed by minifiers. */
  readonly name: "OptionsError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "options";
  /** See {@link OptionsErrorCode}. */
  readonly code: OptionsErrorCode;
  /** Details. Which members are present depends on the code. */
  readonly details: {
    /** `unknown_option`, `invalid_option`: path of the option, for example `"resize.width"`. */
    readonly option?: string;
    /** `unsupported_output`, `unsupported_pair`, `needs_service`, `not_in_build`: the media type that the error is about. */
    readonly type?: string;
    /** `not_in_build`: the build that would be needed, or that `init` was given. */
    readonly build?: "photo" | "photo_avif" | "avif" | "core" | "full" | "jxl";
    /** `unsupported_pair`: media types that the input can be converted to. */
    readonly outputs?: readonly string[];
    /** `lossless_unsupported` for a `crop` of a JPEG: distance of the nearest possible crop from the left edge, in pixels. */
    readonly x?: number;
    /** `lossless_unsupported` for a `crop` of a JPEG: distance of the nearest possible crop from the top edge, in pixels. */
    readonly y?: number;
    /**
     * `lossless_unsupported` for a `crop` of a JPEG: width of the nearest possible crop. `invalid_option` for a `crop` that is not within the
     * image: width of the upright image. In pixels.
     */
    readonly width?: number;
    /**
     * `lossless_unsupported` for a `crop` of a JPEG: height of the nearest possible crop. `invalid_option` for a `crop` that is not within the
     * image: height of the upright image. In pixels.
     */
    readonly height?: number;
    /** Which file the error is about: one of the two of `score`, or the image of an `overlay`. Absent if it is about all files or none. */
    readonly file?: "original" | "other" | "overlay";
    /** `variants` only: index of the entry that failed. Absent if the error is about all entries or none. */
    readonly variant?: number;
  };
}

/**
 * Codes of {@link OptionsError}.
 *
 * - `unknown_option`: there is no option of that name.
 * - `invalid_option`: a value is out of range or has the wrong type.
 * - `unsupported_output`: filepress cannot write the format, or cannot convert this input to it.
 * - `lossless_unsupported`: `lossless` is not possible with this output format and these options.
 * - `unsupported_pair`: filepress servers do not support this conversion at all. `details.outputs` lists the formats to which they can convert
 *   the input.
 * - `needs_service`: the call needs a server (for video, audio or PDF, or because of `engine: "remote"`), but cannot use one: there is no
 *   `client`, `engine` is `"local"`, or the function works on the device only.
 * - `key_in_browser`: a `Client` was given an `apiKey` in a browser, without `dangerouslyAllowBrowser`.
 * - `not_in_build`: the call needs a build that is not available: `filepress/web` or `filepress/avif` does not have it, or `init` was given a
 *   single, smaller build. For `init`: it was given a build that `filepress/web` or `filepress/avif` does not have.
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

/** The call exceeds one of its limits, or a limit of the output format. */
export class LimitError extends FilepressError {
  /** Name of the class. Not changed by minifiers. */
  readonly name: "LimitError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "limits";
  /** See {@link LimitErrorCode}. */
  readonly code: LimitErrorCode;
  /** The value that exceeds the limit, and the limit. */
  readonly details: {
    /**
     * The value that exceeds the limit: bytes, pixels or pixels per side, as {@link LimitErrorCode} says for each code. For a stream,
     * and for a `Response` or `Request` of unknown length, the number of bytes read so far. Absent for `too_much_memory`.
     */
    readonly actual?: number;
    /** The limit, in the unit of `actual`. Absent for `too_much_memory`. */
    readonly limit?: number;
    /** `too_much_memory`: estimated memory of the call in bytes. Absent if the limit was exceeded only while decoding. */
    readonly needBytes?: number;
    /** `too_much_memory`: the limit in bytes. Absent if `needBytes` is absent. */
    readonly limitBytes?: number;
    /** `target_unreachable`: the smallest size that was reached, in bytes. */
    readonly smallest?: number;
    /** Which file the error is about: one of the two of `score`, or the image of an `overlay`. Absent if it is about all files or none. */
    readonly file?: "original" | "other" | "overlay";
    /** `variants` only: index of the entry that failed. Absent if the error is about all entries or none. */
    readonly variant?: number;
  };
}

/**
 * Codes of {@link LimitError}.
 *
 * - `input_too_large`: more bytes than `Limits.maxInputBytes`.
 * - `too_many_pixels`: more pixels than `Limits.maxPixels` allows.
 * - `too_much_memory`: more estimated bytes of memory than `Limits.maxMemoryBytes`.
 * - `output_too_large`: more pixels per side than the output format allows. Also a BMP that could have 4 GiB or more; in this case, `details`
 *   are in bytes.
 * - `target_unreachable`: no output is as small as `targetSize`. `details` are in bytes.
 */
export type LimitErrorCode =
  | "input_too_large"
  | "too_many_pixels"
  | "too_much_memory"
  | "output_too_large"
  | "target_unreachable";

/** The server responded with an error, or did not respond. */
export class RemoteError extends FilepressError {
  /** Name of the class. Not changed by minifiers. */
  readonly name: "RemoteError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "remote";
  /** See {@link RemoteErrorCode}. */
  readonly code: RemoteErrorCode;
  /** HTTP status of the response, if there was one. */
  readonly status?: number;
  /** Request id assigned by the server. Quote it when asking the server's operator. */
  readonly requestId?: string;
  /** Part of the request that caused the error. */
  readonly source?: {
    /** JSON pointer into the request body. */
    readonly pointer?: string;
    /** Name of a query parameter. */
    readonly parameter?: string;
    /** Name of a header. */
    readonly header?: string;
  };
  /** `task_failed`: the failed task. */
  readonly task?: Task;
  /** `task_failed`: `reason` is the server's stable code for the cause (`corrupt_file`, `timed_out`, …). */
  readonly details: { readonly reason?: string };
}

/**
 * Codes of {@link RemoteError}: the codes of the server (`rate_limited`, `max_file_size_exceeded`, …, see its documentation), and these codes
 * of the client:
 *
 * - `network`: no response, because there was no connection or the connection broke. In Node and Cloudflare Workers, also if the server sent a
 *   URL that the client does not follow: from a public address to a private network, from a private network to loopback, or a redirect to
 *   an unencrypted URL.
 * - `timeout`: no response within `ClientOptions.timeout`.
 * - `bad_answer`: the response does not conform to the API.
 * - `http_error`: the response has an error status and no code.
 * - `task_failed`: the conversion failed. The message and `details.reason` say why.
 * - `wait_timeout`: the task did not end within `WaitOptions.timeout`.
 * - `no_token`: `ClientOptions.getToken` threw an error, or returned anything but a string of printable ASCII without spaces.
 * - `already_uploaded`: the file already has its bytes. Also sent by servers.
 * - `file_not_uploaded`: the file has no bytes yet. Also sent by servers.
 * - `foreign_link`: a response of the server contains a URL that is not safe to follow: an API URL of another origin, to which the key must
 *   not be sent, or an upload or download URL that is neither `https:` nor `http:` on loopback.
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

/** An error in filepress or its environment. Later calls are not affected. */
export class InternalError extends FilepressError {
  /** Name of the class. Not changed by minifiers. */
  readonly name: "InternalError";
  /** See {@link FilepressError.kind}. */
  readonly kind: "internal";
  /** See {@link InternalErrorCode}. */
  readonly code: InternalErrorCode;
  /** Details. */
  readonly details: {
    /** Which file the error is about: one of the two of `score`, or the image of an `overlay`. Absent if it is about all files or none. */
    readonly file?: "original" | "other" | "overlay";
    /** `variants` only: index of the entry that failed. Absent if the error is about all entries or none. */
    readonly variant?: number;
  };
}

/**
 * Codes of {@link InternalError}.
 *
 * - `engine_trap`: the engine crashed or ran out of memory. The message says which, if it is known.
 * - `engine_load`: the WebAssembly could not be fetched or compiled. The message says what to change. Retryable.
 * - `worker_failed`: a worker ended unexpectedly. Retryable.
 * - `encode_failed`: an encoder rejected valid input.
 */
export type InternalErrorCode = "engine_trap" | "engine_load" | "worker_failed" | "encode_failed";
