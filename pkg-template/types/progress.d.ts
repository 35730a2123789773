// The progress of a call, and the byte array that results consist of.

/** Progress of a call. */
export interface Progress {
  /**
   * The current step. On the device, in this order: `"load"` (the engine is loading, or the call is queued), `"decode"`, `"resize"`
   * (only if the size changes), `"encode"`, `"done"`. On the server: `"load"`, `"upload"`, `"process"`, `"download"`, `"done"`.
   */
  phase: "load" | "decode" | "resize" | "encode" | "upload" | "process" | "download" | "done";
  /**
   * Bytes transferred: of the input in `"upload"`, of the output in `"download"`. In the other phases, bytes of the input read so far: 0 in
   * `"load"`, then `total`.
   */
  loaded: number;
  /** Size in bytes: of the output in `"download"`, otherwise of the input. */
  total: number;
  /**
   * Estimated part of the whole call that is done, 0 to 1. Never decreases, and reaches 1 at `"done"`. While a codec works in a worker, the
   * ratio is estimated from the elapsed time and reported about five times a second.
   */
  ratio: number;
  /** With `targetSize` or `quality: "auto"`: the number of the current attempt, from 1. */
  attempt?: number;
  /** Estimated time until the end, in milliseconds; absent as long as there is no estimate. 0 at `"done"`. */
  remaining?: number;
}

/** A `Uint8Array` that owns its memory. The alias compiles with every version of TypeScript. */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;
