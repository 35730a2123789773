// An error document as the server writes them, so that its client reads the Worker's own refusals as well.

const TITLES = {
  400: "Bad request",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  413: "Too large",
  415: "Wrong media type",
  422: "Invalid value",
  429: "Too many requests",
  502: "The server does not answer",
};

export class Refusal extends Error {
  /** `pointer` names the part of the body that was wrong; `detail` tells a person more than the code does. */
  constructor(status, code, pointer, headers = {}, detail = undefined) {
    super(code);
    Object.assign(this, { status, pointer, headers, detail });
  }

  toResponse() {
    const { status, message: code, pointer, headers, detail = `${TITLES[status]}: ${code}.` } = this;
    const error = { status: `${status}`, code, title: TITLES[status], detail };
    if (pointer) error.source = { pointer };
    const body = JSON.stringify({ jsonapi: { version: "1.1" }, errors: [error] });
    return new Response(body, { status, headers: { "content-type": "application/vnd.api+json", ...headers } });
  }
}
