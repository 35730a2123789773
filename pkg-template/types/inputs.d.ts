// The inputs of calls, and the pixels that `decode` returns.

/**
 * The input of a call: a file in any form, or pixels.
 *
 * - A `Blob` or `File`, an `ArrayBuffer`, a view of one (typed array, `DataView`, Node's `Buffer`); in Node a `file:` `URL`.
 * - A `Response` or `Request` whose body has not been read, an unlocked `ReadableStream` of bytes, or a stream of Node.
 * - Pixels: {@link Pixels} such as an `ImageData`, a {@link Canvas} or a {@link Picture}. Pixels become a PNG unless `to` names another format.
 *
 * An input is never changed and never detached. Buffers are copied when the call is made. Of a view, only the bytes that it covers are
 * copied. A `Blob` is read when the work on it begins. Bodies and streams are read immediately, up to {@link Limits.maxInputBytes}. If a body
 * exceeds this limit, or the call is aborted, the download is canceled. `compressAll` copies or
 * reads each input when its turn comes, `variants` when the first output is requested.
 */
export type Input = Blob | BlobLike | ArrayBufferLike | ArrayBufferView | Response | Request | URL | ReadableStream<Uint8Array> | NodeStream | Pixels | Canvas | Picture;

/** A Blob of another implementation of the DOM, such as that of a test runner. */
export interface BlobLike {
  /** Size in bytes. */
  readonly size: number;
  /** Media type, or an empty string. */
  readonly type: string;
  /** Resolves to the bytes. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Returns a part of the Blob. */
  slice(start?: number, end?: number): BlobLike;
}

/** A readable stream of Node, with chunks that are `Buffer` or `Uint8Array`. */
export interface NodeStream {
  /** Distinguishes it from other iterables. */
  pipe(...destination: never[]): unknown;
  /** The chunks. */
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

/** Pixels in rows from top to bottom, four bytes each: red, green, blue in sRGB, and straight alpha. An `ImageData` is of this form. */
export interface Pixels {
  /** The samples: 4 × `width` × `height` bytes, otherwise `unreadable_input`. */
  readonly data: Uint8Array | Uint8ClampedArray;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  /** Only `"srgb"`, the default. Otherwise `unreadable_input`. */
  readonly colorSpace?: string | undefined;
}

/** An `HTMLCanvasElement` or `OffscreenCanvas`. A canvas that contains images of other origins cannot be read (`unreadable_input`). */
export interface Canvas {
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
  /** Distinguishes it from other objects. */
  getContext(kind: "2d"): unknown;
}

/** An `ImageBitmap`, or a `VideoFrame`, which is read at its display size. The call closes neither. */
export type Picture = { readonly width: number; readonly height: number; close(): void } | { readonly displayWidth: number; readonly displayHeight: number; close(): void };

/** Result of `decode`. In a browser, `new ImageData(data, width, height)` creates an `ImageData` from the result. */
export interface DecodedPixels {
  /** Red, green, blue and straight alpha of each pixel, in rows from top to bottom. */
  data: Uint8ClampedArray<ArrayBuffer>;
  /** Width of the upright image in pixels. */
  width: number;
  /** Height of the upright image in pixels. */
  height: number;
  /** Always sRGB. */
  colorSpace: "srgb";
}
