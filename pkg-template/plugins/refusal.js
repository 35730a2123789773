// Answers of the image server that are no images: `{ code, message }` as JSON. Only errors of this file and of the package become public.

/** An error whose status, code and message are those of its response. `cause`, of the options, is what the operator gets instead. */
export class Refusal extends Error {
  constructor(status, code, message, options) {
    super(message, options);
    this.status = status;
    this.code = code;
  }
}

export const refuse = (status, code, message, options) => new Refusal(status, code, message, options);

/** What nobody expected. Its message may be a secret. */
export const fail = (cause) => refuse(500, "internal", "The image could not be made.", { cause });

/** Statuses of errors of the package, by kind; then by code. */
const BY_KIND = new Map([["input", 422], ["options", 400], ["limits", 413]]);
const BY_CODE = new Map([["unsupported_type", 415], ["needs_decoder", 415], ["needs_service", 415]]);

/** The refusal for what a call of the package threw. */
export function toRefusal(thrown) {
  if (thrown instanceof Refusal) return thrown;
  try {
    const { kind, code, message, details } = thrown;
    // Who asks for an image can do nothing about the overlay that all images have.
    if (BY_KIND.has(kind) && details?.file !== "overlay") return refuse(BY_CODE.get(code) ?? BY_KIND.get(kind), `${code}`, `${message}`, { cause: thrown });
  } catch {
    // Anything can be thrown: null, or an object whose members throw.
  }
  return fail(thrown);
}

export function toResponse({ status, code, message }) {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (status === 503) headers["retry-after"] = "1";
  if (status === 405) headers.allow = "GET, HEAD";
  return Response.json({ code, message }, { status, headers });
}

/**
 * Returns `report(refusal, request)`, which tells the operator of what is not the fault of who asked, once for all who waited for it. What
 * `onError` throws is lost: the response must not depend on it.
 */
export function createReport(onError) {
  const reported = new WeakSet();
  return async function report(refusal, request) {
    if (!onError || ![500, 502, 504].includes(refusal.status) || request.signal?.aborted || reported.has(refusal)) return;
    reported.add(refusal);
    try {
      await onError("cause" in refusal ? refusal.cause : refusal, request);
    } catch {}
  };
}
