// Creates, reads and deletes files and creates, reads and cancels tasks for one page: the key is added here, and is in no response. The bytes of
// files go from the page to the server and back with its signed URLs, not through this Worker.
import { Refusal } from "./refusal.js";
import { cancelBody, fileBody, isId, taskBody } from "./rules.js";

const MEDIA_TYPE = "application/vnd.api+json";
const MAX_BODY = 16_384;
const TIMEOUT_MS = 30_000;

/** The headers of the server's response that are returned. */
const HEADERS = ["content-type", "retry-after", "x-request-id"];

const ROUTES = [
  { method: "POST", path: /^\/v1\/files$/, body: fileBody, limiter: "CREATIONS" },
  { method: "POST", path: /^\/v1\/tasks$/, body: taskBody, limiter: "CREATIONS" },
  // The client reads a file to repeat an interrupted upload and to replace an expired URL.
  { method: "GET", path: /^\/v1\/(?:files|tasks)\/([^/]+)$/, limiter: "QUESTIONS" },
  { method: "DELETE", path: /^\/v1\/files\/([^/]+)$/, limiter: "QUESTIONS" },
  { method: "PATCH", path: /^\/v1\/tasks\/([^/]+)$/, body: cancelBody, limiter: "QUESTIONS" },
];

/** Responds to the page's own client, whose `baseUrl` is this Worker's URL. */
export async function handOn(request, env) {
  const cors = corsHeaders(env);
  try {
    admit(request, env);
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { ...cors, ...PREFLIGHT } });
    const response = await answer(request, env);
    for (const [name, value] of Object.entries(cors)) response.headers.set(name, value);
    return response;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    Object.assign(error.headers, cors);
    return error.toResponse();
  }
}

const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST, PATCH, DELETE",
  "access-control-allow-headers": "accept, content-type, idempotency-key, x-request-id",
  "access-control-max-age": "3600",
};

function corsHeaders({ PAGE_ORIGIN }) {
  const exposed = "retry-after, x-request-id";
  return { "access-control-allow-origin": PAGE_ORIGIN, "access-control-expose-headers": exposed, "cache-control": "no-store", vary: "origin" };
}

/** Browsers name the page's origin; to its own origin they leave it out of a GET, and say "same-origin". */
function admit({ headers }, { PAGE_ORIGIN }) {
  const origin = headers.get("origin");
  const own = origin === null && headers.get("sec-fetch-site") === "same-origin";
  if (origin !== PAGE_ORIGIN && !own) throw new Refusal(403, "origin_not_allowed");
}

async function answer(request, env) {
  const { pathname } = new URL(request.url);
  const fitting = ROUTES.filter(({ path }) => path.test(pathname));
  if (fitting.length === 0) throw new Refusal(404, "not_found");
  const route = fitting.find(({ method }) => method === request.method);
  if (!route) throw new Refusal(405, "method_not_allowed", undefined, { allow: fitting.map(({ method }) => method).join(", ") });
  const [, id] = route.path.exec(pathname);
  if (id !== undefined && !isId(id)) throw new Refusal(404, "not_found");
  await limit(request, env[route.limiter]);
  const body = route.body && JSON.stringify(route.body(await readDocument(request), id));
  return ask(request, env, pathname, body);
}

/** By the visitor's IP address; if visitors have accounts or sessions, use those instead. */
async function limit({ headers }, limiter) {
  const { success } = await limiter.limit({ key: headers.get("cf-connecting-ip") ?? "unknown" });
  if (!success) throw new Refusal(429, "rate_limited", undefined, { "retry-after": "60" });
}

async function readDocument(request) {
  if (request.headers.get("content-type") !== MEDIA_TYPE) throw new Refusal(415, "unsupported_media_type");
  if (!(Number(request.headers.get("content-length") ?? Infinity) <= MAX_BODY)) throw new Refusal(413, "body_too_large");
  try {
    return JSON.parse(await request.text());
  } catch {
    throw new Refusal(400, "invalid_json");
  }
}

async function ask(request, env, path, body) {
  const base = env.SERVICE_URL.replace(/\/$/, "");
  const headers = { accept: MEDIA_TYPE, authorization: `Bearer ${env.SERVICE_KEY}` };
  const key = request.headers.get("idempotency-key");
  if (body) headers["content-type"] = MEDIA_TYPE;
  if (body && key) headers["idempotency-key"] = key;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(base + path, { method: request.method, headers, body, redirect: "manual", signal }).catch(() => undefined);
  // A key that the server does not take, or a redirect, is between the Worker and the server.
  if (!response || [401, 403].includes(response.status) || response.status < 200 || (response.status >= 300 && response.status < 400)) {
    throw new Refusal(502, "service_unavailable", undefined, { "retry-after": "5" });
  }
  const kept = HEADERS.filter((name) => response.headers.has(name)).map((name) => [name, response.headers.get(name)]);
  if (response.status === 204) return new Response(null, { status: 204, headers: kept });
  const own = new URL(request.url).origin;
  // A service that quotes the key would hand it to the page.
  const translate = (name, value) => {
    if (typeof value !== "string") return value;
    return (isOwnLink(name, value, base) ? own + value.slice(base.length) : value).replaceAll(env.SERVICE_KEY, "…");
  };
  const answered = await response.json().catch(() => undefined);
  if (answered === undefined) {
    const later = response.headers.get("retry-after") ?? "5";
    throw new Refusal(502, "service_unavailable", undefined, { "retry-after": later });
  }
  const document = JSON.stringify(answered, translate);
  return new Response(document, { status: response.status, headers: kept });
}

/** Links to resources lead through the Worker; signed URLs of bytes do not. */
function isOwnLink(name, value, base) {
  return ["self", "related"].includes(name) && typeof value === "string" && value.startsWith(`${base}/v1/`);
}
