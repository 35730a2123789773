// Checks a rejection against the contract of errors.
import { strict as assert } from "node:assert";

const kinds = { InputError: "input", OptionsError: "options", LimitError: "limits", RemoteError: "remote", InternalError: "internal" };

/** What a promise rejects with; fails when it resolves. */
export async function failureOf(promise) {
  const outcome = await promise.then((value) => ({ value }), (error) => ({ error }));
  assert.ok("error" in outcome, `resolved with ${outcome.value?.outputSize ?? outcome.value} instead of rejecting`);
  return outcome.error;
}

/** The same, before a timer that starts with it: an order of events of one thread, which a busy machine keeps as well. */
export async function failureWithin(call, milliseconds) {
  const late = new Promise((resolve) => setTimeout(resolve, milliseconds, new Error(`${milliseconds} ms have passed`)).unref());
  return Promise.race([failureOf(call), late]);
}

/** Expects an error of the package `api` of class `name` and with `code`; returns it. */
export async function expectFailure(api, promise, name, code) {
  const error = await failureOf(promise);
  assert.equal(error?.code, code, `${error?.stack ?? error}`);
  assert.ok(error instanceof api[name] && error instanceof api.FilepressError && error instanceof Error, `${code} is not a ${name}`);
  assert.deepEqual([error.name, error.kind, typeof error.retryable, typeof error.details], [name, kinds[name], "boolean", "object"]);
  assert.match(error.message, /^\S.{15,}[.?)]$/s, "the message is no sentence");
  return error;
}
