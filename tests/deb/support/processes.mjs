// Processes of the container files, started on the loopback address of this machine, and a conversion through them.
import { strict as assert } from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import sharp from "sharp";
import { createClient, program } from "../../../scripts/service.mjs";

const ROOT = resolve(import.meta.dirname, "../../..");
const STORE = join(process.env.FILEPRESS_TOOLS ?? join(ROOT, ".tools"), "bin", "s3s-fs");
/** The program, and the settings that the Debian package installs. */
const INSTALLED = { program: "/usr/bin/filepress-server", settings: "/etc/filepress/filepress.toml", data: '"/var/lib/filepress"' };

/** What is started here ends with the test. A server's command is that of the image. */
export function openMachine(test) {
  const folder = mkdtempSync(join(tmpdir(), "filepress-containers-"));
  chmodSync(folder, 0o755);
  const children = [];
  test.after(async () => {
    for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const start = ([command, ...words], env, user) => {
    const child = spawn(command, words, { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "pipe"], ...user });
    children.push(child);
    return child;
  };

  /** An S3 server with a bucket. `command` are its words after the program, without the folder. */
  const startStore = (command, bucket) => {
    mkdirSync(join(folder, "store", bucket), { recursive: true });
    const child = start([STORE, ...command, join(folder, "store")], {});
    child.stdout.resume();
    child.stderr.resume();
  };

  /** A server with a data folder of its own, once it answers or works. Root starts it as `uid`, which needs no account. */
  const startServer = async (name, command, env, uid) => {
    const data = join(folder, name);
    mkdirSync(data, { mode: 0o777 });
    chmodSync(data, 0o777);
    const settings = `${data}.toml`;
    writeFileSync(settings, readFileSync(join(ROOT, "server/deploy/filepress.toml"), "utf8").replace(INSTALLED.data, JSON.stringify(data)));
    const words = command.map((word) => ({ [INSTALLED.program]: program, [INSTALLED.settings]: settings })[word] ?? word);
    const user = process.getuid() === 0 ? { uid, gid: uid } : {};
    const child = start(words, { ...env, FILEPRESS_MIN_FREE_DISK: "0" }, user);
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (lines) => (log += lines));
    for await (const line of createInterface({ input: child.stdout })) {
      if (!/^(listening on .*|working)$/.test(line)) continue;
      child.stdout.resume();
      return child;
    }
    throw new Error(`${name}: ${log}`);
  };
  return { startStore, startServer };
}

/** Creates a key in the database of `env`, and converts a picture with it. */
export async function convertOnce(url, env) {
  const user = process.getuid() === 0 ? { FILEPRESS_USER: "nobody" } : {};
  const key = execFileSync(program, ["keys", "create", "--email", "me@example.org"], { env: { ...env, ...user }, encoding: "utf8" }).trim();
  const client = createClient(url, key);
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } }).png().toBuffer();
  const task = await client.createTask(await client.upload(picture), { format: { output: "image/webp" } });
  const ended = await client.wait(task.id);
  assert.equal(ended.data.attributes.status, "COMPLETED");
  const { format, width, height } = await sharp(await client.download(ended)).metadata();
  assert.deepEqual({ format, width, height }, { format: "webp", width: 40, height: 30 });
}

/** Ends servers as their containers are ended. */
export async function stopAll(servers) {
  for (const child of servers) {
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
  }
}

/** Replaces parts of the values of an environment. */
export function moved(environment, replacements) {
  const text = (value) => Object.entries(replacements).reduce((result, [from, to]) => result.replaceAll(from, to), value);
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, text(value)]));
}
