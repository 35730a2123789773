// The error classes: one per kind, which says what has to change.

/** Codes for which a retry may succeed. */
const RETRYABLE = ["engine_load", "worker_failed"];

export class FilepressError extends Error {
  constructor(kind, code, message, { details = {}, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.code = code;
    this.retryable = RETRYABLE.includes(code);
    this.details = details;
  }

  // A literal in every class, because minifiers rename classes.
  get name() {
    return "FilepressError";
  }
}

export class InputError extends FilepressError {
  constructor(code, message, extra) {
    super("input", code, message, extra);
  }

  get name() {
    return "InputError";
  }
}

export class OptionsError extends FilepressError {
  constructor(code, message, extra) {
    super("options", code, message, extra);
  }

  get name() {
    return "OptionsError";
  }
}

export class LimitError extends FilepressError {
  constructor(code, message, extra) {
    super("limits", code, message, extra);
  }

  get name() {
    return "LimitError";
  }
}

export class RemoteError extends FilepressError {
  constructor(code, message, extra = {}) {
    super("remote", code, message, extra);
    this.status = extra.status;
    this.requestId = extra.requestId;
    this.source = extra.source;
    this.retryable = extra.retryable === true;
    this.task = extra.task;
  }

  get name() {
    return "RemoteError";
  }
}

export class InternalError extends FilepressError {
  constructor(code, message, extra) {
    super("internal", code, message, extra);
  }

  get name() {
    return "InternalError";
  }
}
