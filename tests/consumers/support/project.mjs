// A copy of one of the consumer projects with the package installed, built and run by its own tools.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { createConsumer } from "../../package/support/consumer.mjs";

const shared = ["./compress-file.js", "../../package/support/outcome.mjs"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** A consumer (see consumer.mjs) of the folder `name`; `sources` is the folder in it that holds its code. */
export function openProject(name, sources = "src") {
  const consumer = createConsumer(fileURLToPath(new URL(`../${name}`, import.meta.url)));
  mkdirSync(join(consumer.folder, sources), { recursive: true });
  for (const path of shared) copyFileSync(path, join(consumer.folder, sources, path.split("/").at(-1)));
  const options = { cwd: consumer.folder, env: { ...process.env, NO_COLOR: "1", CI: "1", NEXT_TELEMETRY_DISABLED: "1" } };

  return {
    ...consumer,
    /** Runs a script of its package.json to the end; returns what it said, or throws it where it fails. */
    run(script) {
      try {
        return execFileSync("npm", ["run", script], { ...options, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
      } catch ({ stdout, stderr }) {
        throw new Error(`npm run ${script}:\n${stdout}${stderr}`);
      }
    },
    /** Starts a script that serves: `{ url, close() }` once it has said where. */
    async serve(script, ...args) {
      const child = spawn("npm", ["run", script, "--", ...args], { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
      const ended = once(child, "close");
      let said = "";
      const url = await new Promise((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding("utf8").on("data", (text) => {
            said += stripVTControlCharacters(text);
            // A word of its own at the end of a line, since settings that are told before may hold other addresses.
            const [, found] = /\s(http:\/\/(?:localhost|127\.0\.0\.1):\d+(?:\/[\w-]+)*)\/?\s*\n/.exec(said) ?? [];
            if (found) resolve(found);
          });
        }
        child.once("error", reject);
        ended.then(() => reject(new Error(`npm run ${script}:\n${said}`)));
      });
      // npm does not hand a signal on to everything that it started: the whole group is ended.
      const close = () => {
        try {
          process.kill(-child.pid, "SIGTERM");
        } catch (error) {
          // It has ended.
          if (error.code !== "ESRCH") throw error;
        }
        return ended;
      };
      return { url, close };
    },
  };
}
