// The progress of a call, and the bytes that results are made of.

/** Where a call stands. */
export interface Progress {
  /**
   * What is done now. On the device, in this order: `"load"` (the input is known; the engine is loaded and the call may wait for
   * a worker), `"decode"`, `"resize"` (only if the size changes), `"encode"`, `"done"`. By the service: `"load"`, `"upload"`,
   * `"process"`, `"download"`, `"done"`.
   */
  phase: "load" | "decode" | "resize" | "encode" | "upload" | "process" | "download" | "done";
  /**
   * Bytes that went by: of the input in `"upload"`, of the output in `"download"`. In the other phases, bytes of the input that
   * the engine has: 0 in `"load"`, then `total`.
   */
  loaded: number;
  /** Bytes of the output in `"download"`, else of the input. */
  total: number;
  /** Share of the whole call that is done, 0 to 1, estimated. Never decreases; 1 comes with `"done"`. */
  ratio: number;
}

/** A `Uint8Array` with memory of its own, in the words of any version of TypeScript. */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;
