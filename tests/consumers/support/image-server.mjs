// What every runtime's image server must do: the examples of docs/plugins.md are asked, and their bytes compared with Node's.
import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";

/** The photo at `photos/wide.jpg` is 1,000 pixels wide. */
const CASES = [
  { path: "/_img/400/webp/wide.jpg", options: { to: "webp", resize: { maxWidth: 400 } } },
  { path: "/_img/800/original/wide.jpg?quality=50", options: { quality: 50, resize: { maxWidth: 800 } } },
  { path: "/_img/%34%300/webp/%77ide%2ejpg", options: { to: "webp", resize: { maxWidth: 400 } } },
  { path: "/_img/100x100/png/wide.jpg", options: { to: "png", resize: { width: 100, height: 100, fit: "cover" } } },
  { path: "/_img/200/auto/wide.jpg", accept: "image/webp,*/*", options: { to: "webp", resize: { maxWidth: 200 } } },
  { path: "/_img/200/auto/wide.jpg", accept: "*/*", options: { resize: { maxWidth: 200 } } },
  { path: "/_img/200/auto/wide.jpg", accept: "image/webp;q=0, image/*", options: { resize: { maxWidth: 200 } } },
];

const REFUSED = {
  "/_img/401/webp/wide.jpg": [403, "size_not_allowed"],
  "/_img/400/gif/wide.jpg": [403, "format_not_allowed"],
  "/_img/400/webp/wide.jpg?quality=51": [403, "option_not_allowed"],
  "/_img/400/webp/wide.jpg?qualty=50": [400, "unknown_option"],
  "/_img/400/webp/gone.jpg": [404, "not_found"],
  "/_img/400/webp/..%2Fpackage.json": [400, "invalid_path"],
  "/_img/400/webp/%2e%2e%2fpackage.json": [400, "invalid_path"],
  "/_img/400/webp/a%5C..%5Cb": [400, "invalid_path"],
  "/_img/400/webp/%252e%252e%252fpackage.json": [400, "invalid_path"],
  "/_img/400/webp/wide.jpg%00": [400, "invalid_path"],
  "/_img/400/webp/%zz.jpg": [400, "invalid_path"],
  "/_img/400/webp/%ff.jpg": [400, "invalid_path"],
  "/_img/400/webp/": [404, "not_found"],
  "/_img/400": [404, "not_found"],
  "/_img/400/webp/words.jpg": [415, "unsupported_type"],
};

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** `get(path, init)` asks the server; `photo` are the bytes of wide.jpg; `compress` is Node's. */
export async function checkImageServer(get, photo, compress) {
  for (const { path, accept, options } of CASES) {
    const response = await get(path, { headers: { accept: accept ?? "*/*" } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const expected = await compress(photo, options);
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, expected.type], path);
    assert.equal(sha256(bytes), sha256(await expected.bytes()), path);
    assert.match(response.headers.get("cache-control"), /^public, max-age=\d+/);
    assert.equal(response.headers.get("vary")?.toLowerCase().includes("accept") ?? false, path.includes("/auto/"), path);
    const etag = response.headers.get("etag");
    const again = await get(path, { headers: { accept: accept ?? "*/*", "if-none-match": `"other", ${etag}` } });
    assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength, again.headers.get("etag")], [304, 0, etag], path);
  }
  for (const [path, [status, code]] of Object.entries(REFUSED)) {
    const response = await get(path);
    assert.deepEqual([response.status, (await response.json()).code, response.headers.get("cache-control")], [status, code, "no-store"], path);
  }
  const head = await get("/_img/400/webp/wide.jpg", { method: "HEAD" });
  assert.deepEqual([head.status, (await head.arrayBuffer()).byteLength], [200, 0]);
  const post = await get("/_img/400/webp/wide.jpg", { method: "POST" });
  assert.deepEqual([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
  await post.arrayBuffer();
  const elsewhere = await get("/elsewhere");
  assert.equal(elsewhere.status, 404);
  await elsewhere.arrayBuffer();
}
