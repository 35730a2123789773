// What a server of several machines needs, on the loopback address: PostgreSQL of Debian, and the S3 server that the tests use.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const VERSIONS = "/usr/lib/postgresql";
const BUCKET = "files";
/** Both halves of the credentials of the S3 server. */
const KEY = "for-trials";

/** A PostgreSQL server with Debian's settings: `{ url, stop() }`. It refuses to run as root. */
export async function startPostgres() {
  const newest = Math.max(...readdirSync(VERSIONS).map(Number).filter(Number.isFinite));
  const program = (name) => join(VERSIONS, `${newest}`, "bin", name);
  const folder = await mkdtemp(join(tmpdir(), "filepress-postgres-"));
  const password = crypto.randomUUID();
  await writeFile(join(folder, "password"), password);
  const account = process.getuid() === 0 ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] : [];
  if (account.length > 0) {
    const [uid, gid] = await Promise.all(["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)));
    for (const path of [folder, join(folder, "password")]) chownSync(path, uid, gid);
  }
  const as = (...command) => [...account, ...command];
  const initialize = ["--pgdata", "data", "--username", "filepress", "--pwfile", "password", "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C"];
  const [first, ...rest] = as(program("initdb"), ...initialize);
  await run(first, rest, { cwd: folder });
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "max_connections=300"].flatMap((setting) => ["-c", setting]);
  const [command, ...flags] = as(program("postgres"), "-D", "data", "-p", `${port}`, ...settings);
  const process_ = start(command, flags, folder);
  await process_.until(() => run(program("pg_isready"), ["-q", "-h", "127.0.0.1", "-p", `${port}`]));
  return { url: `postgres://filepress:${password}@127.0.0.1:${port}/postgres`, stop: () => process_.stop("SIGINT") };
}

/** An S3 server with an empty bucket: `{ blobs, env, bucket, credentials, stop() }`. `bucket` is a URL, `credentials` are options of curl. */
export async function startObjects() {
  const tools = process.env.FILEPRESS_TOOLS ?? join(import.meta.dirname, "../.tools");
  const folder = await mkdtemp(join(tmpdir(), "filepress-s3-"));
  await mkdir(join(folder, BUCKET));
  const port = await freePort();
  const flags = ["--host", "127.0.0.1", "--port", `${port}`, "--access-key", KEY, "--secret-key", KEY, folder];
  const process_ = start(join(tools, "bin/s3s-fs"), flags, folder);
  await process_.until(async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
  });
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    blobs: `s3://${BUCKET}/some/prefix`,
    env: { AWS_ENDPOINT_URL: endpoint, AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: KEY },
    bucket: `${endpoint}/${BUCKET}`,
    credentials: ["--aws-sigv4", "aws:amz:us-east-1:s3", "--user", `${KEY}:${KEY}`],
    stop: () => process_.stop("SIGKILL"),
  };
}

/** A process with a folder of its own, which goes with it. */
function start(command, flags, folder) {
  const child = spawn(command, flags, { cwd: folder, stdio: "ignore" });
  const ended = once(child, "exit");
  return {
    /** Until `check` resolves. */
    async until(check) {
      while (!(await check().then(() => true, () => false))) {
        if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
        await sleep(50);
      }
    },
    async stop(signal) {
      child.kill(signal);
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
