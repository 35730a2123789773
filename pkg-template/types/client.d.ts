// The client of the server: its files, tasks and users, in any runtime.

import type { Bytes, Progress } from "./progress.js";
import type { List, NewFile, NewTask, RemoteFile, Task, User } from "./resources.js";

/** Options of a {@link Client}. Members that are `undefined` count as absent; unknown members are refused (`unknown_option`). */
export interface ClientOptions {
  /**
   * URL of the server, without `/v1`. It may have a path (`https://example.com/files-api`). Must be `https:`, or `http:` on loopback
   * (`localhost`, `127.0.0.1`, `[::1]`), otherwise `invalid_option`.
   */
  baseUrl: string | URL;

  /**
   * API key, sent as `Authorization: Bearer …` to the origin of `baseUrl` only. Printable ASCII without spaces, otherwise
   * `invalid_option`. Refused in a browser (`key_in_browser`), because every visitor could read it: see
   * {@link ClientOptions.dangerouslyAllowBrowser}.
   */
  apiKey?: string | undefined;

  /**
   * Returns an API key or a short-lived token: printable ASCII without spaces, otherwise `no_token`. Called before each request, and
   * once more after a 401. Anything but a function, or together with `apiKey`: `invalid_option`.
   *
   * With neither `apiKey` nor `getToken`, requests are sent without a key, for a proxy that adds the key itself.
   */
  getToken?: (() => string | Promise<string>) | undefined;

  /** Allows `apiKey` in a browser, for tools that only run on the key owner's machine. Default `false`. */
  dangerouslyAllowBrowser?: boolean | undefined;

  /** Sends requests. Called with a `Request`. Default: the global `fetch`. Anything but a function: `invalid_option`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;

  /**
   * Longest time in milliseconds until the response to a request has arrived. For an upload, 1 ms is added for every 16 bytes. For a
   * download, it is the longest time without new bytes; of a Response without a stream, which another `fetch` may give, nothing is known
   * until its end, for which there is no limit. Integer from 1 to 2,147,483,647, otherwise `invalid_option`. Default 60,000.
   */
  timeout?: number | undefined;

  /** How failed requests are retried. `false`: they are not retried. */
  retry?: Retry | false | undefined;
}

/**
 * How failed requests are retried: after network errors, timeouts and the statuses 408, 425, 429, 500, 502, 503 and 504. The delay
 * before the nth retry is that of `Retry-After`. Without this header, it is random between 0 and `minDelay` × 2ⁿ⁻¹, at most `maxDelay`. POST
 * requests carry an `Idempotency-Key`, so a retry never creates anything twice. Out-of-range numbers: `invalid_option`.
 */
export interface Retry {
  /** Maximum number of retries. Integer from 0 to 100. Default 5. */
  attempts?: number | undefined;
  /** Upper bound of the first random delay, in milliseconds. Integer from 0 to 2,147,483,647. Default 500. */
  minDelay?: number | undefined;
  /**
   * Upper bound of every random delay, in milliseconds. Integer from 0 to 2,147,483,647. Default 20,000. A delay of `Retry-After` may be longer.
   */
  maxDelay?: number | undefined;
  /** No retry starts later than this many milliseconds after the start of the first attempt. Integer from 0 to 2,147,483,647. Default 120,000. */
  deadline?: number | undefined;
}

/** Options of every call of a {@link Client}. */
export interface RequestOptions {
  /** Aborts the call, which then rejects with `signal.reason` at once. A task continues on the server. */
  signal?: AbortSignal | undefined;
}

