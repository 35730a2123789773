// Converts the server's JSON:API documents to resources. Members of unexpected types are ignored.
import { RemoteError } from "../errors.js";

const STATES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED"];

/** The file in a document. */
export const toFile = ({ data }) => fileOf(data);

/** The task in a document, with its included files. */
export const toTask = ({ data, included }) => taskOf(data, filesIn(included));

/** The user in a document. */
export function toUser({ data: { id, attributes } }) {
  const { email, name, created_at, updated_at } = attributes ?? {};
  return { id, email: text(email) ?? "", name: text(name) ?? "", ...times(created_at, updated_at) };
}

/** The files in a list. */
export const toFiles = ({ data }) => data.map(fileOf);

/** The tasks in a list, each with its files. */
export function toTasks({ data, included }) {
  const files = filesIn(included);
  return data.map((item) => {
    const task = taskOf(item, files);
    return { ...task, files: files.filter(({ id }) => id === task.input || id === task.output) };
  });
}

/** The URL of a link: a string, or an object with `href`. */
export const linkOf = (link) => text(link) ?? text(link?.href);

const idsOf = (files) => (Array.isArray(files) ? files.map((file) => text(file?.id)).filter(Boolean) : undefined);
const text = (value) => (typeof value === "string" ? value : undefined);
const object = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
const times = (created, updated) => ({ createdAt: text(created) ?? "", updatedAt: text(updated) ?? "" });

function filesIn(included) {
  return Array.isArray(included) ? included.filter((item) => item?.type === "files" && text(item.id)).map(fileOf) : [];
}

function fileOf({ id, attributes, links, meta }) {
  const { format, size, created_at, updated_at } = object(attributes);
  return compact({
    id,
    format: text(format),
    size: Number.isSafeInteger(size) && size >= 0 ? size : 0,
    ...times(created_at, updated_at),
    expiresAt: text(meta?.expires_at),
    sha256: text(meta?.sha256),
    links: linksOf(links),
  });
}

function taskOf({ id, attributes, relationships, links, meta }, files) {
  const { status, public: shown, format, settings, created_at, updated_at, started_at, processed_at, processing_metadata, callback_url } =
    object(attributes);
  if (!STATES.includes(status)) throw new RemoteError("bad_answer", "The server sent a task with an unknown status.");
  return compact({
    id,
    status,
    public: shown === true,
    format: compact({ input: text(format?.input), output: text(format?.output) }),
    settings: object(settings),
    ...times(created_at, updated_at),
    startedAt: text(started_at),
    processedAt: text(processed_at),
    processingMetadata: object(processing_metadata),
    callbackUrl: text(callback_url),
    callback: callbackOf(object(meta).callback),
    input: text(relationships?.input?.data?.id),
    inputs: idsOf(relationships?.inputs?.data),
    output: text(relationships?.output?.data?.id),
    files,
    links: linksOf(links),
  });
}

function callbackOf(callback) {
  const { status, attempts, failure } = object(callback);
  return text(status) && compact({ status, attempts: Number.isSafeInteger(attempts) ? attempts : 0, failure: text(failure) });
}

function linksOf(links) {
  const { self, upload, resumable, download } = object(links);
  return compact({ self: linkOf(self), upload: linkOf(upload), resumable: linkOf(resumable), download: linkOf(download) });
}

const compact = (value) => Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
