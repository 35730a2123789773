// What filepress/serve guarantees to those who run it: hostile visitors, sources that fail, wrong options and caches, in Node.
import { strict as assert } from "node:assert";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { packageFolder } from "../../scripts/built.mjs";
import { createConsumer } from "../package/support/consumer.mjs";
import { listen } from "../package/support/listen.mjs";
import { jpeg } from "./support/photos.mjs";

const consumer = createConsumer();
const { compress, formats } = await consumer.import();
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

  test("HTTP/2 works, with the host in the header host", async (context) => {
    const hosts = [];
    const server = createHttp2Server(toNodeListener(serve({ source: (path, { request }) => (hosts.push(request.headers.get("host")), photo) })));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const session = connectHttp2(`http://127.0.0.1:${server.address().port}`);
    context.after(() => (session.close(), server.close()));
    const [headers] = await once(session.request({ ":path": "/_img/100/jpeg/a.jpg", ":authority": "b.example" }).resume(), "response");
    assert.deepEqual([headers[":status"], hosts], [200, ["b.example"]]);
  });
});

describe("addresses", () => {
  test("hostile paths and headers are answered without an error", async () => {
    const errors = [];
    const paths = [];
    const images = serve({ source: (path) => void paths.push(path), onError: (error) => errors.push(error) });
    // The URL itself resolves segments of one or two dots.
    for (const segment of ["..", "%2e%2e", ".%2E", "."]) {
      const response = await get(images, `/_img/100/jpeg/x/${segment}/a.jpg`);
      assert.equal(response.status, 404, segment);
    }
    assert.deepEqual(await refusalOf(await get(images, "/_img/100/jpeg/x//a.jpg")), [404, "not_found"]);
    assert.ok(paths.every((path) => ["a.jpg", "x/a.jpg"].includes(path)), paths.join());
    for (const path of ["/_img/", "/_img", "/_img//", "/_img/100", "/_img/__proto__/jpeg/a", "/_img/100/__proto__/a", "/_img/100/jpeg/a?__proto__=1", "/_img/100/jpeg/a?constructor", "/_img/%ff/%ff/%ff"]) {
      const response = await get(images, path, { headers: { accept: ";,;=,q=0,,", "if-none-match": ",,,W/,\"" } });
      assert.ok(response === undefined || [400, 403, 404].includes(response.status), path);
    }
    assert.deepEqual(errors, []);
  });

  test("a path that leads elsewhere, or could once it is decoded again, is 400, signed or not", async () => {
    const wrong = [
      ..."% %4 %zz %u0061 %ff %C3 %ED%A0%80".split(" "), // no escapes, or none of UTF-8
      ..."%2e%2e%2f ..%2fx %2fetc a%2Fb a%5Cb ..%5C..%5Cb %5C.. C: c%3A".split(" "), // separators
      ..."%00 a%00.jpg %0a %1F %20 ..%20 .%20. ...".split(" "), // no names
      ..."%252e%252e %252e%252e%252f %252f %2500 %25252e%25252e%25252f a%2520b %25%32%65".split(" "), // encoded twice
    ];
    const servers = [serve({ source: assert.fail, onError: assert.fail }), serve({ source: assert.fail, onError: assert.fail, allow: undefined, key: "secret" })];
    for (const segment of wrong) {
      for (const path of [`/_img/100/jpeg/${segment}`, `/_img/100/jpeg/x/${segment}/a.jpg`]) {
        for (const images of servers) assert.deepEqual(await refusalOf(await get(images, path)), [400, "invalid_path"], path);
        const signed = await signImage(path, "secret").catch((error) => (assert.ok(error instanceof URIError, path), undefined));
        if (signed) assert.deepEqual(await refusalOf(await get(servers[1], signed)), [400, "invalid_path"], path);
      }
    }
    await assert.rejects(signImage("/_img/100/jpeg/%zz.jpg", "secret"), URIError);
  });

  test("all spellings of a path are one image, with one signature", async () => {
    const spellings = ["a,b%20%C3%BC@100%25~.jpg", "a%2Cb%20%c3%bc%40100%25%7E.jpg", "%61,%62 ü@%31%30%30%25~%2ejpg"].flatMap((name) => [`/_img/100/jpeg/x/${name}`, `/_img/%31%30%30/%6apeg/%78/${name}`]);
    const query = (await signImage(`${spellings[0]}?effort=2`, "secret")).split("?")[1];
    for (const [options, search] of [[{}, ""], [{ allow: undefined, key: "secret" }, `?${query}`]]) {
      const seen = new Set();
      let calls = 0;
      const images = serve({ compress: (...all) => (calls++, compress(...all)), source: (path, { encodedPath }) => (seen.add(`${path} ${encodedPath}`), photo), ...options });
      const etags = new Set();
      for (const path of spellings) {
        const response = await get(images, `${path}${search}`);
        assert.equal(response.status, 200, path);
        etags.add(response.headers.get("etag"));
      }
      assert.deepEqual([etags.size, calls, [...seen]], [1, 1, ["x/a,b ü@100%~.jpg x/a%2Cb%20%C3%BC%40100%25~.jpg"]]);
      if (search) assert.deepEqual(await refusalOf(await get(images, `/_img/100/jpeg/x/A,b%20%C3%BC@100%25~.jpg${search}`)), [403, "bad_signature"]);
    }
    for (const path of spellings) assert.equal((await signImage(`${path}?effort=2`, "secret")).split("?")[1], query, path);
  });

  test("a signature holds below every prefix", async () => {
    for (const prefix of ["/a/b", "/@img:1/", "/my img/ü/", "/"]) {
      const path = await signImage(`${prefix.replace(/\/?$/, "/")}100/jpeg/a%2cb.jpg`, "secret");
      assert.equal((await get(serve({ prefix, key: "secret", allow: undefined }), path.replace("%2c", ","))).status, 200, prefix);
    }
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

  test("an image that is allowed has one query: no wrong signature, and no other spelling", async () => {
    const listed = { ...allow, qualities: [50, "auto"] };
    const keyed = serve({ key: "secret", allow: listed });
    const open = serve({ allow: listed });
    const signed = await signImage("/_img/100/jpeg/a.jpg", "secret");
    for (const query of ["?s=1", "?s=", "?s", "?%73=1", "?quality=50&s=1", `?s=${"A".repeat(43)}`, `${signed.slice(signed.indexOf("?"))}&`, `${signed.slice(signed.indexOf("?"))}&s=1`]) {
      assert.deepEqual(await refusalOf(await get(keyed, `/_img/100/jpeg/a.jpg${query}`)), [403, "bad_signature"], query);
      assert.deepEqual(await refusalOf(await get(open, `/_img/100/jpeg/a.jpg${query}`)), [400, "unknown_option"], query);
    }
    for (const images of [keyed, open]) {
      for (const query of ["?&", "?&&", "?quality=050", "?quality=50.0", "?quality=%350", "?quality=50&", "?&quality=50", "?q%75ality=50"]) {
        assert.deepEqual(await refusalOf(await get(images, `/_img/100/jpeg/a.jpg${query}`)), [403, "option_not_allowed"], query);
      }
      for (const query of ["", "?", "?quality=50"]) assert.equal((await get(images, `/_img/100/jpeg/a.jpg${query}`)).status, 200, query);
    }
    assert.equal((await get(keyed, signed)).status, 200);
    // The last of 43 digits of base64 has two bits to spare.
    const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".split("");
    const statuses = await Promise.all(last.map(async (digit) => (await get(keyed, signed.slice(0, -1) + digit)).status));
    assert.equal(statuses.filter((status) => status === 200).length, 1);
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

describe("options", () => {
  test("members that are undefined count as absent", async () => {
    const none = Object.fromEntries(["prefix", "key", "auto", "defaults", "maxSide", "cacheControl", "cacheBytes", "freshFor", "maxPending", "timeout", "onError", "cacheKey", "vary"].map((name) => [name, undefined]));
    let calls = 0;
    const counting = (...all) => (calls++, compress(...all));
    const absent = serve({ compress: counting, ...none, limits: { maxInputBytes: undefined, maxPixels: undefined }, allow: { ...allow, formats: undefined, qualities: undefined } });
    const response = await get(absent);
    assert.deepEqual([response.status, response.headers.get("cache-control")], [200, "public, max-age=86400, stale-while-revalidate=604800"]);
    await get(absent);
    assert.equal(calls, 1, "kept in memory");
    assert.deepEqual(await refusalOf(await get(absent, "/_img/100/gif/a.jpg")), [403, "format_not_allowed"]);
    const large = serve({ limits: { maxInputBytes: undefined }, source: () => new Response("", { headers: { "content-length": `${2 ** 25 + 1}` } }) });
    assert.deepEqual(await refusalOf(await get(large)), [413, "input_too_large"]);
    const signed = serve({ allow: undefined, key: "secret", maxSide: undefined });
    assert.deepEqual(await refusalOf(await get(signed, await signImage("/_img/4097/jpeg/a.jpg", "secret"))), [400, "size_not_allowed"]);
  });

  test("a wrong option is a TypeError that names it, when the server is created", () => {
    const WRONG = {
      compress: ["", null], source: [null, photo], onError: [1, null], cacheKey: ["host", null], vary: [null, "a\nb"], prefix: ["", "img/", "/a?b", "/a#b", null, 1],
      allow: [null, [400], "400"], auto: ["webp", ["webq"], ["image/webq"], [7], null, ["__proto__"], ["constructor"]], defaults: [null, 1, { resize: 5 }, { resize: [] }], limits: [null, 5],
      maxSide: [0, NaN, "400", 1.5, null], maxPending: [0, NaN, "5", null], timeout: [0, Infinity, 2 ** 31, NaN, "5", null], cacheBytes: [-1, NaN, "5", null],
      freshFor: [-1, NaN, null], cacheControl: [null, "a\nb", "…"], cacheControll: ["no-store"], toString: [1],
    };
    const server = (options) => () => createImageServer({ compress, source: () => photo, allow, ...options });
    for (const [name, values] of Object.entries(WRONG)) {
      for (const value of values) assert.throws(server({ [name]: value }), { name: "TypeError", message: new RegExp(`^${name} `) }, `${name}: ${value}`);
    }
    const INSIDE = {
      allow: { sizes: [400, ["400px"], [0], [null], [-1], ["0400"]], formats: ["webp", [1]], qualities: [50, [null]], size: [1] },
      limits: { maxInputBytes: [0, "5", NaN, 1.5, Infinity], maxPixels: [-1], maxMemoryBytes: [null], maxBytes: [1] },
    };
    for (const [name, inside] of Object.entries(INSIDE)) {
      for (const [member, values] of Object.entries(inside)) {
        for (const value of values) assert.throws(server({ [name]: { ...(name === "allow" && allow), [member]: value } }), { name: "TypeError", message: new RegExp(`^${name}\\.${member} `) }, `${name}.${member}: ${value}`);
      }
    }
    for (const wrong of [{ key: "secret", allow: {} }, { allow: {} }, { allow: undefined }, { allow: { sizes: undefined } }]) assert.throws(server(wrong), /^TypeError: key or allow\.sizes is required/);
    assert.throws(() => createImageServer(), /compress and source must be functions/);
    server({ cacheBytes: 0, freshFor: Infinity, maxPending: Infinity, timeout: 2 ** 31 - 1, cacheControl: "" })();
  });

  test("auto takes media types and all extensions", async () => {
    const [, union] = /type OutputType =([^;]*);/.exec(readFileSync(new URL("types/options.d.ts", packageFolder), "utf8"));
    const names = [...union.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    const written = (await formats()).filter((format) => format.class === "image" && format.write);
    assert.deepEqual(names.filter((name) => name.includes("/")).sort(), written.map(({ type }) => type).sort());
    for (const name of names) assert.equal(typeof serve({ auto: [name] }), "function", name);
    assert.throws(() => serve({ auto: ["image/jxl"] }), /^TypeError: auto /);
    const chosen = async (auto, accept) => (await get(serve({ auto }), "/_img/100/auto/a.jpg", { headers: { accept } })).headers.get("content-type");
    assert.equal(await chosen(["image/webp"], "image/webp"), "image/webp");
    assert.equal(await chosen(["IMAGE/PNG", "webp"], "image/webp, Image/PNG"), "image/png");
    assert.equal(await chosen(["jpg"], "image/jpeg"), "image/jpeg");
    assert.equal(await chosen(["tif", "webp"], "image/tiff;q=0.5,image/webp"), "image/tiff");
    assert.equal(await chosen(["ico"], "image/x-icon"), "image/x-icon");
    assert.equal(await chosen(["webp"], "image/webp;level=1;q=0, image/*"), "image/jpeg");
    assert.equal(await chosen(["webp"], "ximage/webp, image/webpx, *" + "/*"), "image/jpeg");
    const source = () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>');
    const svg = await get(serve({ auto: ["svg"], source }), "/_img/100/auto/a.svg", { headers: { accept: "image/svg+xml" } });
    assert.equal(svg.headers.get("content-type"), "image/svg+xml");
  });

  test("a prefix gets its last slash, and is the path that URLs have", async () => {
    for (const [prefix, path] of [["/pictures", "/pictures/100/jpeg/a.jpg"], ["/my img/ü/", "/my%20img/%C3%BC/100/jpeg/a.jpg"], ["/", "/100/jpeg/a.jpg"]]) {
      const images = serve({ prefix });
      assert.equal((await get(images, path)).status, 200, prefix);
      if (prefix !== "/") assert.equal(await get(images, "/picturesque/100/jpeg/a.jpg"), undefined);
    }
    const { createLoader } = await consumer.import("filepress/next/loader");
    for (const prefix of ["/pictures", "/pictures/"]) assert.equal(createLoader({ prefix })({ src: "/a.jpg", width: 640 }), "/pictures/640/auto/a.jpg");
  });
});

describe("sizes", () => {
  const KEY = "secret";
  /** The options that compress gets for an address, apart from `limits` and `signal`. */
  async function optionsFor(path, settings) {
    let seen;
    const noting = (input, { limits, signal, ...options }) => ((seen = options), compress(input, options));
    const response = await get(serve({ compress: noting, key: KEY, allow: undefined, ...settings }), await signImage(path, KEY));
    return response.status === 200 ? seen : [response.status, (await response.json()).code];
  }

  test("defaults.resize holds where the URL says nothing else", async () => {
    const defaults = { resize: { maxWidth: 150, position: "attention", fit: undefined } };
    const resizeOf = async (path, settings = { defaults }) => (await optionsFor(path, settings)).resize;
    assert.deepEqual(await resizeOf("/_img/full/jpeg/a.jpg"), { maxWidth: 150 });
    assert.deepEqual(await resizeOf("/_img/100/jpeg/a.jpg"), { maxWidth: 100 });
    assert.deepEqual(await resizeOf("/_img/x90/jpeg/a.jpg"), { maxWidth: 150, maxHeight: 90 });
    assert.deepEqual(await resizeOf("/_img/80x60/jpeg/a.jpg"), { maxWidth: 150, width: 80, height: 60, fit: "cover", position: "attention" });
    assert.deepEqual(await resizeOf("/_img/80x60/jpeg/a.jpg?position=top"), { maxWidth: 150, width: 80, height: 60, fit: "cover", position: "top" });
    const padded = { defaults: { resize: { fit: "contain" } } };
    assert.deepEqual(await resizeOf("/_img/80x60/jpeg/a.jpg", padded), { width: 80, height: 60, fit: "contain" });
    assert.deepEqual(await resizeOf("/_img/80x60/jpeg/a.jpg?fit=fill", padded), { width: 80, height: 60, fit: "fill" });
    assert.deepEqual(defaults, { resize: { maxWidth: 150, position: "attention", fit: undefined } });
    assert.deepEqual(await optionsFor("/_img/full/jpeg/a.jpg?lossless", {}), { to: "jpeg", lossless: true, resize: undefined });
  });

  test("the fit of the query wins, and sides that differ from those of the path are refused", async () => {
    assert.deepEqual((await optionsFor("/_img/80x60/jpeg/a.jpg?fit=inside", {})).resize, { width: 80, height: 60, fit: "inside" });
    assert.deepEqual((await optionsFor("/_img/80x60/jpeg/a.jpg?width=80", {})).resize, { width: 80, height: 60, fit: "cover" });
    assert.deepEqual((await optionsFor("/_img/100/jpeg/a.jpg?width=80", {})).resize, { maxWidth: 100, width: 80 });
    for (const path of ["80x60/jpeg/a.jpg?width=81", "80x60/jpeg/a.jpg?height=a", "100/jpeg/a.jpg?maxWidth=50", "x100/jpeg/a.jpg?maxHeight=101"]) {
      assert.deepEqual(await optionsFor(`/_img/${path}`, {}), [400, "invalid_option"], path);
    }
  });
});

describe("geometry", () => {
  const KEY = "secret";
  const signed = async (query, size = "full") => get(serve({ key: KEY, allow: undefined, maxSide: 250 }), await signImage(`/_img/${size}/png/a.jpg?${query}`, KEY));

  test("crop, rotate, flip, fit, position and hdr of the query are those of compress", async () => {
    const cases = [
      ["crop=10,20,100,50", "full", { crop: { x: 10, y: 20, width: 100, height: 50 } }, [100, 50]],
      ["crop=10%25,25%25,50%25,12.5%25&rotate=90", "full", { crop: { x: "10%", y: "25%", width: "50%", height: "12.5%" }, rotate: 90 }, [25, 150]],
      ["rotate=270&flip=vertical", "100", { rotate: 270, flip: "vertical", resize: { maxWidth: 100 } }, [100, 150]],
      ["flip=horizontal&rotate=0", "full", { flip: "horizontal" }, [300, 200]],
      ["crop=0,0,200,200&position=bottom+right&hdr=keep", "80x40", { crop: { width: 200, height: 200 }, hdr: "keep", resize: { width: 80, height: 40, fit: "cover", position: "bottom right" } }, [80, 40]],
      ["position=top%20left&fit=contain&background=%23f00", "60x60", { background: "#f00", resize: { width: 60, height: 60, fit: "contain", position: "top left" } }, [60, 60]],
    ];
    for (const [query, size, options, sides] of cases) {
      const bytes = Buffer.from(await (await signed(query, size)).arrayBuffer());
      const expected = await compress(photo, { to: "png", ...options });
      assert.deepEqual([expected.width, expected.height], sides, query);
      assert.ok(bytes.equals(await expected.bytes()), query);
    }
  });

  test("wrong values are 400, and so are sides that exceed maxSide", async () => {
    const wrong = ["crop", "crop=", "crop=1,2,3", "crop=0,0,9,9,", "crop=0,0,9,9,9", "crop=a,b,c,d", "crop=,,9,9", "crop=0,0,0,9", "crop=-1,0,9,9", "crop=0,0,301,9", "crop=0,0,9.5,9", "crop=0,0,101%25,9", "crop=0,0,9,9&crop=0,0,9,9"];
    for (const query of [...wrong, "rotate", "rotate=45", "rotate=-90", "rotate=90deg", "flip", "flip=both", "flip=true", "hdr", "hdr=1", "fit=crop", "position=middle&fit=cover"]) {
      assert.deepEqual(await refusalOf(await signed(query, query.includes("fit") ? "80x60" : "full")), [400, "invalid_option"], query);
    }
    assert.deepEqual(await refusalOf(await signed("rotate=90&width=251")), [400, "size_not_allowed"]);
    assert.deepEqual(await refusalOf(await signed("overlay=a.png")), [400, "unknown_option"]);
  });

  test("they need a signature, which holds for them alone", async () => {
    const images = serve({ key: KEY });
    const path = await signImage("/_img/100/png/a.jpg?crop=0,0,200,100&rotate=90&flip=vertical&hdr=drop", KEY);
    assert.equal((await get(images, path)).status, 200);
    for (const [from, to] of [["200", "201"], ["90", "180"], ["vertical", "horizontal"], ["drop", "keep"], ["&rotate=90", ""]]) assert.deepEqual(await refusalOf(await get(images, path.replace(from, to))), [403, "bad_signature"], to);
    for (const query of ["crop=0,0,9,9", "rotate=90", "flip=vertical", "fit=inside", "position=top", "hdr=drop"]) {
      assert.deepEqual(await refusalOf(await get(images, `/_img/100/png/a.jpg?${query}`)), [403, "option_not_allowed"], query);
    }
  });
});

describe("memory", () => {
  const count = (settings) => {
    const counted = { calls: 0 };
    return [counted, serve({ compress: (...all) => (counted.calls++, compress(...all)), ...settings })];
  };

  test("keys contain only what a URL asks for, not the defaults", async () => {
    const read = () => assert.fail("the defaults are serialized");
    const images = serve({ compress: (input, { toJSON, ...options }) => compress(input, options), defaults: { toJSON: read } });
    assert.equal((await get(images)).status, 200);
    assert.equal((await get(images)).status, 200);
    const [counted, plain] = count({ key: "secret" });
    for (const path of ["/_img/100/jpeg/a.jpg", "/_img/full/jpeg/a.jpg", "/_img/100/png/a.jpg", "/_img/100/jpeg/b.jpg", await signImage("/_img/100/jpeg/a.jpg?effort=2", "secret")]) {
      for (const _ of [1, 2]) assert.equal((await get(plain, path)).status, 200);
    }
    assert.equal(counted.calls, 5);
  });

  test("cacheBytes counts the length of paths", async () => {
    const { outputSize } = await compress(photo, { to: "jpeg", resize: { maxWidth: 100 } });
    const [counted, images] = count({ cacheBytes: outputSize + 2000 });
    for (const _ of [1, 2]) await get(images, `/_img/100/jpeg/${"a".repeat(1500)}`);
    assert.equal(counted.calls, 1);
    for (const _ of [1, 2]) await get(images, `/_img/100/jpeg/${"b".repeat(2500)}`);
    assert.equal(counted.calls, 3);
  });
});

describe("images that differ by visitor", async () => {
  const cacheKey = (request) => request.headers.get("cookie") ?? "";
  const images = { "": photo, "user=a": await jpeg(320, 200, 2), "user=b": await jpeg(340, 200, 3) };
  /** The bytes for a visitor. */
  const bytesFor = async (server, cookie) => Buffer.from(await (await get(server, undefined, { headers: { cookie } })).arrayBuffer());
  const byCookie = async (path, { request }) => images[request.headers.get("cookie") ?? ""];

  test("cacheKey keeps them apart, in memory and among simultaneous requests", async () => {
    let calls = 0;
    const server = serve({ source: (...all) => (calls++, byCookie(...all)), cacheKey });
    const expected = {};
    for (const cookie in images) expected[cookie] = Buffer.from(await (await compress(images[cookie], { to: "jpeg", resize: { maxWidth: 100 } })).bytes());
    for (const _ of [1, 2]) {
      const cookies = Object.keys(images).flatMap((cookie) => [cookie, cookie]);
      const all = await Promise.all(cookies.map((cookie) => bytesFor(server, cookie)));
      for (const [index, cookie] of cookies.entries()) assert.ok(all[index].equals(expected[cookie]), cookie);
    }
    assert.equal(calls, 3);
    const etag = (await get(server, undefined, { headers: { cookie: "user=a" } })).headers.get("etag");
    assert.equal((await get(server, undefined, { headers: { cookie: "user=a", "if-none-match": etag } })).status, 304);
    assert.equal((await get(server, undefined, { headers: { cookie: "user=b", "if-none-match": etag } })).status, 200);
  });

  test("their headers say so, unless options say otherwise", async () => {
    const headersOf = async (settings, path) => {
      const { headers } = await get(serve(settings), path, { headers: { accept: "image/webp" } });
      return [headers.get("cache-control"), headers.get("vary")];
    };
    const auto = "/_img/100/auto/a.jpg";
    assert.deepEqual(await headersOf({ cacheKey }), ["private, no-cache", "cookie, authorization"]);
    assert.deepEqual(await headersOf({ cacheKey }, auto), ["private, no-cache", "accept, cookie, authorization"]);
    assert.deepEqual(await headersOf({ cacheKey, cacheControl: "public, max-age=9", vary: "" }), ["public, max-age=9", null]);
    assert.deepEqual(await headersOf({ cacheKey, vary: "X-Tenant", cacheControl: undefined }, auto), ["private, no-cache", "accept, X-Tenant"]);
    assert.deepEqual(await headersOf({}, auto), ["public, max-age=86400, stale-while-revalidate=604800", "accept"]);
    assert.deepEqual((await headersOf({}))[1], null);
  });

  test("a cacheKey that throws or returns no string is 500 and shares nothing", async () => {
    for (const wrong of [() => undefined, () => null, () => 1, async () => "a", () => ({}), () => { throw { kind: "input", code: "token", message: "token" }; }]) {
      let errors = 0;
      const server = serve({ cacheKey: wrong, source: assert.fail, onError: () => errors++ });
      assert.deepEqual([await refusalOf(await get(server)), errors], [[500, "internal"], 1]);
    }
  });

  test("no cacheKey can be made to look like another with another path", async () => {
    const seen = new Set();
    const server = serve({ source: (path, { request }) => (seen.add(`${request.headers.get("cookie")} ${path}`), photo), cacheKey });
    for (const [cookie, path] of [['a","b', "c.jpg"], ["a", 'b","c.jpg'], ["a", "c.jpg"], ["", "c.jpg"]]) await get(server, `/_img/100/jpeg/${encodeURIComponent(path)}`, { headers: { cookie } });
    assert.equal(seen.size, 4);
  });
});

describe("filepress/next", () => {
  test("members that are undefined count as absent", async () => {
    const { createImageRoute } = await consumer.import("filepress/next");
    const none = Object.fromEntries(["compress", "prefix", "sizes", "qualities", "formats", "key", "auto", "limits", "allow"].map((name) => [name, undefined]));
    const { GET } = createImageRoute({ ...none, source: () => photo });
    assert.equal((await get(GET, "/img/64/auto/a.jpg?quality=75")).status, 200);
    assert.equal((await get(GET, "/img/64/webp/a.jpg")).status, 403);
    assert.equal((await get(createImageRoute({ source: undefined }).GET, "/img/64/auto/a.jpg")).status, 404);
  });
});
