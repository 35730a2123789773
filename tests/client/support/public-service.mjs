// An emulation of the public service, where it differs from ours: every success is 200 or 202, times are in whole
// seconds or microseconds, documents have additional members, tasks come without their files, and the link to a
// result is only on the task.
import { listen } from "../../package/support/listen.mjs";

/** What every download is. */
export const BODY = "The result, from the task's own link.";

/** Resolves to { url, requests, limit(count), close }; `limit` has so many of the next requests refused. */
export async function openPublicService() {
  const requests = [];
  const files = [];
  const tasks = [];
  let limited = 0;
  const { url, close } = await listen(async (request, response) => {
    const parts = [];
    for await (const chunk of request) parts.push(chunk);
    const body = Buffer.concat(parts);
    const { pathname, searchParams } = new URL(request.url, url);
    requests.push({ method: request.method, path: pathname, headers: request.headers, body });
    const [status, document] = answerTo(request.method, pathname, searchParams, body);
    const limits = { "x-ratelimit-limit": "300", "x-ratelimit-remaining": `${300 - (requests.length % 300)}` };
    const type = { "content-type": Buffer.isBuffer(document) ? "application/octet-stream" : "application/vnd.api+json; charset=utf-8" };
    response.writeHead(status, { ...limits, ...type }).end(Buffer.isBuffer(document) ? document : document && JSON.stringify(document));
  });

  const jsonapi = { version: "1.1", meta: { served_by: "edge-7" } };
  const one = (data) => ({ jsonapi, data, links: { self: data.links.self }, meta: {} });

  const fileOf = ({ id, size, format }) => ({
    type: "files",
    id,
    attributes: { format, size, created_at: "2025-09-01T12:00:00Z", updated_at: "2025-09-01T12:00:00Z", checksum: null, tags: [] },
    links: { self: `${url}/v1/files/${id}`, upload: `${url}/storage/${id}?X-Sig=a%2Bb`, download: `${url}/storage/${id}?X-Sig=c` },
  });

  const taskOf = ({ id, input, asked, attributes }) => {
    // Each question brings it on.
    const status = ["PENDING", "PROCESSING", "COMPLETED"][Math.min(asked, 2)];
    const over = status === "COMPLETED";
    return {
      type: "tasks",
      id,
      attributes: {
        public: false,
        created_at: "2025-09-01T12:00:00.123456Z",
        updated_at: "2025-09-01T12:00:01.5Z",
        settings: attributes.settings ?? { optimize: true },
        status,
        format: attributes.format ?? { input: "application/pdf", output: "application/pdf" },
        started_at: asked > 0 ? "2025-09-01T12:00:00.200000Z" : null,
        processed_at: over ? "2025-09-01T12:00:01Z" : null,
        processing_metadata: over ? { engine_version: 9, nested: { deep: [1, null] } } : {},
        priority: "normal",
      },
      relationships: {
        input: { data: { type: "files", id: input }, links: { self: "https://elsewhere.example/" } },
        ...(over && { output: { data: { type: "files", id: `${id}-output` } } }),
        owner: { data: { type: "users", id: "someone" } },
      },
      links: { self: `${url}/v1/tasks/${id}`, ...(over && { download: `${url}/storage/${id}-output?X-Sig=d` }) },
    };
  };

  const refusal = (status, code, title, detail) => [status, { jsonapi, errors: [{ code, detail, title, status: `${status}` }] }];

  function answerTo(method, path, query, body) {
    if (path.startsWith("/storage/")) return method === "PUT" ? [200, undefined] : [200, Buffer.from(BODY)];
    if (limited > 0) {
      limited -= 1;
      return refusal(429, "too_many_requests", "Too Many Requests", "You have made too many requests.");
    }
    if (method === "POST" && path === "/v1/files") {
      const { size, format } = JSON.parse(body).data.attributes;
      files.unshift({ id: `f${files.length}`, size, format });
      return [200, one(fileOf(files[0]))];
    }
    if (method === "POST" && path === "/v1/tasks") {
      const { attributes = {}, relationships } = JSON.parse(body).data;
      tasks.unshift({ id: `t${tasks.length}`, input: relationships.input.data.id, asked: 0, attributes });
      return [202, one(taskOf(tasks[0]))];
    }
    const [, kind, id] = /^\/v1\/(files|tasks)\/([^/]+)$/.exec(path) ?? [];
    const known = { files, tasks }[kind]?.find((resource) => resource.id === id);
    if (known && kind === "files") return [200, one(fileOf(known))];
    if (known) {
      known.asked += 1;
      return [200, one(taskOf(known))];
    }
    if (path === "/v1/files") return [200, listOf(path, files.map(fileOf), query)];
    if (path === "/v1/tasks") return [200, listOf(path, tasks.map(taskOf), query)];
    if (path === "/v1/users/me") {
      const attributes = { email: "someone@example.com", name: "Someone", created_at: "2025-01-01T00:00:00Z", updated_at: "2025-01-01T00:00:00Z", plan: "pro" };
      return [200, one({ type: "users", id: "someone", attributes, links: { self: `${url}/v1/users/me` } })];
    }
    return refusal(404, "not_found", "Not Found", "Resource not found.");
  }

  function listOf(path, items, query) {
    const size = Number(query.get("page[size]") ?? 10);
    const start = Number(query.get("page[after]") ?? 0);
    const link = (cursor) => `${url}${path}?page%5Bsize%5D=${size}&page%5Bafter%5D=${cursor}`;
    const more = start + size < items.length;
    return { jsonapi, data: items.slice(start, start + size), links: { prev: null, next: more ? link(start + size) : null }, meta: { rangeTruncated: more } };
  }

  return { url, requests, limit: (count) => void (limited = count), close };
}
