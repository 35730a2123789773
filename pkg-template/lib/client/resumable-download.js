// A download as a stream. A broken connection is resumed by a range request, if the file has not changed.
import { abortable } from "../abort.js";
import { FilepressError, RemoteError } from "../errors.js";

/** Delay in milliseconds after the first break, doubled after each further one, and its maximum. */
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * `open(offset, etag, signal)` resolves to a Response with the bytes from `offset`. `size` is that of the file, if known; `attempts` the
 * maximum number of consecutive breaks without a byte. `onLoaded` receives the number of bytes. `onEnd` is called with true at the end,
 * which waits for it, and without it when the stream is canceled or fails, perhaps several times.
 */
export function createResumableDownload(open, { signal, onEnd, ...options }) {
  const download = new Download(open, options);
  let settle;
  const over = new Promise((resolve) => (settle = resolve));
  const fail = (controller, reason) => {
    controller.error(reason);
    onEnd?.();
  };
  return new ReadableStream(
    {
      start(controller) {
        // Listens for an abort all the time, because a reader may stop reading at any point.
        const whole = abortable(signal, over, () => download.end(signal.reason)?.catch(() => {}));
        whole.catch((reason) => fail(controller, reason));
      },
      async pull(controller) {
        try {
          const bytes = await download.next();
          if (bytes) return controller.enqueue(bytes);
          await onEnd?.(true);
          controller.close();
        } catch (thrown) {
          fail(controller, thrown);
        }
        settle();
      },
      async cancel(reason) {
        settle();
        await Promise.all([download.end(reason), onEnd?.()]);
      },
    },
    // The request is sent when the stream is first read.
    { highWaterMark: 0 },
  );
}

/** The bytes of a file over any number of responses. */
class Download {
  #open;
  #options;
  #stop = new AbortController();
  #reader;
  #loaded = 0;
  #total;
  #etag;
  /** Breaks since the last byte, and all of them. */
  #broken = 0;
  #breaks = 0;

  constructor(open, options) {
    this.#open = open;
    this.#options = options;
    this.#total = options.size;
  }

  /** The next bytes; undefined at the end. */
  async next() {
    const { size, timeout } = this.#options;
    for (;;) {
      try {
        if (!this.#reader) await this.#begin();
        const { done, value } = await inTime(this.#reader.read(), timeout);
        if (!done) return this.#count(value);
        if (this.#loaded >= Math.max(this.#total ?? 0, size ?? 0)) return undefined;
        throw new RemoteError("network", "The download broke off.", { retryable: true });
      } catch (thrown) {
        await this.#pause(thrown);
      }
    }
  }

  end(reason) {
    this.#stop.abort(reason);
    return this.#reader?.cancel(reason);
  }

  async #begin() {
    // Without an ETag the file may change: it is requested from the start, and the bytes that are already there are skipped.
    const from = this.#etag ? this.#loaded : 0;
    const response = await this.#open(from, this.#etag, this.#stop.signal);
    if (this.#stop.signal.aborted) response.body?.cancel().catch(() => {});
    try {
      this.#check(response, from);
    } catch (thrown) {
      response.body?.cancel().catch(() => {});
      throw thrown;
    }
    const skip = response.status === 206 ? 0 : this.#loaded;
    // A Response of another implementation of fetch may have no stream.
    const body = response.body ?? new Blob([await response.arrayBuffer()]).stream();
    this.#reader = skipping(body.getReader(), skip);
  }

  /** Throws if the response does not continue the earlier ones. */
  #check({ status, headers }, from) {
    const found = headers.get("etag")?.startsWith('"') ? headers.get("etag") : undefined;
    if (this.#loaded > 0 && found !== this.#etag) throw bad("The file was changed while it was downloaded.");
    this.#etag = found;
    const continues = from > 0 && headers.get("content-range")?.startsWith(`bytes ${from}-`);
    if (status === 206 && !continues) throw bad("The server sent another part of the file.");
    const length = headers.get("content-length");
    if (length !== null && !headers.has("content-encoding")) this.#total = Number(length) + (status === 206 ? from : 0);
  }

  #count(bytes) {
    this.#broken = 0;
    this.#loaded += bytes.length;
    if (this.#total !== undefined && this.#loaded > this.#total) throw bad("The server sent more bytes than the file has.");
    this.#options.onLoaded?.(this.#loaded, this.#total ?? this.#loaded);
    return bytes;
  }

  /** Waits before the next attempt after a break. Throws if there is none. */
  async #pause(thrown) {
    const { signal } = this.#stop;
    const opened = this.#reader;
    this.#reader = undefined;
    opened?.cancel().catch(() => {});
    this.#broken += 1;
    this.#breaks += 1;
    const { attempts } = this.#options;
    if (signal.aborted || !opened || this.#broken > attempts || thrown?.code === "bad_answer") throw toRemoteError(thrown);
    await abortable(signal, pause(Math.min(PAUSE_MS * 2 ** (this.#breaks - 1), LONGEST_PAUSE_MS)));
  }
}

/** A reader that skips the first `skip` bytes. */
function skipping(source, skip) {
  return {
    cancel: (reason) => source.cancel(reason),
    async read() {
      for (;;) {
        const { done, value } = await source.read();
        if (done) return { done };
        const skipped = Math.min(skip, value.length);
        skip -= skipped;
        if (skipped < value.length) return { done, value: value.subarray(skipped) };
      }
    },
  };
}

function inTime(promise, timeout) {
  let timer;
  const late = new Promise((_, reject) => {
    const error = new RemoteError("timeout", "The server sends nothing more.", { retryable: true });
    timer = setTimeout(() => reject(error), timeout);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const bad = (message) => new RemoteError("bad_answer", message);

/** Messages of the platform may contain the signed URL, so they are replaced. */
function toRemoteError(thrown) {
  if (thrown instanceof FilepressError) return thrown;
  return new RemoteError("network", "The download broke off.", { retryable: true });
}
