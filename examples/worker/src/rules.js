// What a page may ask of the server. The bodies that go there are made anew of what is allowed, so that nothing else gets through.
import { Refusal } from "./refusal.js";

/** Bytes of a file. */
const MAX_FILE_SIZE = 500_000_000;

/** Types that may come in, and go out. */
const TYPES = /^(image|video|audio)\/[\w.+-]+$|^application\/pdf$/;

const SIDE = within(1, 4096);

/** Settings of a task, each with what its value has to be. */
const SETTINGS = {
  optimize: isBoolean,
  strip_metadata: isBoolean,
  mute: isBoolean,
  quality: within(1, 100),
  target_size: within(1, MAX_FILE_SIZE),
  crf: within(18, 63),
  fps: within(1, 60),
  bitrate: within(16_000, 320_000),
  dpi: within(36, 300),
  page: within(1, 10_000),
  resize: (value) => allOf(value, { width: SIDE, height: SIDE, max_width: SIDE, max_height: SIDE, fit: oneOf("fill", "inside", "cover") }),
};

/** The body of POST /v1/files. */
export function fileBody(document) {
  const { size, format } = attributesOf(document, "files");
  if (!Number.isSafeInteger(size) || size < 1) throw new Refusal(422, "invalid_value", "/data/attributes/size");
  if (size > MAX_FILE_SIZE) throw new Refusal(400, "max_file_size_exceeded", "/data/attributes/size");
  if (format === undefined || !isType(format)) throw new Refusal(422, "invalid_value", "/data/attributes/format");
  return { data: { type: "files", attributes: { size, format } } };
}

/** The body of POST /v1/tasks. */
export function taskBody(document) {
  const { format, settings = {} } = attributesOf(document, "tasks");
  const id = document.data.relationships?.input?.data?.id;
  if (!isId(id)) throw new Refusal(422, "invalid_value", "/data/relationships/input/data/id");
  const attributes = {};
  if (format !== undefined) {
    if (!allOf(format, { input: isType, output: isType })) throw new Refusal(422, "invalid_value", "/data/attributes/format");
    attributes.format = { input: format.input, output: format.output };
  }
  const refused = isObject(settings) ? Object.keys(settings).find((name) => !allows(SETTINGS, name, settings[name])) : "";
  if (refused !== undefined) {
    const detail = `The setting ${refused} is not allowed, or its value is not; allowed are ${Object.keys(SETTINGS).join(", ")}.`;
    throw new Refusal(422, "setting_not_allowed", `/data/attributes/settings/${refused}`, {}, detail);
  }
  if (Object.keys(settings).length > 0) attributes.settings = settings;
  return { data: { type: "tasks", attributes, relationships: { input: { data: { type: "files", id } } } } };
}

/** The body of PATCH /v1/tasks/{id}, which can only cancel the task. */
export function cancelBody(document, id) {
  const { status } = attributesOf(document, "tasks");
  if (document.data.id !== id) throw new Refusal(409, "id_mismatch", "/data/id");
  if (status !== "FAILED") throw new Refusal(422, "invalid_value", "/data/attributes/status");
  return { data: { type: "tasks", id, attributes: { status } } };
}

/** What a name of the server may be, so that no path can be made of it. */
export function isId(value) {
  return typeof value === "string" && /^[\w-]{1,64}$/.test(value);
}

function attributesOf(document, type) {
  if (document?.data?.type !== type) throw new Refusal(409, "wrong_type", "/data/type");
  return document.data.attributes ?? {};
}

function isBoolean(value) {
  return typeof value === "boolean";
}

function isType(value) {
  return value === undefined || (typeof value === "string" && value.length <= 100 && TYPES.test(value));
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function within(least, most) {
  return (value) => typeof value === "number" && value >= least && value <= most;
}

function oneOf(...values) {
  return (value) => values.includes(value);
}

function allows(rules, name, value) {
  return Object.hasOwn(rules, name) && rules[name](value);
}

function allOf(object, rules) {
  return isObject(object) && Object.entries(object).every(([name, value]) => allows(rules, name, value));
}
