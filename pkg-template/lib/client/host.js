// The host functions of a client's calls: requests, response bodies, tokens, timers. `src/js/fetch.rs` calls them.

/** Response headers that are read. */
const HEADERS = ["content-encoding", "content-length", "content-range", "content-type", "etag", "retry-after", "x-request-id"];

/** Maximum size of a JSON document in bytes, far more than a list of a hundred tasks needs. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

/** Creates the host of a client, from its options and the platform's functions for requests with and without a payload. */
export function createHost({ apiKey, getToken, fetch: given, baseUrl }, { upload, send }) {
  return {
    apiKey,
    token: getToken && (async () => getToken()),
    /** Sends a request. `payload` is the body of an upload: { body, onProgress }. */
    send: async (request, payload) => {
      if (given) return copyResponse(await given(request));
      return payload ? upload(request, payload, baseUrl) : send(request, baseUrl);
    },
  };
}

/**
 * Creates the host of one call. Each result is passed to `deliver(ticket, failed, value)` with the ticket of its request. `end()` aborts
 * all requests, for an engine that crashed.
 */
export function createCallHost({ apiKey, token, send }, deliver) {
  const timers = new Map();
  const controllers = new Set();
  const requests = new Set();
  const settle = (ticket, promise) =>
    promise.then(
      (value) => deliver(ticket, false, value),
      (thrown) => deliver(ticket, true, thrown),
    );
  return {
    apiKey,
    hasToken: token !== undefined,
    token: (ticket) => void settle(ticket, token()),
    send(ticket, request, payload) {
      // Node's Request only follows its signal until it is garbage-collected, so it is kept alive until the response is read.
      requests.add(request);
      request.signal.addEventListener("abort", () => requests.delete(request), { once: true });
      settle(ticket, send(request, payload));
    },
    text: (ticket, response) => void settle(ticket, readText(response)),
    sleep(ticket, milliseconds) {
      const onTimeout = () => {
        timers.delete(ticket);
        deliver(ticket, false);
      };
      timers.set(ticket, setTimeout(onTimeout, milliseconds));
    },
    clear(ticket) {
      clearTimeout(timers.get(ticket));
      timers.delete(ticket);
    },
    controller() {
      const controller = new AbortController();
      controllers.add(controller);
      // Each is aborted after its response: a task may be polled for hours.
      controller.signal.addEventListener("abort", () => controllers.delete(controller), { once: true });
      return controller;
    },
    end() {
      timers.forEach(clearTimeout);
      controllers.forEach((controller) => controller.abort());
    },
  };
}

/**
 * Copies the needed parts of a Response from the caller's fetch, which may be a lookalike that throws on access. Its errors are not
 * passed on, because they may contain a signed URL.
 */
function copyResponse(response) {
  try {
    const { status } = response;
    const headers = new Headers();
    for (const name of HEADERS) {
      const value = response.headers.get(name);
      if (typeof value === "string") headers.set(name, value);
    }
    const isStatus = Number.isInteger(status) && (status === 0 || (status >= 200 && status <= 599));
    if (isStatus && !response.bodyUsed) {
      return { status, headers, body: response.body, text: () => response.text(), arrayBuffer: () => response.arrayBuffer() };
    }
  } catch {}
  throw new TypeError("the given fetch did not resolve to a Response");
}

/** The body as text; undefined if it is too long. */
async function readText(response) {
  const reader = response.body?.getReader();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    text += decoder.decode(value, { stream: true });
    if (size > MAX_DOCUMENT_BYTES) {
      reader.cancel().catch(() => {});
      return undefined;
    }
  }
}
