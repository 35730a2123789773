// The runtimes that the project `runtimes` installs, as commands that run a script.
import { readdirSync } from "node:fs";
import { join } from "node:path";

export function runtimesOf(project) {
  /** The program of a package whose name ends with this machine's; npm installs no other. */
  const program = (scope, pattern, ...path) => {
    const folder = join(project.folder, "node_modules", scope);
    const name = readdirSync(folder).find((name) => pattern.test(name));
    return join(folder, name, ...path);
  };
  return {
    "Node 24": [program(".", /^node-linux-\w+$/, "bin", "node")],
    Bun: [program("@oven", /^bun-\w+-\w+$/, "bin", "bun"), "run"],
    Deno: [program("@deno", /^\w+-\w+(-glibc)?$/, "deno"), "run", "--no-prompt", "--allow-read", "--allow-net", "--allow-env", "--allow-sys"],
  };
}
