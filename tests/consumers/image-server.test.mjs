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

describe("errors", () => {
  /** A body that starts well and then throws `thrown`. */
  const broken = (thrown) => new Response(new ReadableStream({ pull: (controller) => controller.error(thrown), start: (controller) => controller.enqueue(photo.subarray(0, 100)) }));
  const SECRET = "the token hunter2";
  /** Like errors of SDKs, and of whoever knows how an image server reads errors. */
  const THROWN = [
    new Error(SECRET), null, undefined, SECRET, 404,
    ...[200, 204, 304, 404, 999, "403", "ENOENT"].map((status) => Object.assign(new Error(SECRET), { status, code: SECRET })),
    { get status() { throw new Error(SECRET); }, get kind() { throw new Error(SECRET); } },
  ];

  test("what source or its body throws is 502 with a fixed text, and onError gets it", async () => {
    const texts = new Set();
    for (const thrown of [...THROWN, Object.assign(new Error(SECRET), { kind: "input", code: SECRET })]) {
      const throwing = [() => { throw thrown; }, async () => { throw thrown; }, () => broken(thrown)];
      for (const source of throwing) {
        const errors = [];
        const response = await get(serve({ source, onError: (...all) => errors.push(all) }));
        texts.add(await response.text());
        assert.deepEqual([response.status, errors.length, response.headers.get("cache-control")], [502, 1, "no-store"], String(source));
        assert.ok(Object.is(errors[0][0], thrown) && errors[0][1] instanceof Request);
      }
    }
    assert.deepEqual([...texts].map((text) => JSON.parse(text).code), ["source_failed"]);
    assert.ok(![...texts].join().includes(SECRET));
  });

  test("what source returns that is no image is 502, and onError gets the reason", async () => {
    for (const found of ["a text", { status: 404 }, 7, new FormData(), true]) {
      let reason;
      const images = serve({ source: () => found, onError: (error) => (reason = error) });
      assert.deepEqual(await refusalOf(await get(images)), [502, "source_failed"]);
      assert.match(reason.message, /source must return/);
    }
    for (const found of [photo, new Uint8Array(photo), new Uint8Array(photo).buffer, new Blob([photo]), new Response(photo)]) assert.equal((await get(serve({ source: () => found }))).status, 200);
    let reason;
    assert.deepEqual(await refusalOf(await get(serve({ source: () => new Response("", { status: 403 }), onError: (error) => (reason = error) }))), [502, "source_failed"]);
    assert.match(reason.message, /403/);
  });

  test("the body of a response that is no image is cancelled", async () => {
    for (const status of [404, 403, 500]) {
      let cancelled = 0;
      const source = () => new Response(new ReadableStream({ cancel: () => void cancelled++ }), { status });
      await get(serve({ source }));
      assert.equal(cancelled, 1, `${status}`);
    }
    const locked = () => {
      const response = new Response(new ReadableStream({}), { status: 500 });
      response.body.getReader();
      return response;
    };
    assert.equal((await get(serve({ source: locked }))).status, 502);
  });

  test("only errors of the package become public: others of compress are 500, and onError gets them", async () => {
    for (const thrown of THROWN) {
      const errors = [];
      const images = serve({ compress: () => { throw thrown; }, onError: (error) => errors.push(error) });
      const response = await get(images);
      assert.deepEqual([response.status, await response.json()], [500, { code: "internal", message: "The image could not be made." }]);
      assert.ok(errors.length === 1 && Object.is(errors[0], thrown));
    }
    assert.deepEqual(await refusalOf(await get(serve({ source: () => Buffer.from("just some words") }))), [415, "unsupported_type"]);
    assert.deepEqual(await refusalOf(await get(serve({ defaults: { overlay: { image: Buffer.from("just some words") } } }))), [500, "internal"]);
  });

  test("onError is called once for all who waited, and its own failure changes no response", async () => {
    let calls = 0;
    const images = serve({ source: async () => { throw new Error("no"); }, onError: () => { calls++; throw new Error("the log is full"); } });
    const responses = await Promise.all(Array.from({ length: 10 }, () => get(images)));
    assert.deepEqual([new Set(responses.map(({ status }) => status)), calls], [new Set([502]), 1]);
    const rejecting = serve({ source: () => 7, onError: async () => { throw new Error("the log is full"); } });
    assert.equal((await get(rejecting)).status, 502);
    let late;
    assert.equal((await get(serve({ source: () => new Promise(() => {}), timeout: 20, onError: (error) => (late = error) }))).status, 504);
    assert.match(late.message, /too long/);
    for (const path of ["/_img/101/jpeg/a.jpg", "/_img/100/jpeg/", "/_img/100/jpeg/a.jpg?x"]) await get(serve({ onError: assert.fail }), path);
    const controller = new AbortController();
    const leaving = get(serve({ source: (path, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))), onError: assert.fail }), undefined, { signal: controller.signal });
    setTimeout(() => controller.abort(null), 5);
    assert.equal((await leaving).status, 500);
  });
});
