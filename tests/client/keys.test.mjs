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

const withKey = async (...limits) => new api.Client({ baseUrl: service.url, apiKey: await service.createKey(...limits) });
const compress = (client) => api.compress(picture, { client, engine: "remote", to: "image/webp" });

test("a key with the three scopes of the guide compresses, and cleans up after itself", async () => {
  const client = await withKey("--scopes", "files:write,tasks:read,tasks:write");
  const result = await compress(client);
  assert.equal(result.type, "image/webp");
  await assert.rejects(client.files.list().page(), { name: "RemoteError", code: "missing_scope", status: 403 });
  const files = await new api.Client({ baseUrl: service.url, apiKey: service.key }).files.list().page();
  assert.deepEqual(files.items, [], "both remote files are deleted");
});

for (const scope of ["files:write", "tasks:read", "tasks:write"]) {
  test(`without ${scope} it is refused`, async () => {
    const others = ["files:write", "tasks:read", "tasks:write"].filter((other) => other !== scope);
    await assert.rejects(withKey("--scopes", others.join()).then(compress), { name: "RemoteError", code: "missing_scope", status: 403 });
  });
}

test("after the end of a key, `getToken` is asked for another one", async () => {
  const tokens = [await service.createKey("--expires", "1ms"), service.key];
  const client = new api.Client({ baseUrl: service.url, getToken: () => tokens.shift() });
  assert.equal((await client.users.me()).email, "someone@example.com");
  assert.deepEqual(tokens, []);
  const old = await withKey("--expires", "1ms");
  await assert.rejects(old.users.me(), { name: "RemoteError", code: "key_expired", status: 401 });
});
