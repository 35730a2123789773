// What filepress/serve guarantees to those who run it: hostile visitors, sources that fail, wrong options and caches, in Node.
import { strict as assert } from "node:assert";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { createConsumer } from "../package/support/consumer.mjs";
import { listen } from "../package/support/listen.mjs";
import { jpeg } from "./support/photos.mjs";

const consumer = createConsumer();
const { compress } = await consumer.import();
const { createImageServer } = await consumer.import("filepress/serve");
const { toNodeListener } = await consumer.import("filepress/serve/node");
const { signImage } = await consumer.import("filepress/sign");

const photo = await jpeg(300, 200);
const allow = { sizes: [100, "80x60", "full"] };
const serve = (options) => createImageServer({ compress, source: () => photo, allow, ...options });
const get = (images, path = "/_img/100/jpeg/a.jpg", init) => images(new Request(`http://images${path}`, init));
/** Status and code of a response that is no image. */
const refusalOf = async (response) => [response.status, (await response.json()).code];

describe("filepress/serve/node", () => {
  /** Sends the first lines of a request as they are; resolves to the status. */
  const ask = (url, head) =>
    new Promise((resolve, reject) => {
      const socket = connect(new URL(url).port, "127.0.0.1", () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
      let text = "";
      socket.setEncoding("latin1").on("data", (part) => (text += part));
      socket.on("error", reject).on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])));
    });

  test("a target never chooses the host, and one that is no path goes to next", async (context) => {
    const seen = [];
    const images = serve({ source: (path, { request }) => (seen.push([request.url, request.headers.get("host")]), photo) });
    const listener = toNodeListener(images);
    const errors = [];
    const plain = await listen(listener);
    const express = await listen((request, response) => listener(request, response, (error) => (error && errors.push(error), response.writeHead(418).end())));
    context.after(plain.close);
    context.after(express.close);
    const path = "/_img/100/jpeg/a.jpg";
    const elsewhere = ["GET // HTTP/1.1", `GET //evil.example${path} HTTP/1.1`, "GET ///[ HTTP/1.1", `GET http://evil.example${path} HTTP/1.1`, "OPTIONS * HTTP/1.1", "TRACE / HTTP/1.1", `TRACE ${path} HTTP/1.1`];
    for (const line of elsewhere) {
      assert.equal(await ask(plain.url, `${line}\r\nHost: a.example`), 404, line);
      assert.equal(await ask(express.url, `${line}\r\nHost: a.example`), 418, line);
    }
    assert.deepEqual([seen, errors], [[], []]);
    assert.equal(await ask(plain.url, `GET ${path} HTTP/1.1\r\nHost: a.example`), 200);
    assert.deepEqual(seen, [[`http://localhost${path}`, "a.example"]]);
  });
});

describe("signatures", () => {
  test("a key that is no string or is empty is refused, by the server and by signImage", async () => {
    for (const key of [null, "", 0, false, {}]) {
      assert.throws(() => serve({ key }), { name: "TypeError", message: /^key must be/ }, String(key));
      await assert.rejects(signImage("/_img/100/jpeg/a.jpg", key), { name: "TypeError", message: /^key must be/ }, String(key));
    }
    await assert.rejects(signImage("/_img/100/jpeg/a.jpg"), TypeError);
  });
});
