// What a client's calls need of their host: requests, texts, tokens. `src/js/fetch.rs` is the other side of it.
/** What is read of an answer. */
const HEADERS = ["content-encoding", "content-length", "content-range", "content-type", "etag", "retry-after", "x-request-id"];

/** Far more than a list of a hundred tasks; an answer that is longer is none. */
const LONGEST_DOCUMENT = 8 * 1024 * 1024;

/** What a client was given to make requests with; `upload` and `send` are the platform's own ways, with bytes and without. */
export function createHost({ apiKey, getToken, fetch: given, baseUrl }, { upload, send }) {
  return {
    apiKey,
    token: getToken && (async () => getToken()),
    /** Sends a request. A `payload` is what is uploaded: { body, onProgress }. */
    send: async (request, payload) => {
      if (given) return checked(await given(request));
      return payload ? upload(request, payload, baseUrl) : send(request, baseUrl);
    },
  };
}

/**
 * The host of one call, as the engine sees it: what it asks for under a ticket is answered by `deliver(ticket, failed, value)`.
 * `end()` ends what is under way, for an engine that can no longer do so itself.
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
      // Node's Request follows its signal only until it is collected, and nothing else holds it while its answer comes.
      requests.add(request);
      request.signal.addEventListener("abort", () => requests.delete(request), { once: true });
      settle(ticket, send(request, payload));
    },
    text: (ticket, response) => void settle(ticket, readText(response)),
    sleep(ticket, milliseconds) {
      const ring = () => {
        timers.delete(ticket);
        deliver(ticket, false);
      };
      timers.set(ticket, setTimeout(ring, milliseconds));
    },
    clear(ticket) {
      clearTimeout(timers.get(ticket));
      timers.delete(ticket);
    },
    controller() {
      const controller = new AbortController();
      controllers.add(controller);
      // Each ends with its answer: a task may be asked about for hours.
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
 * What a caller's fetch gave, as far as it is needed, in a copy that throws at no touch. It may be of another realm or a library's;
 * what its parts throw is not passed on, since it may quote a signed URL.
 */
function checked(response) {
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
  throw new TypeError("the given fetch resolved to no Response");
}

/** The body as text; undefined where it is too long. */
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
    if (size > LONGEST_DOCUMENT) {
      reader.cancel().catch(() => {});
      return undefined;
    }
  }
}
