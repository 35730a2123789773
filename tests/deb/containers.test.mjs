// The container files: what they name exists, and the processes of compose.yaml, started with its environment and the image's command,
// convert a file together.
//
// No image is built and no container runs: the test needs no registry. The image's only step of its own is to install the Debian package,
// which package.test.mjs does in a bare Debian. Hosts of compose.yaml are ports of the loopback address.
import { strict as assert } from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { program } from "../../scripts/service.mjs";
import { freePort } from "../package/support/free-port.mjs";
import { startDatabase } from "./support/database.mjs";
import { commandOf, compose, read, seconds, stages, stepsOf } from "./support/deploy.mjs";
import { convertOnce, moved, openMachine, stopAll } from "./support/processes.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const SECRETS = { POSTGRES_PASSWORD: "of-the-database", STORE_PASSWORD: "of-the-store" };
/** An account that owns nothing else. */
const NOBODY = 65534;
const services = Object.entries(compose.services);

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
  const help = execFileSync(program, ["serve", "--help"], { encoding: "utf8" });
  const variables = stepsOf("server", "ENV").map((value) => value.split("="));
  for (const [variable] of variables) assert.match(help, new RegExp(`\\[env: ${variable}[=\\]]`), variable);
  const [port] = stepsOf("server", "EXPOSE");
  assert.deepEqual(variables, [["FILEPRESS_LISTEN", `0.0.0.0:${port}`]], "reachable from outside the container");
  assert.deepEqual(stepsOf("server", "USER"), [/^User=(.+)$/m.exec(unit)[1]]);
  assert.deepEqual(stepsOf("server", "VOLUME"), [/^data = "(.+)"$/m.exec(read("server/deploy/filepress.toml"))[1]]);
});

test("the unit is started again for as long as its database is away", () => {
  const unit = read("server/deploy/filepress.service");
  const section = (name) => unit.split(`[${name}]\n`)[1].split("\n[")[0];
  assert.match(section("Unit"), /^StartLimitIntervalSec=0$/m);
  assert.match(section("Service"), /^Restart=on-failure$/m);
  assert.match(section("Service"), /^RestartSec=[1-9]\d*s$/m);
});

test("the unit lets the server end its tools", () => {
  const unit = read("server/deploy/filepress.service");
  assert.match(unit.split("[Service]\n")[1].split("\n[")[0], /^KillMode=mixed$/m);
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
  for (const [name, { environment, stop_grace_period }] of services.filter(([, { build }]) => build?.target === "server")) {
    const own = seconds(environment.FILEPRESS_DRAIN ?? "0s") + seconds(environment.FILEPRESS_STOP_GRACE ?? "30s");
    assert.ok(seconds(stop_grace_period) > own, name);
  }
});

test("the processes of compose.yaml convert a file together", { timeout: 120_000 }, async (context) => {
  const machine = openMachine(context);
  const { POSTGRES_USER, POSTGRES_DB } = compose.services.database.environment;
  const database = await startDatabase(POSTGRES_USER, POSTGRES_DB);
  context.after(database.stop);
  /** Where each answers; the health of the server `api` is asked for at the port `health`. */
  const ports = { store: await freePort(), api: await freePort(), worker: await freePort(), health: await freePort() };

  // Each option of the store's command is kept; only where it listens and stores is of this machine.
  const [folder] = stepsOf("store", "VOLUME");
  const bucket = new RegExp(`install --directory --owner store ${folder} ${folder}/(\\w+)$`).exec(stepsOf("store", "RUN").join())[1];
  const own = { "0.0.0.0": "127.0.0.1", 8014: `${ports.store}` };
  const [, ...words] = [...commandOf("store"), ...compose.services.store.command.map(expand)].filter((word) => word !== folder);
  machine.startStore(words.map((word) => own[word] ?? word), bucket);

  /** The environment of a service, with the hosts of compose.yaml at their ports on this machine. */
  const environment = (name) => {
    const given = compose.services[name].environment;
    return moved(Object.fromEntries(Object.entries(given).map(([key, value]) => [key, expand(value)])), {
      "database:5432": `127.0.0.1:${database.port}`,
      "store:8014": `127.0.0.1:${ports.store}`,
      "0.0.0.0:8443": `127.0.0.1:${ports.api}`,
      "localhost:8443": `localhost:${ports.api}`,
      "0.0.0.0:9464": `127.0.0.1:${name === "api" ? ports.health : ports.worker}`,
    });
  };
  const servers = [];
  for (const name of ["api", "worker"]) servers.push(await machine.startServer(name, commandOf("server"), environment(name), NOBODY));
  // The certificate is the one that the server has made for itself.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  await convertOnce(`https://localhost:${ports.api}`, environment("api"));
  assert.match(await (await fetch(`http://127.0.0.1:${ports.worker}/metrics`)).text(), /^filepress_queue_tasks/m);
  /** Runs the check of a service, at the port where its process answers here. */
  const check = (name, port, own) => {
    const [kind, program, ...words] = compose.services[name].healthcheck.test;
    assert.equal(kind, "CMD");
    return spawnSync(program, words.map((word) => word.replace(`/${own}`, `/${port}`))).status;
  };
  const checks = () => [check("store", ports.store, 8014), check("api", ports.health, 9464), check("worker", ports.worker, 9464)];
  assert.deepEqual(checks(), [0, 0, 0]);
  await stopAll(servers);
  assert.deepEqual(checks(), [0, 1, 1]);
});
