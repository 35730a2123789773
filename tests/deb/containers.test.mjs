// The container files: what they name exists, and the processes of compose.yaml, started with its environment and the image's command,
// convert a file together.
//
// There is no registry here to take the base images from, so no image is built and no container runs: the image's only step of its own is
// to install the Debian package, which package.test.mjs does in a bare Debian. Hosts of compose.yaml are ports of the loopback address.
import { strict as assert } from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import sharp from "sharp";
import { parse } from "yaml";
import { createClient, program } from "../../scripts/service.mjs";
import { freePort, startDatabase } from "./support/database.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path) => readFileSync(join(ROOT, path), "utf8");
const DOCKERFILE = "server/deploy/Dockerfile";
const STORE = join(process.env.FILEPRESS_TOOLS ?? join(ROOT, ".tools"), "bin", "s3s-fs");
const SECRETS = { POSTGRES_PASSWORD: "of-the-database", STORE_PASSWORD: "of-the-store" };

const compose = parse(read("server/deploy/compose.yaml"), { merge: true });
const services = Object.entries(compose.services);

/** The stages of the Dockerfile by name: the image that each starts from, and its instructions. */
const stages = new Map();
for (const [, instruction, value] of read(DOCKERFILE).matchAll(/^([A-Z]+) (.+)$/gm)) {
  if (instruction === "FROM") stages.set(value.split(" AS ")[1], { image: value.split(" AS ")[0], steps: [] });
  else [...stages.values()].at(-1).steps.push([instruction, value]);
}
const stepsOf = (stage, instruction) => stages.get(stage).steps.filter(([name]) => name === instruction).map(([, value]) => value);
const commandOf = (stage) => ["ENTRYPOINT", "CMD"].flatMap((instruction) => stepsOf(stage, instruction).flatMap((value) => JSON.parse(value)));

/** With the variables of `.env`, as docker compose puts them in. */
const expand = (text) => `${text}`.replace(/\$\{(\w+)(?::\?|:-([^}]*))\}/g, (_, name, otherwise) => SECRETS[name] ?? otherwise ?? assert.fail(`${name} has no value`));

test("the images are made by the steps that make the Debian package", () => {
  const rust = /^rust-version = "(.+)"$/m.exec(read("Cargo.toml"))[1];
  const bases = new Set([...stages.values()].map(({ image }) => image));
  assert.deepEqual([...bases].sort(), ["debian:bookworm-slim", `rust:${rust}-bookworm`]);
  assert.deepEqual(stepsOf("build", "RUN"), ["make deb"]);
  assert.match(read("Makefile"), /^deb: server .*\n\tnode scripts\/deb\.mjs$/m);
  assert.match(stepsOf("server", "RUN").join(), /apt-get install --yes \/tmp\/filepress-server_\*\.deb/);
  assert.match(stepsOf("server", "COPY").join(), /^--from=build \/filepress\/dist\/filepress-server_\*\.deb /);
  const version = /^s3s_fs_version=(.+)$/m.exec(read("scripts/setup.sh"))[1];
  assert.match(stepsOf("build-store", "RUN").join(), new RegExp(`--features binary .*s3s-fs@${version.replaceAll(".", "\\.")}$`));
});

test("the image starts as the unit does", () => {
  const unit = read("server/deploy/filepress.service");
  assert.equal(commandOf("server").join(" "), /^ExecStart=(.+)$/m.exec(unit)[1]);
  assert.deepEqual(stepsOf("server", "USER"), [/^User=(.+)$/m.exec(unit)[1]]);
  assert.deepEqual(stepsOf("server", "VOLUME"), [/^data = "(.+)"$/m.exec(read("server/deploy/filepress.toml"))[1]]);
});

test("compose.yaml names only what there is", () => {
  const help = execFileSync(program, ["serve", "--help"], { encoding: "utf8" });
  const names = services.map(([name]) => name);
  let variables = 0;
  for (const [name, service] of services) {
    for (const dependency of Object.keys(service.depends_on ?? {})) assert.ok(names.includes(dependency), dependency);
    for (const volume of service.volumes ?? []) assert.ok(volume.split(":")[0] in compose.volumes, volume);
    if (!service.build) {
      assert.match(service.image, /^postgres:(1[5-9]|[2-9]\d)$/, "the version that the server needs");
      continue;
    }
    assert.ok(stages.has(service.build.target), service.build.target);
    const context = join(ROOT, "server/deploy", service.build.context);
    assert.ok(existsSync(join(context, service.build.dockerfile)) && context === ROOT, name);
    for (const variable of Object.keys(service.environment ?? {}).filter((key) => !key.startsWith("AWS_"))) {
      assert.match(help, new RegExp(`\\[env: ${variable}[=\\]]`), variable);
      variables++;
    }
  }
  assert.ok(variables >= 8);
  assert.ok(existsSync(join(ROOT, "server/deploy/Dockerfile.dockerignore")));
});

