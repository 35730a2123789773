// The types of the plug-ins beside those of the libraries: see tests/consumers/uploads/types/.
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const compiler = fileURLToPath(new URL("../../../../node_modules/typescript/bin/tsc", import.meta.url));

export function testTypes(project) {
  test("strict TypeScript accepts programs with the libraries' own types", () => {
    try {
      execFileSync(process.execPath, [compiler], { cwd: project.folder, encoding: "utf8" });
    } catch ({ stdout }) {
      throw new Error(stdout);
    }
  });
}
