// The memory of processes, from /proc.
import { readFileSync, readdirSync } from "node:fs";

/** Bytes of resident memory of the processes called `name` that this process has started. */
export function residentMemory(name) {
  const sizes = descendants(process.pid).map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const field = (key) => status.match(new RegExp(`^${key}:\\s+(\\S+)`, "m"))?.[1];
    return field("Name") === name ? Number(field("VmRSS") ?? 0) * 1024 : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

function descendants(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean));
  return children.flatMap((child) => [child, ...descendants(child)]);
}
