// The package in a page of each browser engine, under a strict Content-Security-Policy.
import { strict as assert } from "node:assert";
import { after, describe, test } from "node:test";
import { createEngineProject } from "./support/browser-project.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { ENGINES } from "./support/engines.mjs";
import { jxl } from "./support/foreign.mjs";
import { outcomeOf } from "./support/outcome.mjs";
import { photo } from "./support/pictures.mjs";
import { sample, toSharp } from "./support/samples.mjs";

const small = await sample("baseline.jpg");
const large = await toSharp(photo(4000, 3000)).removeAlpha().jpeg({ quality: 90 }).toBuffer();
const made = new Map([["/small.jpg", small], ["/large.jpg", large], ["/words.txt", Buffer.from("just some words")], ["/gradient.jxl", jxl]]);
for (const name of ["lossy.avif", "deflated.tiff", "plain.exr", "coded.hdr", "plain.dds", "drawn.svg"]) made.set(`/${name}`, await sample(name));
made.set("/picture.png", await sample("palette.png"));
const huge = await toSharp(photo(8000, 6000)).removeAlpha().jpeg({ quality: 80 }).toBuffer();
made.set("/huge.jpg", huge);
const consumer = createConsumer();
const { compress } = await consumer.import();
const hugeInNode = await outcomeOf(await compress(huge));

