// A PostgreSQL server for one test: a port and a folder of its own, no password.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../package/support/free-port.mjs";

const VERSIONS = "/usr/lib/postgresql";
/** PostgreSQL refuses to run as root; Debian's package has made this account. */
const AS_OWNER = process.getuid() === 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];

/** Starts the newest version that is installed, with an empty database; resolves to { port, stop() } once it answers. */
export async function startDatabase(user, name) {
  const version = readdirSync(VERSIONS).sort((one, other) => Number(other) - Number(one))[0];
  const program = (command) => join(VERSIONS, version, "bin", command);
  const folder = mkdtempSync(join(tmpdir(), "filepress-postgres-"));
  chmodSync(folder, 0o777);
  const run = (command, ...args) => execFileSync([...AS_OWNER, program(command)][0], [...AS_OWNER, program(command), ...args].slice(1), { stdio: ["ignore", "ignore", "inherit"] });
  const data = join(folder, "data");
  run("initdb", "--pgdata", data, "--username", user, "--auth", "trust", "--no-sync");
  const port = await freePort();
  const [first, ...rest] = [...AS_OWNER, program("postgres"), "-D", data, "-p", `${port}`, "-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"];
  const server = spawn(first, rest, { stdio: "ignore" });
  const ended = once(server, "exit");
  const at = ["--host", "127.0.0.1", "--port", `${port}`, "--username", user];
  for (let tries = 100; ; tries--) {
    try {
      run("pg_isready", "--quiet", ...at);
      break;
    } catch (error) {
      if (tries === 0) throw error;
      await sleep(100);
    }
  }
  run("createdb", ...at, name);
  const stop = async () => {
    server.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, stop };
}