test("a container has the time to stop that the server takes", () => {
  const seconds = (text) => Number(text.slice(0, -1)) * { s: 1, m: 60 }[text.at(-1)];
  for (const [name, { environment, stop_grace_period }] of services.filter(([, { build }]) => build?.target === "server")) {
    const own = seconds(environment.FILEPRESS_DRAIN ?? "0s") + seconds(environment.FILEPRESS_STOP_GRACE ?? "30s");
    assert.ok(seconds(stop_grace_period) > own, name);
  }
});

test("the processes of compose.yaml convert a file together", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "filepress-compose-"));
  chmodSync(folder, 0o755);
  const children = [];
  const database = await startDatabase(compose.services.database.environment.POSTGRES_USER, compose.services.database.environment.POSTGRES_DB);
  after(async () => {
    for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const ports = { store: await freePort(), api: await freePort(), worker: await freePort() };
  const start = (command, env, uid) => {
    const child = spawn(command[0], command.slice(1), { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "pipe"], ...(uid && { uid, gid: uid }) });
    children.push(child);
    return child;
  };

  // Each option of the store's command is kept; only where it listens and stores is of this machine.
  const bucket = /install --directory --owner store (\S+)$/.exec(stepsOf("store", "RUN").join())[1];
  const [stored] = stepsOf("store", "VOLUME");
  const here = { "/usr/local/bin/s3s-fs": STORE, "0.0.0.0": "127.0.0.1", 8014: `${ports.store}`, [stored]: join(folder, "store") };
  const storeCommand = [...commandOf("store"), ...compose.services.store.command.map(expand)].map((word) => here[word] ?? word);
  mkdirSync(bucket.replace(stored, here[stored]), { recursive: true });
  const store = start(storeCommand, {});
  store.stdout.resume();
  store.stderr.resume();

  /** The environment of a service, with the hosts of compose.yaml at their ports on this machine. */
  const environment = (name) => {
    const moved = { "database:5432": `127.0.0.1:${database.port}`, "store:8014": `127.0.0.1:${ports.store}`, "0.0.0.0:8443": `127.0.0.1:${ports.api}`, "localhost:8443": `localhost:${ports.api}`, "0.0.0.0:9464": `127.0.0.1:${ports.worker}` };
    const text = (value) => Object.entries(moved).reduce((result, [from, to]) => result.replaceAll(from, to), expand(value));
    return Object.fromEntries(Object.entries(compose.services[name].environment).map(([key, value]) => [key, text(value)]));
  };
  const ownUser = process.getuid() === 0 ? { FILEPRESS_USER: "nobody" } : {};
  const serve = async (name) => {
    const settings = join(folder, `${name}.toml`);
    writeFileSync(settings, read("server/deploy/filepress.toml").replace('"/var/lib/filepress"', JSON.stringify(join(folder, name))));
    const words = commandOf("server").map((word) => ({ "/usr/bin/filepress-server": program, "/etc/filepress/filepress.toml": settings })[word] ?? word);
    const child = start(words, { ...environment(name), ...ownUser, FILEPRESS_MIN_FREE_DISK: "0" });
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (lines) => (log += lines));
    const listening = async () => {
      for await (const line of createInterface({ input: child.stdout })) if (/^(listening on .*|working)$/.test(line)) return;
      throw new Error(`${name}: ${log}`);
    };
    await listening();
    child.stdout.resume();
    return child;
  };
  const api = await serve("api");
  const worker = await serve("worker");
  const key = execFileSync(program, ["keys", "create", "--email", "me@example.org"], { env: { ...environment("api"), ...ownUser }, encoding: "utf8" }).trim();

  // The certificate is the one that the server has made for itself.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const client = createClient(`https://localhost:${ports.api}`, key);
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } }).png().toBuffer();
  const task = await client.createTask(await client.upload(picture), { format: { output: "image/webp" } });
  const ended = await client.wait(task.id);
  assert.equal(ended.data.attributes.status, "COMPLETED");
  const { format, width, height } = await sharp(await client.download(ended)).metadata();
  assert.deepEqual({ format, width, height }, { format: "webp", width: 40, height: 30 });
  assert.ok(statSync(join(folder, "api")).isDirectory());
  assert.match(await (await fetch(`http://127.0.0.1:${ports.worker}/metrics`)).text(), /^filepress_queue_tasks/m);
  for (const child of [api, worker]) {
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
  }
});