/** Options of calls that transfer a file. */
export interface TransferOptions extends RequestOptions {
  /**
   * Called as bytes are transferred. For uploads, this needs an environment with `XMLHttpRequest` and a client without the option `fetch`.
   * Otherwise only the start and the end of an upload are reported.
   */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * A client of a filepress server, or of any other server with the same API. It holds no connections open and needs no closing.
 *
 * Calls reject with a subclass of `FilepressError`, usually `RemoteError`, or with the reason of an aborted `signal`. Messages never
 * contain signed URLs or keys.
 *
 * @example
 * const client = new Client({ baseUrl: "https://files.example.com", apiKey: process.env.FILEPRESS_API_KEY });
 * const { blob } = await compress(movie, { client });
 */
export class Client {
  /** Throws `invalid_option`, `unknown_option` or `key_in_browser` if `options` are wrong. Sends nothing. */
  constructor(options: ClientOptions);
  /** Files. A file is first created, then its bytes are uploaded to a signed URL. */
  readonly files: Files;
  /** Tasks: conversions of files. */
  readonly tasks: Tasks;
  /** The owner of the API key. */
  readonly users: Users;
}

/** See {@link Client.files}. */
export interface Files {
  /** Creates a file without bytes. {@link Files.upload} sends the bytes, once. */
  create(file: NewFile, options?: CreateOptions): Promise<RemoteFile>;
  /**
   * Uploads the bytes of a created file. Their number must be the file's `size`. A `Blob` is streamed, so it can be of any size. An
   * expired signed URL is replaced by a new one.
   */
  upload(file: RemoteFile | string, bytes: Blob | ArrayBufferLike | ArrayBufferView, options?: TransferOptions): Promise<void>;
  /** Returns the file with this id. */
  get(id: string, options?: RequestOptions): Promise<RemoteFile>;
  /** Lists all files, newest first. */
  list(options?: ListOptions): List<RemoteFile>;
  /** Downloads a file. If the connection breaks, the download continues where it stopped. */
  download(file: RemoteFile | string, options?: TransferOptions & { as?: "blob" }): Promise<Blob>;
  /** Downloads a file as a stream. The request is sent when the stream is first read. */
  download(file: RemoteFile | string, options: TransferOptions & { as: "stream" }): Promise<ReadableStream<Bytes>>;
  /**
   * Deletes a file and its bytes before they expire. Rejects with `file_in_use` (409) while an unfinished task reads it,
   * and with `not_found` (404) if it does not exist.
   */
  delete(file: RemoteFile | string, options?: RequestOptions): Promise<void>;
}

/** See {@link Client.tasks}. */
export interface Tasks {
  /** Creates a task: the conversion of an uploaded file. */
  create(task: NewTask, options?: CreateOptions): Promise<Task>;
  /** Returns the task with this id. */
  get(id: string, options?: RequestOptions): Promise<Task>;
  /**
   * Waits until a task has finished. Polls at growing intervals, or at those of the header `Retry-After`. Rejects with `task_failed` if the task
   * failed. {@link RemoteError.task} of this error is the task.
   */
  wait(task: Task | string, options?: WaitOptions): Promise<Task>;
  /** Lists all tasks, newest first. */
  list(options?: ListOptions): List<Task>;
  /**
   * Cancels an unfinished task. Its status becomes `FAILED`, with the code `canceled` in `processingMetadata.error`. The input is
   * kept. Rejects with `task_ended` (409) if the task has finished, and with `not_found` (404) if it does not exist.
   */
  cancel(task: Task | string, options?: RequestOptions): Promise<Task>;
}

/** See {@link Client.users}. */
export interface Users {
  /** Returns the owner of the API key. */
  me(options?: RequestOptions): Promise<User>;
}

/** Options of calls that create something. */
export interface CreateOptions extends RequestOptions {
  /**
   * Idempotency key: calls with the same key within 24 hours create one resource. 1 to 255 printable ASCII characters without spaces,
   * otherwise `invalid_option`. Default: a random key per call, shared by its retries.
   */
  idempotencyKey?: string | undefined;
}

/** Options of {@link Tasks.wait}. */
export interface WaitOptions extends RequestOptions {
  /** Called after each poll. `phase` is `"process"`; `ratio` is the task's progress as the server reports it. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Timeout in milliseconds, after which the call rejects with `wait_timeout`. The task continues. Integer from 1 to
   * 9,007,199,254,740,991 (2⁵³ − 1), otherwise `invalid_option`. Default: none.
   */
  timeout?: number | undefined;
}

/** Options of a list. `after` and `before` cannot be combined. */
export interface ListOptions extends RequestOptions {
  /** Items per page: integer from 1 to 100, otherwise `invalid_option`. Default: that of the server (20). */
  pageSize?: number | undefined;
  /** Returns the items after this cursor, which are older: see {@link Page.next}. */
  after?: string | undefined;
  /**
   * Returns the items before this cursor, which are newer: see {@link Page.prev}. Iteration continues with pages of even newer items. Within a
   * page, the newest item is first.
   */
  before?: string | undefined;
}
