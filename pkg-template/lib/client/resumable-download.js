// The bytes of a file, as a stream. A connection that breaks is taken up again where it ended, if these are the same bytes.
import { abortable } from "../abort.js";
import { FilepressError, RemoteError } from "../errors.js";

/** Milliseconds to wait after the first break, and at most; each further one waits as long again. */
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * `open(offset, etag, signal)` resolves to a Response with the bytes from there on. `size` is how many there are, where that is
 * known; `attempts` how often in a row it may break without a byte; `onLoaded` hears of all that has come, and `onEnd`, which is
 * waited for, that it has all come.
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
    // Bytes without a name may be others the next time: then all are asked for, and what is there already is passed over.
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

  /** Refuses bytes that are no continuation of those that came. */
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
        if (stop.signal.aborted || !opened || broken > attempts || thrown?.code === "bad_answer") throw toRemote(thrown);
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
        // All along: who has read a part may never ask for the next.
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
    // Nothing is fetched before it is wanted.
    { highWaterMark: 0 },
  );
}

/** A reader that passes over the first `skip` bytes. */
function skipping(source, skip) {
  return {
    cancel: (reason) => source.cancel(reason),
    async read() {
      for (;;) {
        const { done, value } = await source.read();
        if (done) return { done };
        const passed = Math.min(skip, value.length);
        skip -= passed;
        if (passed < value.length) return { done, value: value.subarray(passed) };
      }
    },
  };
}

/** For a Response without a stream. */
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

/** Words of the host may name the signed URL: they are not passed on. */
function toRemote(thrown) {
  if (thrown instanceof FilepressError) return thrown;
  return new RemoteError("network", "The download broke off.", { retryable: true });
}
