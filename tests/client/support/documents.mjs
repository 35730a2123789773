// Documents of the API in the form that a service writes; `url` is its address.
import { answer } from "./scripted-service.mjs";

const jsonapi = { version: "1.1" };
const MOMENT = "2026-01-01T10:00:00Z";

/** What only its signed addresses have, and no message may show. */
export const SIGNATURE = "c2lnbmF0dXJlLW9mLXRoZS1hZGRyZXNz";

const signed = (url, id, what) => `${url}/bytes/${id}/${what}?expires=1767270000&signature=${SIGNATURE}-${what}`;

/** The resource of a file; `attributes` and `links` go before those made here. */
export function file(url, id, attributes = {}, links = {}) {
  const own = { self: `${url}/v1/files/${id}`, upload: signed(url, id, "upload"), download: signed(url, id, "download") };
  return {
    type: "files",
    id,
    attributes: { size: 5, created_at: MOMENT, updated_at: MOMENT, ...attributes },
    links: { ...own, ...links },
  };
}

/** The resource of a task that reads the file `input`; COMPLETED, its output is the file `output`. */
export function task(url, id, attributes = {}, { input = "input", output = "output", links = {}, meta } = {}) {
  const completed = attributes.status === "COMPLETED";
  const related = (name, data) => ({
    data,
    links: { self: `${url}/v1/tasks/${id}/relationships/${name}`, related: `${url}/v1/tasks/${id}/${name}` },
  });
  return {
    type: "tasks",
    id,
    attributes: {
      public: false,
      created_at: "2026-01-01T10:00:00.123456Z",
      updated_at: "2026-01-01T10:00:01.123456Z",
      settings: { optimize: true },
      status: "PENDING",
      format: { input: "video/mp4", output: "video/mp4" },
      started_at: null,
      processed_at: null,
      processing_metadata: {},
      ...attributes,
    },
    relationships: {
      input: related("input", { type: "files", id: input }),
      output: related("output", completed ? { type: "files", id: output } : null),
    },
    links: { self: `${url}/v1/tasks/${id}`, ...links },
    ...(meta && { meta }),
  };
}

export const user = (url, attributes = {}) => ({
  type: "users",
  id: "user-1",
  attributes: { email: "one@example.org", name: "One", created_at: MOMENT, updated_at: MOMENT, ...attributes },
  links: { self: `${url}/v1/users/me` },
});

/** A document with one resource, and files beside it. */
export const document = (data, included) => ({ jsonapi, data, links: { self: data.links.self }, ...(included && { included }) });

/** An input that goes to a service, of a name where one is given. */
export const pdf = (name) => new File(["%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n"], name ?? "");

/** The answer to the removal of a file. */
export const removed = () => answer(204);

/**
 * The answers to a whole conversion, whose output is five bytes, and to the removal of its files; `attributes` are those of the
 * completed task.
 */
export const conversion = (url, attributes = {}) => [
  answer(201, document(file(url, "input"))),
  answer(201, ""),
  answer(201, document(task(url, "task-1"))),
  answer(200, document(task(url, "task-1", { status: "COMPLETED", ...attributes }), [file(url, "output")])),
  answer(200, "bytes"),
  removed(),
  removed(),
];

/** A document of a list. */
export const page = (data, { prev = null, next = null, rangeTruncated = next !== null, included } = {}) => ({
  jsonapi,
  data,
  links: { prev, next },
  meta: { rangeTruncated },
  ...(included && { included }),
});
