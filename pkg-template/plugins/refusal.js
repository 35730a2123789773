// Answers of the image server that are no images: `{ code, message }` as JSON.

/** An error with the status of its response. */
export const refuse = (status, code, message) => Object.assign(new Error(message), { status, code });

/** Statuses of errors of the package, by code; then by kind. */
const BY_CODE = { response_not_ok: 502, unreadable_input: 502, unsupported_type: 415, needs_decoder: 415, needs_service: 415 };
const BY_KIND = { input: 422, options: 400, limits: 413 };

/** The response for what was thrown. What nobody expected is status 500, without its message. */
export function refusal(error) {
  const status = error.status ?? BY_CODE[error.code] ?? BY_KIND[error.kind] ?? 500;
  const { code, message } = status === 500 ? { code: "internal", message: "The image could not be made." } : error;
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if (status === 503) headers["retry-after"] = "1";
  if (status === 405) headers.allow = "GET, HEAD";
  return Response.json({ code, message }, { status, headers });
}
