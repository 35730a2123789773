// The resources of the server: files, tasks, users, and lists of them.

/** A file to create. */
export interface NewFile {
  /** Size in bytes: integer from 1 to 9,007,199,254,740,991 (2⁵³ − 1), otherwise `invalid_option`. */
  size: number;
  /** Media type. Default: the server detects it from the bytes. */
  format?: string | undefined;
}

/** A file on the server. */
export interface RemoteFile {
  /** Unique id. */
  id: string;
  /** Media type, if known. */
  format?: string;
  /** Size in bytes. */
  size: number;
  /** Time of creation, ISO 8601. */
  createdAt: string;
  /** Time of the last change, ISO 8601. */
  updatedAt: string;
  /** Time at which the file is deleted, ISO 8601, if the server reports it. */
  expiresAt?: string;
  /** SHA-256 of the bytes in hexadecimal, if the server reports it. */
  sha256?: string;
  /** URLs. `upload`, `resumable` and `download` are signed, so requests to them need no key. */
  links: {
    /** URL of the resource. */
    self?: string;
    /** URL to which the bytes are sent with `PUT`. */
    upload?: string;
    /** URL of a resumable upload, for clients of tus 1.0. Absent if the server does not support this. */
    resumable?: string;
    /** URL from which the bytes are read with `GET`. */
    download?: string;
  };
}

/** A task to create. */
export interface NewTask {
  /** The file to convert, or its id. */
  input?: RemoteFile | string | undefined;
  /** Instead of `input`: images, or their ids, that become the pages of one PDF, in this order. `format.output` must be `application/pdf`. */
  inputs?: readonly (RemoteFile | string)[] | undefined;
  /** Media types of input and output. Without `output`, the file is compressed in its own format. */
  format?: { input?: string; output?: string } | undefined;
  /** Settings. The keys are those of the REST API: `{ crf: 30, resize: { max_width: 640 } }`. */
  settings?: Record<string, unknown> | undefined;
  /**
   * `true`: the download URL of the output stays the same, and is valid until the file expires. `false` (default): each response has a new
   * download URL, which is valid for a limited time.
   */
  public?: boolean | undefined;
  /**
   * URL that the server calls when the task has ended, with the task's document and a signature. It must begin with `https:` and have at most
   * 2048 bytes. The server refuses private IP addresses (`callback_not_allowed`), unless its operator allows them.
   */
  callbackUrl?: string | undefined;
}

/** A task: the conversion of a file. */
export interface Task {
  /** Unique id. */
  id: string;
  /** Current status. It never goes back to an earlier one. */
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  /** See {@link NewTask.public}. */
  public: boolean;
  /** Media types of input and output. */
  format: { input?: string; output?: string };
  /** The given settings, with the server's defaults filled in. */
  settings: Record<string, unknown>;
  /** Time of creation, ISO 8601. */
  createdAt: string;
  /** Time of the last change, ISO 8601. */
  updatedAt: string;
  /** Time at which work began, ISO 8601. Absent before that. */
  startedAt?: string;
  /** Time at which work ended, ISO 8601. Absent before that. */
  processedAt?: string;
  /** Facts about the conversion. The keys are those of the REST API: `progress` (0 to 1), `input`, `output`, `warnings`, `error`. */
  processingMetadata: Record<string, unknown>;
  /** See {@link NewTask.callbackUrl}. Absent without one. */
  callbackUrl?: string;
  /**
   * Calls of `callbackUrl`. `status` is `WAITING` until the task has ended, then `PENDING`, and finally `DELIVERED` or `FAILED`. `attempts` is the
   * number of calls. `failure` says why the last call failed. Absent without a `callbackUrl`.
   */
  callback?: { status: string; attempts: number; failure?: string };
  /** Id of the input file, or of the first input file if there are several. */
  input?: string;
  /** Ids of all input files, if there are several. Absent in lists. */
  inputs?: string[];
  /** Id of the output file. Absent until it exists. */
  output?: string;
  /** The files that the server included in its response. May be empty. */
  files: RemoteFile[];
  /** URLs. `download` is the signed URL of the output, if the output exists. */
  links: { self?: string; download?: string };
}

/** The owner of an API key. */
export interface User {
  /** Unique id. */
  id: string;
  /** Email address. Unique. */
  email: string;
  /** Display name. May be empty. */
  name: string;
  /** Time of creation, ISO 8601. */
  createdAt: string;
  /** Time of the last change, ISO 8601. */
  updatedAt: string;
}

/** A list that is fetched page by page as it is iterated: `for await (const task of client.tasks.list()) …`. */
export interface List<T> extends AsyncIterable<T> {
  /** Fetches the first page only. */
  page(): Promise<Page<T>>;
}

/** One page of a list. */
export interface Page<T> {
  /** Items, newest first. */
  items: T[];
  /** Cursor of the next page, for `ListOptions.after`. Absent on the last page. */
  next?: string;
  /** Cursor of the previous page, for `ListOptions.before`. Absent on the first page. */
  prev?: string;
  /** Whether the server reports that older items follow this page. */
  rangeTruncated: boolean;
}
