// Keys with limited rights: what the guide says that `compress` needs is enough, and what is missing is named.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { startService } from "../../scripts/service.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { sample } from "../package/support/samples.mjs";

const api = await createConsumer().import();
const service = await startService();
after(service.stop);
const picture = await sample("rgba.png", [64, 48]);

const SCOPES = ["files:read", "files:write", "tasks:read", "tasks:write"];
const withScopes = async (scopes, options) => new api.Client({ baseUrl: service.url, apiKey: await service.createKey("--scopes", scopes.join()), ...options });
const compress = (client) => api.compress(picture, { client, engine: "remote", to: "image/webp" });

/** Options of a client whose first request with this method breaks off without a response. */
function breaking(method) {
  let broken = false;
  const send = async (request) => {
    if (broken || request.method !== method) return fetch(request);
    broken = true;
    throw new TypeError("the connection broke");
  };
  return { fetch: send, retry: { minDelay: 0 } };
}

test("a key with the scopes of the guide compresses, and cleans up after itself", async () => {
  const client = await withScopes(SCOPES);
  const result = await compress(client);
  assert.equal(result.type, "image/webp");
  assert.deepEqual((await client.files.list().page()).items, [], "both remote files are deleted");
});

test("only after an interrupted upload, `files:read` is needed", async () => {
  const others = SCOPES.filter((scope) => scope !== "files:read");
  assert.equal((await compress(await withScopes(others))).type, "image/webp");
  await assert.rejects(withScopes(others, breaking("PUT")).then(compress), { name: "RemoteError", code: "missing_scope", status: 403 });
  assert.equal((await compress(await withScopes(SCOPES, breaking("PUT")))).type, "image/webp");
});

for (const scope of ["files:write", "tasks:read", "tasks:write"]) {
  test(`without ${scope} it is refused`, async () => {
    const others = SCOPES.filter((other) => other !== scope);
    await assert.rejects(withScopes(others).then(compress), { name: "RemoteError", code: "missing_scope", status: 403 });
  });
}

test("after the end of a key, `getToken` is asked for another one", async () => {
  const tokens = [await service.createKey("--expires", "1ms"), service.key];
  const client = new api.Client({ baseUrl: service.url, getToken: () => tokens.shift() });
  assert.equal((await client.users.me()).email, "someone@example.com");
  assert.deepEqual(tokens, []);
  const old = new api.Client({ baseUrl: service.url, apiKey: await service.createKey("--expires", "1ms") });
  await assert.rejects(old.users.me(), { name: "RemoteError", code: "key_expired", status: 401 });
});
