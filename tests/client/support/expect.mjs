// A client of a scripted service, and assertions about its errors.
import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { expectFailure } from "../../package/support/failure.mjs";
import { SIGNATURE } from "./documents.mjs";

/** The key that no message may show. */
export const KEY = "fp_key-of-the-tests-which-nobody-may-see";

/** A client of `service` that tries nothing again unless `options` say so. */
export const clientOf = (api, service, options = {}) => new api.Client({ baseUrl: service.url, apiKey: KEY, retry: false, ...options });

/** Attempts that follow each other at once. */
export const quick = (attempts = 5, more = {}) => ({ attempts, minDelay: 1, maxDelay: 1, ...more });

/** Expects a `RemoteError` with `code`, with `facts` among its members, and without a secret anywhere in it; returns it. */
export async function expectRemote(api, promise, code, facts = {}) {
  const error = await expectFailure(api, promise, "RemoteError", code);
  const { status, requestId, source, retryable } = error;
  const told = { status, requestId, source, retryable };
  for (const [name, value] of Object.entries(facts)) assert.deepEqual(told[name], value, `${name} of ${code}`);
  assertDiscreet(error);
  return error;
}

/** Fails where a key or a signature is in any part of an error: message, stack, cause, members, JSON. */
export function assertDiscreet(error, secrets = [KEY, SIGNATURE, "signature="]) {
  const whole = `${inspect(error, { depth: 20, showHidden: true, getters: true })}\n${JSON.stringify(error)}\n${error.stack}\n${error}`;
  for (const secret of secrets) assert.ok(!whole.includes(secret), `${secret} is in the error: ${whole}`);
}

/** Every item of an async iterable. */
export async function all(list) {
  const items = [];
  for await (const item of list) items.push(item);
  return items;
}

/** Fails unless the other side closes the connection of a request before it has the answer. */
export async function expectGone({ method, path, gone }) {
  const over = new AbortController();
  const patience = sleep(120_000, undefined, { signal: over.signal }).then(() => assert.fail(`${method} ${path} goes on`));
  patience.catch(() => {});
  await Promise.race([gone, patience]).finally(() => over.abort());
}
