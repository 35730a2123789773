// HDR is lost or kept, an animation is lost, an original is kept, a watermark is laid over an image, one with too many pixels is resized, and the browser reads
// a format that the package does not, if it can.
import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import sharp from "sharp";
import { jxl } from "../../package/support/foreign.mjs";
import { sample } from "../../package/support/samples.mjs";
import { createConsumer } from "../../package/support/consumer.mjs";
import { withGainMap } from "../../package/support/formats/gain-map.mjs";
import { until } from "../../package/support/until.mjs";
import { CATALOG } from "../../../www/text/en.js";
import { photoFile } from "../support/visitor.mjs";

const { compress, inspect } = await createConsumer().import();
/** A photo with a gain map; a gray one, a mark for it, and a strip that is read at an eighth of its size. */
const plain = await photoFile("hdr.jpg");
const map = await sharp(plain.buffer).resize(90, 60).grayscale().jpeg().toBuffer();
const hdr = { ...plain, buffer: withGainMap(plain.buffer, map, { xmp: true, iso: true }) };
const solid = (width, height, background) => sharp({ create: { width, height, channels: 3, background } });
const gray = { name: "gray.jpg", buffer: await solid(400, 300, "#808080").jpeg({ quality: 95 }).toBuffer() };
const mark = { name: "mark.png", buffer: await solid(60, 60, "#ff0000").png().toBuffer() };
const strip = { name: "strip.jpg", buffer: await solid(64_000, 1600, "#4080c0").jpeg().toBuffer() };

/** @param visitor an EngineVisitor. */
export const testLosses = (visitor) =>
  describe("losses", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);

    test("HDR is lost, and kept by one click", async () => {
      await visitor.addAlone(hdr);
      await visitor.finished("HDR lost");
      assert.equal((await inspect(await visitor.result())).hasGainMap, false);
      await evaluate(() => document.querySelector(".keep-hdr").click());
      await visitor.finished("");
      assert.equal((await inspect(await visitor.result())).hasGainMap, true);
    });

    test("of an animation that becomes a picture, that is said, and it is no saving", async () => {
      await visitor.addAlone({ name: "moving.gif", buffer: Buffer.from(await sample("animated.gif", [320, 200])) });
      await visitor.finished("");
      await visitor.pick("image-to", "image/jpeg");
      await visitor.finished("Animation lost");
      assert.equal(await evaluate(() => document.getElementById("total-saved").textContent), "–");
    });

    test("why an original was kept is said on its card", async () => {
      const { optimized, fits } = CATALOG.card;
      const status = () => evaluate(() => document.querySelector(".card-status").textContent);
      const small = await compress(plain.buffer, { quality: 20 });
      await visitor.addAlone({ name: "small.jpg", buffer: Buffer.from(await small.blob.arrayBuffer()) });
      await visitor.finished("");
      assert.equal(await status(), optimized);
      await evaluate(() => document.getElementById("aim-size").click());
      await until(async () => (await status()) === fits);
    });

    test("JPEG XL becomes a JPEG in every browser", async () => {
      await visitor.addAlone({ name: "gradient.jxl", buffer: jxl });
      const [{ state, save }] = await visitor.settled();
      assert.deepEqual({ state, save }, { state: "done", save: "gradient.jpg" });
      assert.match(await evaluate(() => document.querySelector(".card-status").textContent), /On this device/);
    });

    test("a watermark is laid over an image, and taken off", async () => {
      await visitor.addAlone(gray);
      await visitor.finished("");
      const corner = async () => [...(await sharp(await visitor.result()).extract({ left: 360, top: 260, width: 1, height: 1 }).raw().toBuffer())];
      const link = () => evaluate(() => document.querySelector(".card .save").href);
      const before = await link();
      await evaluate(() => (document.getElementById("watermark").open = true));
      await visitor.choose("watermark-file", mark);
      await until(async () => (await link()) !== before);
      const [red, green, blue] = await corner();
      assert.ok(red > 178 && green < 78 && blue < 78, `${red}, ${green}, ${blue}`);
      const marked = await link();
      await evaluate(() => document.getElementById("watermark-remove").click());
      await until(async () => (await link()) !== marked);
      assert.ok((await corner()).every((value) => Math.abs(value - 128) < 4));
    });

    test("an image of more than 100 megapixels is resized by one click", async () => {
      await visitor.addAlone(strip);
      await until(() => evaluate(() => document.querySelector(".card")?.dataset.state === "no-server"));
      assert.equal(await evaluate(() => document.querySelector(".shrink").textContent), "Resize to 8192 px");
      await evaluate(() => document.querySelector(".shrink").click());
      await visitor.finished("");
      const { width, height } = await sharp(await visitor.result()).metadata();
      assert.deepEqual([width, height], [8192, 205]);
    });
  });