for (const [engine, launch] of Object.entries(ENGINES)) {
  describe(engine, async () => {
    const browser = await launch();
    const { page, requests, close } = await createEngineProject(consumer, browser, made).open();
    after(() => close().then(() => browser.close()));

    test("importing loads scripts and nothing else", () => {
      assert.deepEqual(requests.filter((path) => !/\.(m?js|html)$/.test(path)), []);
    });

    test("the policy is in force where the tests call", async () => {
      assert.equal(await page.evaluate(() => allowsEval()), false);
    });

    test("a File becomes smaller, and the browser can show it", async () => {
      const result = await page.evaluate(() => compressFile("/small.jpg"));
      assert.deepEqual([result.type, result.name, result.inputSize], ["image/jpeg", "small.jpg", small.length]);
      assert.deepEqual([result.size, result.decoded, result.blobSize], [[160, 104], [160, 104], result.outputSize]);
      assert.ok(result.outputSize < small.length);
    });

    test("of a Response no more is read than the limit allows, and an abort ends its download", async () => {
      const outcomes = await page.evaluate(() =>
        asPage(async () => {
          const controller = new AbortController();
          const cancelled = [];
          const endless = (pull) => new Response(new ReadableStream({ pull, cancel: (reason) => void cancelled.push(reason.code ?? reason) }));
          const long = endless((stream) => stream.enqueue(new Uint8Array(65_536)));
          const refused = await attempt(long, { limits: { maxInputBytes: 100_000 } });
          const call = filepress.compress(endless(() => new Promise(() => {})), { signal: controller.signal });
          controller.abort("enough");
          return [refused.code, refused.details, await call.catch((reason) => reason), cancelled];
        }),
      );
      assert.deepEqual(outcomes, ["input_too_large", { actual: 131_072, limit: 100_000 }, "enough", ["input_too_large", "enough"]]);
    });

    test("only the builds that are needed are fetched, once", async () => {
      const fetched = () => requests.filter((path) => path.endsWith(".wasm")).map((path) => path.match(/wasm\/(\w+)\//)[1]);
      const turnsInto = async (...types) => {
        for (const to of types) {
          const { decoded, type } = await page.evaluate((to) => compressFile("/small.jpg", { to, resize: { maxWidth: 80 } }), to);
          assert.deepEqual(decoded, [80, 52], type);
        }
      };
      await turnsInto("jpeg", "webp");
      assert.deepEqual(fetched(), ["client", "photo"]);
      await turnsInto("png", "webp", "gif", "bmp", "ico", "jpeg");
      assert.deepEqual(fetched(), ["client", "photo", "core"]);
    });

    test("AVIF has a build that makes it of photos, one for other pictures, the full build is fetched for the first file that needs it, and each is fetched once", async () => {
      const fetched = () => ["photo_avif", "avif", "full"].map((build) => requests.filter((path) => path.endsWith(`wasm/${build}/filepress_bg.wasm`)).length);
      assert.deepEqual(fetched(), [0, 0, 0]);
      for (const [path, ...counts] of [["/small.jpg", 1, 0, 0], ["/small.jpg", 1, 0, 0], ["/picture.png", 1, 1, 0], ["/small.jpg", 1, 1, 0]]) {
        const avif = await page.evaluate((path) => compressFile(path, { to: "avif", resize: { maxWidth: 80 } }), path);
        assert.deepEqual([avif.type, avif.decoded], ["image/avif", [80, 52]]);
        assert.deepEqual(fetched(), counts);
      }
      for (const [path] of [...made].filter(([path]) => /\.(avif|tiff|exr|hdr|dds|svg)$/.test(path))) {
        const { type, decoded, message } = await page.evaluate((path) => compressFile(path, { to: "webp" }), path);
        assert.deepEqual([type, decoded], ["image/webp", [160, 104]], `${path}: ${message}`);
      }
      assert.deepEqual(fetched(), [1, 1, 1]);
    });

    test("errors are of the package's classes", async () => {
      const { name, code, ours } = await page.evaluate(() => compressFile("/words.txt"));
      assert.deepEqual([name, code, ours], ["InputError", "unsupported_type", true]);
    });

    test("JPEG XL is read by a build that is fetched for the first such file, and a decoder of the page goes first", async () => {
      const fetched = () => requests.filter((path) => path.endsWith("wasm/jxl/filepress_bg.wasm")).length;
      assert.equal(fetched(), 0);
      const [outcome, again, own] = await page.evaluate(async () => {
        const outcome = await compressFile("/gradient.jxl");
        const again = await compressFile("/gradient.jxl", { to: "webp" });
        const drawn = () => createImageBitmap(Object.assign(document.createElement("canvas"), { width: 7, height: 5 }));
        await asPage(() => filepress.init({ decoders: { "image/jxl": drawn } }));
        const own = await compressFile("/gradient.jxl");
        await asPage(() => filepress.init({ decoders: {} }));
        return [outcome, again, own];
      });
      assert.deepEqual([outcome.type, outcome.name, outcome.decoded], ["image/jpeg", "gradient.jpg", [24, 16]], outcome.message);
      assert.deepEqual([again.type, again.decoded], ["image/webp", [24, 16]]);
      assert.equal(fetched(), 1);
      if (!engine.includes("resists")) assert.deepEqual([own.type, own.decoded, own.message], ["image/webp", [7, 5], undefined]);
    });

    test("abort() ends a running call at once, and the pool goes on", async () => {
      for (let round = 0; round < 3; round++) {
        const { name, isDomException, next } = await page.evaluate(async () => {
          const controller = new AbortController();
          const input = await file("/large.jpg");
          const call = new Promise((resolve, reject) => {
            const onProgress = ({ phase }) => phase === "encode" && resolve({ compressing });
            const compressing = asPage(() => filepress.compress(input, { signal: controller.signal, onProgress }));
            compressing.catch(() => {});
            compressing.then(reject, reject);
          });
          const { compressing } = await call;
          controller.abort();
          const late = new Promise((resolve) => setTimeout(resolve, 100, new Error("100 ms have passed")));
          const error = await Promise.race([compressing.catch((thrown) => thrown), late]);
          return { name: error.name, isDomException: error instanceof DOMException, next: await compressFile("/small.jpg") };
        });
        assert.deepEqual([name, isDomException], ["AbortError", true]);
        assert.deepEqual(next.decoded, [160, 104]);
      }
    });

    test("a photo of 48 megapixels becomes the bytes that it becomes in Node", async () => {
      assert.deepEqual(await page.evaluate(() => outcomeAt("/huge.jpg")), hugeInNode);
    });

    test("wrong and odd calls say what came, and what to write", async () => {
      assert.deepEqual(await page.evaluate(() => oddCallsAt("/small.jpg")), []);
    });

    test("what a page holds is an input: canvases, bitmaps, ImageData; and elements say what to pass", async () => {
      const told = await page.evaluate(async () => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 30, height: 20 });
        const context = canvas.getContext("2d");
        context.fillStyle = "#396";
        context.fillRect(0, 0, 30, 20);
        const offscreen = new OffscreenCanvas(30, 20);
        offscreen.getContext("2d").drawImage(canvas, 0, 0);
        const inputs = { canvas, offscreen, bitmap: await createImageBitmap(canvas), data: context.getImageData(0, 0, 30, 20) };
        const told = {};
        for (const [name, input] of Object.entries(inputs)) {
          const { type, width, height, blob } = await filepress.compress(input);
          const pixels = await filepress.decode(blob);
          told[name] = [type, width, height, [...pixels.data.slice(-4)]];
        }
        inputs.bitmap.close();
        const element = Object.assign(document.createElement("input"), { type: "file" });
        const others = { closed: inputs.bitmap, empty: new OffscreenCanvas(0, 5), image: new Image(), element, files: element.files, context };
        for (const [name, input] of Object.entries(others)) told[name] = await filepress.compress(input).catch(({ code, message }) => `${code} ${message.split(/[.,:;]/)[0]}`);
        return told;
      });
      // A canvas that resists fingerprinting gives other pixels than it has.
      const pixels = engine.includes("resists") ? ["data"] : ["canvas", "offscreen", "bitmap", "data"];
      for (const name of pixels) assert.deepEqual(told[name].slice(0, 3), ["image/png", 30, 20], name);
      if (!engine.includes("resists")) for (const name of pixels) assert.deepEqual(told[name][3], [51, 153, 102, 255], name);
      assert.deepEqual(
        [told.closed, told.empty, told.image, told.element, told.files, told.context],
        [
          "unreadable_input The ImageBitmap cannot be read",
          "unreadable_input The OffscreenCanvas cannot be read",
          "unreadable_input Got an HTMLImageElement",
          "unreadable_input Got an HTMLInputElement",
          "unreadable_input Got a FileList",
          "unreadable_input Got a CanvasRenderingContext2D",
        ],
      );
    });

    test("a frame of a video is an input where the engine has frames", async () => {
      const told = await page.evaluate(async () => {
        if (typeof VideoFrame !== "function") return "none";
        const frame = new VideoFrame(new Uint8Array(16 * 8 * 4).fill(255), { format: "RGBA", codedWidth: 16, codedHeight: 8, timestamp: 0 });
        const { type, width, height } = await filepress.compress(frame);
        frame.close();
        return [type, width, height].join();
      });
      assert.ok(["none", "image/png,16,8"].includes(told), told);
    });
  });
}
