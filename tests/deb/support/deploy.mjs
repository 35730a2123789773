// The files of server/deploy/ as data.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, parseAllDocuments } from "yaml";

const ROOT = resolve(import.meta.dirname, "../../..");
export const read = (path) => readFileSync(join(ROOT, path), "utf8");

export const compose = parse(read("server/deploy/compose.yaml"), { merge: true });
export const resources = parseAllDocuments(read("server/deploy/kubernetes.yaml")).map((document) => document.toJS());

/** The stages of the Dockerfile by name: the image that each starts from, and its instructions. */
export const stages = new Map();
for (const [, instruction, value] of read("server/deploy/Dockerfile").matchAll(/^([A-Z]+) (.+)$/gm)) {
  if (instruction === "FROM") stages.set(value.split(" AS ")[1], { image: value.split(" AS ")[0], steps: [] });
  else [...stages.values()].at(-1).steps.push([instruction, value]);
}

/** The values of an instruction in a stage. */
export const stepsOf = (stage, instruction) => stages.get(stage).steps.filter(([name]) => name === instruction).map(([, value]) => value);

/** The command of a stage, as words. */
export const commandOf = (stage) => ["ENTRYPOINT", "CMD"].flatMap((instruction) => stepsOf(stage, instruction).flatMap((value) => JSON.parse(value)));

/** "5m" as seconds. */
export const seconds = (text) => Number(text.slice(0, -1)) * { s: 1, m: 60 }[text.at(-1)];
