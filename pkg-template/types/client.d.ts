// The client of the service: every endpoint of its interface, in any runtime.

import type { Bytes, Progress } from "./progress.js";
import type { List, NewFile, NewTask, RemoteFile, Task, User } from "./resources.js";

/** How a {@link Client} reaches its service. Members that are `undefined` are as absent; unknown ones are refused. */
export interface ClientOptions {
  /**
   * Address of the service, without `/v1`; a path in front of it is kept (`https://example.com/files-api`). `https:`, or `http:`
   * on loopback (`localhost`, `127.0.0.1`, `[::1]`). Else `invalid_option`.
   */
  baseUrl: string | URL;

  /**
   * Key of the service, sent as `Authorization: Bearer …` to the origin of `baseUrl` and nowhere else. Visible ASCII without
   * blanks, else `invalid_option`. In a browser's page or worker it is refused (`key_in_browser`), since every visitor could read
   * it: see {@link ClientOptions.dangerouslyAllowBrowser}.
   */
  apiKey?: string | undefined;

  /**
   * Gives the key or a short-lived token: visible ASCII without blanks, else `no_token`. Asked before each request, and once more
   * after a 401. Instead of `apiKey`; beside it, or where it is no function, `invalid_option`. Without either nothing is sent,
   * which suits a proxy that adds the key itself.
   */
  getToken?: (() => string | Promise<string>) | undefined;

  /** Allows `apiKey` in a browser, for tools that run on the owner's machine alone. Default `false`. */
  dangerouslyAllowBrowser?: boolean | undefined;

  /**
   * What requests are made with, called with a `Request`; else than a function, `invalid_option`. Default: the global `fetch`.
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined;

  /**
   * Milliseconds that a request may take until its answer has arrived; an upload has one more for every 16 bytes, a download may
   * pause for so long. Whole number, 1 to 2,147,483,647, else `invalid_option`. Default 60,000.
   */
  timeout?: number | undefined;

  /** How often and how long a request is tried again. `false`: never. */
  retry?: Retry | false | undefined;
}

/**
 * Requests are tried again after network faults, timeouts and the statuses 408, 425, 429, 500, 502, 503 and 504. The delay before
 * the nth further attempt is what `Retry-After` says, else random between 0 and `minDelay` × 2ⁿ⁻¹, at most `maxDelay`. What
 * creates something carries an `Idempotency-Key`, so that it is never created twice. Numbers out of their range:
 * `invalid_option`.
 */
export interface Retry {
  /** Further attempts after the first. Whole number, 0 to 100. Default 5. */
  attempts?: number | undefined;
  /** Milliseconds that the first delay takes at most; it may be shorter. Whole number, 0 to 2,147,483,647. Default 500. */
  minDelay?: number | undefined;
  /**
   * Milliseconds that a random delay takes at most. Whole number, 0 to 2,147,483,647. Default 20,000. A `Retry-After` may be
   * longer.
   */
  maxDelay?: number | undefined;
  /** Milliseconds from the first attempt after which no further one begins. Whole number, 0 to 2,147,483,647. Default 120,000. */
  deadline?: number | undefined;
}

/** Options that every call of a {@link Client} has. */
export interface RequestOptions {
  /**
   * Ends the call, which then rejects with `signal.reason` at once; nothing of it goes on here. A task goes on at the service.
   */
  signal?: AbortSignal | undefined;
}

