// Runs the server on a free loopback port, in development mode unless TLS is requested, with a new key and a
// temporary folder; and calls it as a client would. Used by the demo, the matrix and the tests.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const MEDIA_TYPE = "application/vnd.api+json";
/** As root, nobody serves: the folder that was made becomes that user's. */
const isRoot = process.getuid?.() === 0;
const env = isRoot ? { FILEPRESS_USER: "nobody", ...process.env } : process.env;

/** The binary, as `make` names it, else where `cargo build` puts it; or a copy, where nobody may not run that. */
export const program = forNobody(
  resolve(process.env.FILEPRESS_SERVER ?? join(import.meta.dirname, "..", "target", "debug", "filepress-server")),
);

/** A checkout under `/root` is closed to everyone else: what is in it is copied, until this process ends. */
function forNobody(built) {
  const isOpen = (folder) => (statSync(folder).mode & 0o001) !== 0 && (folder === "/" || isOpen(dirname(folder)));
  if (!isRoot || isOpen(dirname(built))) return built;
  const folder = mkdtempSync(join(tmpdir(), "filepress-binary-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const copy = join(folder, "filepress-server");
  copyFileSync(built, copy);
  return copy;
}

/**
 * Starts the server. `data` keeps its folder; without it one is made and deleted again. `tls`: with the certificate that it makes
 * for itself, `DATA/tls/self-signed.crt`. `listen` is where, a free port unless given. `args` are further flags of `serve`, and `env`
 * further variables. `database` is the URL of a PostgreSQL server; the key is in there then.
 * Resolves to `{ url, key, createKey, client, data, pid, log(), kill(signal), stop() }` once requests are accepted.
 */
export async function startService({ data, tls = false, listen = "127.0.0.1:0", args = [], env: more, database, email = "someone@example.com" } = {}) {
  const folder = data ?? (await mkdtemp(join(tmpdir(), "filepress-service-")));
  const flags = ["--data", folder, "--listen", listen, "--rate-limit", "1000000", "--rate-burst", "1000000", ...(tls ? [] : ["--dev"])];
  const shared = database === undefined ? [] : ["--database", database];
  const child = spawn(program, ["serve", ...flags, ...shared, ...args], { env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (log = (log + text).slice(-1_000_000)));
  const ended = once(child, "exit");
  const url = await Promise.race([
    firstLine(child.stdout),
    once(child, "error").then(([error]) => Promise.reject(error)),
    ended.then(([code]) => Promise.reject(new Error(`the server ended with ${code}:\n${log}`))),
  ]);
  child.stdout.resume();
  /** Another key of the same user, limited by flags of `keys create`. */
  const createKey = async (...limits) => (await run(program, ["keys", "create", ...(database === undefined ? ["--data", folder] : shared), "--email", email, ...limits], { env })).stdout.trim();
  const key = await createKey();
  const kill = async (signal) => {
    child.kill(signal);
    await ended;
  };
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) await kill("SIGTERM");
    if (!data) await rm(folder, { recursive: true, force: true });
  };
  return { url, key, createKey, client: createClient(url, key), data: folder, pid: child.pid, log: () => log, kill, stop };
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) {
    // A worker has no address.
    if (line === "working") return undefined;
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (!url) throw new Error(`the first line is not an address: ${line}`);
    return url;
  }
  throw new Error("no first line");
}

/** The calls of the interface, each with its documents as they are. */
export function createClient(baseUrl, key) {
  const call = createCall(baseUrl, key);
  const must = async (...request) => {
    const { status, body } = await call(...request);
    if (status >= 400) {
      const [{ code, detail }] = body.errors;
      throw Object.assign(new Error(`${request[0]} ${request[1]}: ${status} ${code}: ${detail}`), { status, code });
    }
    return body;
  };

  /** Creates a file and sends its bytes; resolves to its id. */
  const upload = async (bytes, format) => {
    const attributes = { size: bytes.length, ...(format && { format }) };
    const { data } = await must("POST", "/v1/files", { data: { type: "files", attributes } });
    const response = await fetch(data.links.upload, { method: "PUT", body: bytes });
    if (!response.ok) throw new Error(`PUT: ${response.status} ${await response.text()}`);
    return data.id;
  };

  /** Creates a task; resolves to its resource. */
  const createTask = async (input, { format, settings } = {}) => {
    const relationships = { input: { data: { type: "files", id: input } } };
    const attributes = { ...(format && { format }), ...(settings && { settings }) };
    return (await must("POST", "/v1/tasks", { data: { type: "tasks", attributes, relationships } })).data;
  };

  /** Polls until the task has ended; resolves to its document. */
  const wait = async (id, every = 25) => {
    for (;;) {
      const document = await must("GET", `/v1/tasks/${id}`);
      if (["COMPLETED", "FAILED"].includes(document.data.attributes.status)) return document;
      await sleep(every);
    }
  };

  /** The bytes of a completed task's output. */
  const download = async (document) => {
    const { id } = document.data.relationships.output.data;
    const file = document.included.find((resource) => resource.type === "files" && resource.id === id);
    const response = await fetch(file.links.download);
    if (!response.ok) throw new Error(`GET of the output: ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  };

  return { call, upload, createTask, wait, download };
}

/** A function that sends a request; it resolves to { status, headers, body }, whatever the status. */
function createCall(baseUrl, key) {
  return async (method, path, document, headers = {}) => {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        accept: MEDIA_TYPE,
        authorization: `Bearer ${key}`,
        ...(document && { "content-type": MEDIA_TYPE }),
        ...headers,
      },
      body: document && JSON.stringify(document),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
  };
}
