// The Kubernetes manifests: valid by Kubernetes' schemas, consistent with each other and with the server; and its pods' processes, each
// as the account and with the environment of its manifest, convert a file together. No cluster runs them here.
import { strict as assert } from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { program } from "../../scripts/service.mjs";
import { freePort } from "../package/support/free-port.mjs";
import { startDatabase } from "./support/database.mjs";
import { commandOf, read, resources, seconds, stepsOf } from "./support/deploy.mjs";
import { convertOnce, moved, openMachine, stopAll } from "./support/processes.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const VALIDATE = join(process.env.FILEPRESS_TOOLS ?? join(ROOT, ".tools"), "kubernetes", "bin", "kubernetes-validate");

const ofKind = (kind) => resources.filter((resource) => resource.kind === kind);
const named = (kind, name) => ofKind(kind).find(({ metadata }) => metadata.name === name) ?? assert.fail(`there is no ${kind} ${name}`);
const pods = ofKind("Deployment").map(({ metadata, spec }) => ({ name: metadata.name, selector: spec.selector.matchLabels, labels: spec.template.metadata.labels, ...spec.template.spec }));

/** The variables of a pod, without those of the secret. */
function environmentOf({ containers: [{ env, envFrom }] }) {
  const maps = envFrom.flatMap(({ configMapRef }) => (configMapRef ? Object.entries(named("ConfigMap", configMapRef.name).data) : []));
  return Object.fromEntries([...maps, ...env.map(({ name, value }) => [name, value])]);
}

test("the manifests are valid", () => {
  const { status, stdout, stderr } = spawnSync(VALIDATE, ["--strict", "server/deploy/kubernetes.yaml"], { cwd: ROOT, encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  assert.equal(pods.length, 3);
});

test("they name only what there is", () => {
  const help = execFileSync(program, ["serve", "--help"], { encoding: "utf8" });
  for (const pod of pods) {
    for (const variable of Object.keys(environmentOf(pod))) assert.match(help, new RegExp(`\\[env: ${variable}[=\\]]`), variable);
    assert.deepEqual(pod.labels, pod.selector);
    const [{ image, ports, readinessProbe, livenessProbe, volumeMounts }] = pod.containers;
    assert.match(read("server/deploy/Dockerfile"), new RegExp(`--tag ${image} `), "the image is the Dockerfile's");
    assert.deepEqual([readinessProbe.httpGet.path, livenessProbe.httpGet.path], ["/readyz", "/healthz"]);
    for (const probe of [readinessProbe, livenessProbe]) assert.ok(ports.some(({ name }) => name === probe.httpGet.port));
    assert.deepEqual(volumeMounts.map(({ name }) => name), pod.volumes.map(({ name }) => name));
    assert.ok(volumeMounts.some(({ mountPath }) => mountPath === stepsOf("server", "VOLUME")[0]));
  }
  for (const { spec } of [...ofKind("Service"), ...ofKind("PodDisruptionBudget")]) {
    const wanted = Object.entries(spec.selector.matchLabels ?? spec.selector);
    assert.equal(pods.filter(({ labels }) => wanted.every(([key, value]) => labels[key] === value)).length, 1);
  }
});

test("a pod has the time to stop that the server takes", () => {
  for (const pod of pods) {
    const { FILEPRESS_DRAIN = "0s", FILEPRESS_STOP_GRACE = "30s" } = environmentOf(pod);
    assert.ok(pod.terminationGracePeriodSeconds > seconds(FILEPRESS_DRAIN) + seconds(FILEPRESS_STOP_GRACE), pod.name);
  }
});

test("the memory of a worker is enough for all of its tasks", () => {
  const GIB = { GiB: 1, Gi: 1, Mi: 1 / 1024 };
  const size = (text) => Number.parseFloat(text) * GIB[text.replace(/[\d.]+/, "")];
  for (const pod of pods) {
    const { limits, requests } = pod.containers[0].resources;
    const { FILEPRESS_ROLE, FILEPRESS_IMAGE_WORKERS, FILEPRESS_HEAVY_WORKERS, FILEPRESS_TASK_MEMORY } = environmentOf(pod);
    assert.ok(size(limits.memory) > size(requests.memory), pod.name);
    if (FILEPRESS_ROLE !== "worker") continue;
    const workers = [FILEPRESS_IMAGE_WORKERS, FILEPRESS_HEAVY_WORKERS].map(Number).filter((count) => count > 0);
    const tasks = workers.reduce((sum, count) => sum + count + 1, 0);
    assert.ok(tasks > 0 && size(limits.memory) > tasks * size(FILEPRESS_TASK_MEMORY), pod.name);
  }
});

test("each way into and out of a pod is one that a policy names", () => {
  const policies = ofKind("NetworkPolicy");
  const selects = ({ matchLabels, matchExpressions = [] }, labels) =>
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => operator === "NotIn" && !values.includes(labels[key]));
  for (const { name, labels, containers } of pods) {
    const own = policies.filter(({ spec }) => selects(spec.podSelector, labels)).map(({ spec }) => spec);
    const open = (rules) => rules.flatMap(({ ports }) => ports.map(({ port }) => port));
    const into = own.filter(({ policyTypes }) => policyTypes.includes("Ingress")).flatMap(({ ingress }) => open(ingress));
    assert.deepEqual(into.sort(), containers[0].ports.map(({ name }) => name).sort(), name);
    const out = own.filter(({ policyTypes }) => policyTypes.includes("Egress")).flatMap(({ egress }) => open(egress));
    assert.deepEqual([...new Set(out)], labels.role === "api" ? [] : [53, 5432, 443], name);
  }
  const [monitoring] = policies.flatMap(({ spec }) => spec.ingress ?? []).filter(({ ports }) => ports.some(({ port }) => port === "operator"));
  assert.ok(monitoring.from[0].namespaceSelector.matchLabels["kubernetes.io/metadata.name"]);
});

test("the processes of the pods convert a file together", { timeout: 120_000 }, async (context) => {
  const machine = openMachine(context);
  const database = await startDatabase("filepress", "filepress");
  context.after(database.stop);
  const store = await freePort();
  machine.startStore(["--host", "127.0.0.1", "--port", `${store}`, "--access-key", "key", "--secret-key", "secret"], "filepress");
  const secret = {
    FILEPRESS_DATABASE: `postgres://filepress:password@127.0.0.1:${database.port}/filepress?sslmode=disable`,
    FILEPRESS_BLOBS: "s3://filepress/files",
    AWS_ENDPOINT_URL: `http://127.0.0.1:${store}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
  const url = `https://localhost:${await freePort()}`;
  const servers = [];
  for (const pod of pods) {
    const operator = await freePort();
    const own = { "0.0.0.0:8443": `127.0.0.1:${new URL(url).port}`, "0.0.0.0:9464": `127.0.0.1:${operator}`, "https://files.example.org": url, "10.0.0.0/8": "192.0.2.1" };
    servers.push(await machine.startServer(pod.name, commandOf("server"), { ...moved(environmentOf(pod), own), ...secret }, pod.securityContext.runAsUser));
    const ready = await fetch(`http://127.0.0.1:${operator}${pod.containers[0].readinessProbe.httpGet.path}`);
    assert.equal(ready.status, 200, pod.name);
  }
  // The certificate is the one that the server has made for itself.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  await convertOnce(url, secret);
  // The drain of the first one would be waited for.
  await stopAll(servers.slice(1));
});
