// A download as a stream. A broken connection is resumed by a range request, if the file has not changed.
import { abortable } from "../abort.js";
import { FilepressError, RemoteError } from "../errors.js";

/** Delay in milliseconds after the first break, doubled after each further one, and its maximum. */
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * `open(offset, etag, signal)` resolves to a Response with the bytes from `offset`. `size` is that of the file, if known; `attempts` the
 * maximum number of consecutive breaks without a byte. `onLoaded` receives the number of bytes; `onEnd` is called at the end and awaited.
 */
export function createResumableDownload(open, { size, attempts, timeout, signal, onLoaded, onEnd }) {
  const stop = new AbortController();
  let reader;
  let loaded = 0;
  let total = size;
  let etag;
  let broken = 0;
  let breaks = 0;

  async function begin() {
    // Without an ETag the file may change: it is requested from the start, and the bytes that are already there are skipped.
    const from = etag ? loaded : 0;
    const response = await open(from, etag, stop.signal);
    if (stop.signal.aborted) response.body?.cancel().catch(() => {});
    try {
      check(response, from);
    } catch (thrown) {
      response.body?.cancel().catch(() => {});
      throw thrown;
    }
    const skip = response.status === 206 ? 0 : loaded;
    reader = skipping(response.body?.getReader() ?? (await buffered(response)), skip);
  }

  /** Throws if the response does not continue the earlier ones. */
  function check({ status, headers }, from) {
    const found = headers.get("etag")?.startsWith('"') ? headers.get("etag") : undefined;
    if (loaded > 0 && found !== etag) throw bad("The file was changed while it was downloaded.");
    etag = found;
    const continues = from > 0 && headers.get("content-range")?.startsWith(`bytes ${from}-`);
    if (status === 206 && !continues) throw bad("The service sent another part of the file.");
    const length = headers.get("content-length");
    if (length !== null && !headers.has("content-encoding")) total = Number(length) + (status === 206 ? from : 0);
  }

  /** The next bytes; undefined at the end. */
  async function next() {
    for (;;) {
      try {
        if (!reader) await begin();
        const { done, value } = await inTime(reader.read(), timeout);
        if (!done) {
          broken = 0;
          loaded += value.length;
          if (total !== undefined && loaded > total) throw bad("The service sent more bytes than the file has.");
          onLoaded?.(loaded, total ?? loaded);
          return value;
        }
        if (loaded >= Math.max(total ?? 0, size ?? 0)) return undefined;
        throw new RemoteError("network", "The download broke off.", { retryable: true });
      } catch (thrown) {
        const opened = reader;
        reader = undefined;
        opened?.cancel().catch(() => {});
        broken += 1;
        breaks += 1;
        if (stop.signal.aborted || !opened || broken > attempts || thrown?.code === "bad_answer") throw toRemoteError(thrown);
        await abortable(stop.signal, pause(Math.min(PAUSE_MS * 2 ** (breaks - 1), LONGEST_PAUSE_MS)));
      }
    }
  }

  function end(reason) {
    stop.abort(reason);
    return reader?.cancel(reason);
  }

  let settle;
  const over = new Promise((resolve) => (settle = resolve));
  return new ReadableStream(
    {
      start(controller) {
        // Listens for an abort all the time, because a reader may stop reading at any point.
        const whole = abortable(signal, over, () => end(signal.reason)?.catch(() => {}));
        whole.catch((reason) => controller.error(reason));
      },
      async pull(controller) {
        try {
          const bytes = await next();
          if (bytes) return controller.enqueue(bytes);
          await onEnd?.();
          controller.close();
        } catch (thrown) {
          controller.error(thrown);
        }
        settle();
      },
      cancel(reason) {
        settle();
        return end(reason);
      },
    },
    // The request is sent when the stream is first read.
    { highWaterMark: 0 },
  );
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

/** A reader for a Response without a stream. */
async function buffered(response) {
  const parts = [new Uint8Array(await response.arrayBuffer())];
  return { read: async () => ({ done: parts.length === 0, value: parts.pop() }), cancel: async () => {} };
}

function inTime(promise, timeout) {
  let timer;
  const late = new Promise((_, reject) => {
    const error = new RemoteError("timeout", "The service sends nothing more.", { retryable: true });
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
