// filepress/react: a hook that compresses the files that a visitor chooses.

import type { CompressOptions, RemoteOptions, RemoteResult, Result } from "../../index.js";

/** Options of `useCompress`: those of `compress`, without options that belong to a single file or call. */
export type UseCompressOptions = Omit<CompressOptions, "as" | "name" | "signal" | "onProgress" | "to"> & Partial<RemoteOptions>;

/** A file that was given to {@link Compression.add}. Items are never changed: each update creates a new item with the same `id`. */
export interface CompressionItem {
  /** Unique within the hook, in the order of {@link Compression.add}. Can be used as React's `key`. */
  readonly id: number;
  /** The file as it was chosen. */
  readonly source: Blob;
  /** `"pending"` until the file is compressed. */
  readonly status: "pending" | "done" | "failed" | "aborted";
  /** Part of the work that is done, 0 to 1. */
  readonly progress: number;
  /** The compressed file, with `status: "done"`. */
  readonly file?: File;
  /** What `compress` resolved to, with `status: "done"`. */
  readonly result?: Result | RemoteResult;
  /** What `compress` rejected with, with `status: "failed"`. Usually a `FilepressError`. */
  readonly error?: unknown;
}

/** What {@link useCompress} returns. The functions stay the same in every render. */
export interface Compression {
  /** All files in the order in which they were added. */
  readonly items: readonly CompressionItem[];
  /** The compressed files, in the order of `items`. Items without a compressed file are left out. */
  readonly files: File[];
  /** Progress of all items together, 0 to 1, weighted by their sizes. 0 without items. */
  readonly progress: number;
  /** Whether a file is still being compressed. */
  readonly pending: boolean;
  /**
   * Starts to compress a file or several files, such as a `FileList` or an array. `null` and `undefined` are no files. Uses the options of the latest render. Resolves to the items
   * of these files when all of them have ended. Items that were removed in the meantime are left out. Never rejects: see
   * {@link CompressionItem.error}.
   */
  add(files: Blob | Iterable<Blob> | null | undefined): Promise<CompressionItem[]>;
  /** Aborts one item; without an `id`, all items. Items that have ended do not change. */
  abort(id?: number): void;
  /** Aborts an item, and removes it from the list. */
  remove(id: number): void;
  /** Aborts all items, and empties the list. */
  clear(): void;
}

/**
 * Compresses the files that a visitor chooses. For React 18 or later.
 *
 * All items are aborted when the component unmounts. Rendering and effects start no work, so StrictMode does not repeat it.
 *
 * @param options May be a new object in each render.
 * @example
 * const { items, files, add } = useCompress({ to: "webp", resize: { maxWidth: 1600 } });
 * return <input type="file" multiple onChange={(event) => add(event.target.files)} />;
 */
export function useCompress(options?: UseCompressOptions): Compression;