/** Options of calls that send or receive the bytes of a file. */
export interface TransferOptions extends RequestOptions {
  /**
   * Called as bytes go by. Where there is `XMLHttpRequest` and no `fetch` was given to the client, uploads are told as they
   * proceed; elsewhere at their beginning and end.
   */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Speaks to a service of filepress, or to any other with the same interface. It keeps nothing open, and needs no closing.
 *
 * All calls reject with a subclass of {@link FilepressError}, most often {@link RemoteError}, or with the reason of an aborted
 * `signal`. Signed URLs and keys are never part of a message.
 *
 * @example
 * const client = new Client({ baseUrl: "https://files.example.com", apiKey: process.env.FILEPRESS_API_KEY });
 * const { blob } = await compress(movie, { client });
 */
export class Client {
  /** Throws `invalid_option`, `unknown_option` or `key_in_browser` for what is wrong with `options`; nothing is sent. */
  constructor(options: ClientOptions);
  /** Files: declared, then sent to a signed URL. */
  readonly files: Files;
  /** Tasks: what is to become of a file. */
  readonly tasks: Tasks;
  /** The owner of the key. */
  readonly users: Users;
}

/** See {@link Client.files}. */
export interface Files {
  /** Declares a file. Its `links.upload` takes the bytes, once. */
  create(file: NewFile, options?: CreateOptions): Promise<RemoteFile>;
  /**
   * Sends the bytes of a declared file: as many as were declared. A `Blob` or `File` is handed on as it is and read as it is
   * sent, so that its size does not matter. A signed URL that has expired is replaced by a fresh one.
   */
  upload(file: RemoteFile | string, bytes: Blob | ArrayBufferLike | ArrayBufferView, options?: TransferOptions): Promise<void>;
  /** A file by its id. */
  get(id: string, options?: RequestOptions): Promise<RemoteFile>;
  /** All files, the newest first. */
  list(options?: ListOptions): List<RemoteFile>;
  /** The bytes of a file. A connection that breaks is taken up again where it ended. */
  download(file: RemoteFile | string, options?: TransferOptions & { as?: "blob" }): Promise<Blob>;
  /** The bytes of a file as they come; nothing is fetched before it is read. */
  download(file: RemoteFile | string, options: TransferOptions & { as: "stream" }): Promise<ReadableStream<Bytes>>;
  /**
   * Deletes a file and its bytes at once; they would be deleted after their retention anyway. Throws `file_in_use` (409) while an
   * unfinished task reads the file, and `not_found` (404) for a file that is not there.
   */
  delete(file: RemoteFile | string, options?: RequestOptions): Promise<void>;
}

/** See {@link Client.tasks}. */
export interface Tasks {
  /** Asks for a conversion of a file that has its bytes. */
  create(task: NewTask, options?: CreateOptions): Promise<Task>;
  /** A task by its id. */
  get(id: string, options?: RequestOptions): Promise<Task>;
  /**
   * Waits until a task has ended; asks less often the longer it takes, and as `Retry-After` says. Rejects with `task_failed`
   * where it failed; {@link RemoteError.task} then is the task.
   */
  wait(task: Task | string, options?: WaitOptions): Promise<Task>;
  /** All tasks, the newest first. */
  list(options?: ListOptions): List<Task>;
  /**
   * Ends a task that waits or runs. It becomes `FAILED` with the code `canceled` in `processingMetadata.error`; its input stays. Throws
   * `task_ended` (409) for a task that has ended otherwise, and `not_found` (404) for a task that is not there.
   */
  cancel(task: Task | string, options?: RequestOptions): Promise<Task>;
}

/** See {@link Client.users}. */
export interface Users {
  /** The owner of the key. */
  me(options?: RequestOptions): Promise<User>;
}

/** Options of what creates something. */
export interface CreateOptions extends RequestOptions {
  /**
   * Creates once, however often it is sent within 24 hours: 1 to 255 visible ASCII characters, else `invalid_option`. Default: a
   * random one for each call, which covers the attempts of that call.
   */
  idempotencyKey?: string | undefined;
}

/** Options of {@link Tasks.wait}. */
export interface WaitOptions extends RequestOptions {
  /** Called with each state that is told, with `phase` `"process"`; `ratio` is what the service tells of its progress. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Milliseconds after which `wait_timeout` is thrown; the task goes on. Whole number, 1 to 9,007,199,254,740,991 (2⁵³ − 1), else
   * `invalid_option`. Default: none.
   */
  timeout?: number | undefined;
}

/** Which part of a list. `after` and `before` exclude each other. */
export interface ListOptions extends RequestOptions {
  /** Items asked for at a time: whole number, 1 to 100, else `invalid_option`. Default: the service's (20). */
  pageSize?: number | undefined;
  /** Begin behind this cursor: {@link Page.next}. */
  after?: string | undefined;
  /** End before this cursor: {@link Page.prev}. Iterating goes towards what is newer. */
  before?: string | undefined;
}
