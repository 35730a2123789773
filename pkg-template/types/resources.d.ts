// The resources of the service: files, tasks, users, and lists of them.

/** A file to be declared. */
export interface NewFile {
  /** Bytes: whole number, 1 to 9,007,199,254,740,991 (2⁵³ − 1), else `invalid_option`. */
  size: number;
  /** Media type. Default: the service recognizes it by the bytes. */
  format?: string | undefined;
}

/** A file of the service. */
export interface RemoteFile {
  /** Its name. */
  id: string;
  /** Media type, where it is known. */
  format?: string;
  /** Bytes. */
  size: number;
  /** ISO 8601, as the service wrote it. */
  createdAt: string;
  /** ISO 8601, as the service wrote it. */
  updatedAt: string;
  /** When it is deleted: ISO 8601; where the service tells. */
  expiresAt?: string;
  /** Of the bytes, in hexadecimal; where the service tells. */
  sha256?: string;
  /** Addresses. `upload` and `download` are signed: whoever has them needs no key. */
  links: {
    /** The resource. */
    self?: string;
    /** `PUT` the bytes here. */
    upload?: string;
    /** `GET` the bytes here. */
    download?: string;
  };
}

/** A conversion to be done. */
export interface NewTask {
  /** The file. */
  input: RemoteFile | string;
  /** Media types. Without it the file is made smaller and stays what it is. */
  format?: { input?: string; output?: string } | undefined;
  /** Settings as the service names them (`{ crf: 30, resize: { max_width: 640 } }`). */
  settings?: Record<string, unknown> | undefined;
  /** Makes the output's address stable until it expires. Default `false`. */
  public?: boolean | undefined;
}

/** A conversion. */
export interface Task {
  /** Its name. */
  id: string;
  /** Where it stands; it never goes back. */
  status: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  /** See {@link NewTask.public}. */
  public: boolean;
  /** Media types. */
  format: { input?: string; output?: string };
  /** As given, with what the service filled in. */
  settings: Record<string, unknown>;
  /** ISO 8601, as the service wrote it. */
  createdAt: string;
  /** ISO 8601, as the service wrote it. */
  updatedAt: string;
  /** ISO 8601; absent before it began. */
  startedAt?: string;
  /** ISO 8601; absent before it ended. */
  processedAt?: string;
  /** What the service tells of the work, by its own names: `progress` (0 to 1), `input`, `output`, `warnings`, `error`. */
  processingMetadata: Record<string, unknown>;
  /** Id of the input file. */
  input?: string;
  /** Id of the output file, once there is one. */
  output?: string;
  /** The files that came with it. */
  files: RemoteFile[];
  /** Addresses; `download` is signed, and there where the output is. */
  links: { self?: string; download?: string };
}

/** The owner of a key. */
export interface User {
  /** Their name within the service. */
  id: string;
  /** Unique. */
  email: string;
  /** For people; may be empty. */
  name: string;
  /** ISO 8601, as the service wrote it. */
  createdAt: string;
  /** ISO 8601, as the service wrote it. */
  updatedAt: string;
}

/** Items, fetched as they are asked for: `for await (const task of client.tasks.list()) …`. */
export interface List<T> extends AsyncIterable<T> {
  /** The first page alone. */
  page(): Promise<Page<T>>;
}

/** Part of a list. */
export interface Page<T> {
  /** The newest first. */
  items: T[];
  /** Cursor of what follows, for {@link ListOptions.after}; absent where nothing does. */
  next?: string;
  /** Cursor of what is newer, for {@link ListOptions.before}; absent where nothing is. */
  prev?: string;
  /** Whether more follows, as the service says. */
  rangeTruncated: boolean;
}
