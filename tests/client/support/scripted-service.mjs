// A service on a free loopback port whose responses a test scripts step by step. It records every request.
import { strict as assert } from "node:assert";
import { listen } from "../../package/support/listen.mjs";

const MEDIA_TYPE = "application/vnd.api+json";

/** An answer with a document, or with text as it is. */
export const answer = (status, body, headers = {}) => ({ status, body: bytesOf(body), headers: { "content-type": MEDIA_TYPE, ...headers } });

/** An answer with an error, as the interface writes it. Members of `error` go before those made here. */
export function refusal(status, code, error = {}, headers = {}) {
  const whole = { id: `request-${code}`, status: `${status}`, code, title: "Title of the code", detail: "What was wrong this time.", ...error };
  return answer(status, { jsonapi: { version: "1.1" }, errors: [whole] }, headers);
}

/** Another address to ask. */
export const redirect = (location, status = 307) => ({ status, body: Buffer.alloc(0), headers: { location } });

/** The connection ends; `after` is the answer of which the first half is sent before. */
export const cut = (after) => ({ ...after, cut: true });

/** No answer, for as long as the other side waits. */
export const silence = () => ({ silent: true });

/** The head and the first half of an answer, and then nothing for as long as the other side waits. */
export const stall = (after) => ({ ...after, stalled: true });

/**
 * Opens the server. Steps are answers as above, or functions from a request to one; each request takes the next.
 *
 * `requests` has for each `{ method, path, headers, body, gone }`; `gone` resolves when the other side has closed the
 * connection before it had the whole answer.
 */
export async function openScripted(...steps) {
  const requests = [];
  const script = [...steps];
  const surprises = [];
  const { url, close } = await listen(async (incoming, outgoing) => {
    const request = { method: incoming.method, path: incoming.url, headers: incoming.headers, at: performance.now() };
    request.gone = new Promise((resolve) => outgoing.on("close", () => !outgoing.writableFinished && resolve()));
    requests.push(request);
    const step = script.shift() ?? surprise(request);
    request.body = await collect(incoming);
    send(typeof step === "function" ? await step(request) : step, outgoing);
  });
  const surprise = ({ method, path }) => {
    surprises.push(`${method} ${path}`);
    return refusal(501, "not_in_the_script");
  };
  return {
    url,
    requests,
    /** Appends steps. */
    script: (...more) => void script.push(...more),
    /** The method and the path of each request so far, without the query. */
    seen: () => requests.map(({ method, path }) => `${method} ${path.split("?")[0]}`),
    /** Fails unless every step was asked for, and nothing besides. */
    done() {
      assert.deepEqual(surprises, [], "requests that the script does not have");
      assert.equal(script.length, 0, `${script.length} steps were not asked for; requests: ${requests.map(({ path }) => path)}`);
    },
    close,
  };
}

function bytesOf(body) {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body));
}

/** The body of a request, as far as it came. */
async function collect(incoming) {
  const chunks = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch {
    // The other side has gone; what it sent counts.
  }
  return Buffer.concat(chunks);
}

function send({ status, body, headers, cut, silent, stalled }, outgoing) {
  if (silent) return;
  if (cut && status === undefined) return outgoing.socket?.destroy();
  outgoing.writeHead(status, { "content-length": body.length, ...headers });
  if (!cut && !stalled) return outgoing.end(body);
  outgoing.write(body.subarray(0, body.length >> 1), () => cut && outgoing.socket?.destroy());
}
