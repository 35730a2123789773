// The package in Bun, in Deno and in Node 24: the bytes, errors and aborts of the Node that runs the tests.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { after, describe, test } from "node:test";
import { generatedCases } from "../package/support/cases.mjs";
import { heic } from "../package/support/foreign.mjs";
import { outcomeOf } from "../package/support/outcome.mjs";
import { openProject } from "./support/project.mjs";
import { runtimesOf } from "./support/runtimes.mjs";

const project = openProject("runtimes");
const { compress, inspect } = await project.import();
const cases = (await generatedCases()).filter((_, index) => index % 5 === 0);
const photo = (await generatedCases()).find(({ name }) => name.startsWith("baseline.jpg")).bytes;

const RUNTIMES = runtimesOf(project);

function serve([command, ...args]) {
  const child = spawn(command, [...args, "src/main.mjs"], { cwd: project.folder, env: { ...process.env, NO_COLOR: "1" } });
  let said = "";
  const url = new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        said += text;
        const [found] = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(said) ?? [];
        if (found) resolve(found);
      });
    }
    child.once("error", reject).once("close", () => reject(new Error(said)));
  });
  return { url, close: () => child.kill("SIGKILL") };
}

for (const [name, command] of Object.entries(RUNTIMES)) {
  describe(name, async () => {
    const server = serve(command);
    after(server.close);
    const url = await server.url;
    const call = async (path, bytes, options = {}) => {
      const response = await fetch(url + path, { method: "POST", body: bytes, headers: { "x-options": JSON.stringify(options) } });
      return response.json();
    };

    test("the bytes are Node's", async () => {
      assert.ok(cases.length >= 30, `${cases.length} cases`);
      for (const { name, bytes, options } of cases) {
        const expected = await outcomeOf(await compress(bytes, options));
        assert.deepEqual(await call("/compress", bytes, options), expected, name);
      }
    });

    test("a File is read, and a Blob comes back", async () => {
      const { name, type, size } = await call("/file", photo, { to: "webp" });
      const { outputSize } = await compress(photo, { to: "webp" });
      assert.deepEqual([name, type, size], ["photo.webp", "image/webp", outputSize]);
    });

    test("a decoder of init reads what filepress does not", async () => {
      const pixels = Buffer.from(Array.from({ length: 32 }, (_, at) => (at % 4 === 3 ? 255 : 7 * at)));
      const expected = await outcomeOf(await compress({ data: new Uint8Array(pixels), width: 4, height: 2 }));
      assert.deepEqual(await call("/decoded", heic(pixels), { to: "png" }), expected);
    });

    test("inspect says what it says in Node", async () => {
      assert.deepEqual(await call("/inspect", photo), JSON.parse(JSON.stringify(await inspect(photo))));
    });

    test("errors are of the package's classes", async () => {
      assert.deepEqual(await call("/compress", Buffer.from("just some words")), { error: "InputError", code: "unsupported_type", ours: true });
      assert.deepEqual(await call("/compress", photo, { to: "jpgg" }), { error: "OptionsError", code: "invalid_option", ours: true });
    });

    test("an abort ends a call, and the next one works", async () => {
      const { error } = await call("/abort", photo, { to: "avif" });
      assert.equal(error, "AbortError");
      const { type } = await call("/compress", photo, { to: "webp" });
      assert.equal(type, "image/webp");
    });
  });
}
