// The main flow of the demo page in Firefox and WebKit: photos are chosen, compressed, converted, compared, keep their HDR, get a watermark,
// are resized where they have too many pixels, are sorted and filtered, and work offline; settings can be shared.
import { strict as assert } from "node:assert";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { ENGINES } from "../package/support/engines.mjs";
import { withGainMap } from "../package/support/formats/gain-map.mjs";
import { until } from "../package/support/until.mjs";
import { serve } from "../../scripts/serve.mjs";
import { formatSize } from "../../www/formatting.js";
import { drawing } from "./support/drawing.mjs";
import { photoFile } from "./support/visitor.mjs";
import { createConsumer } from "../package/support/consumer.mjs";

const { compress, inspect } = await createConsumer().import();
const photos = await Promise.all([1, 2, 3].map((seed) => photoFile(`photo ${seed}.jpg`, { seed, width: 1200, height: 800 })));
const { Chromium: _, ...others } = ENGINES;

/** A photo with a gain map; a gray one, a mark for it, and a strip that is read at an eighth of its size. */
const plain = await photoFile("hdr.jpg");
const map = await sharp(plain.buffer).resize(90, 60).grayscale().jpeg().toBuffer();
const hdr = { ...plain, buffer: withGainMap(plain.buffer, map, { xmp: true, iso: true }) };
const solid = (width, height, background) => sharp({ create: { width, height, channels: 3, background } });
const gray = { name: "gray.jpg", buffer: await solid(400, 300, "#808080").jpeg({ quality: 95 }).toBuffer() };
const mark = { name: "mark.png", buffer: await solid(60, 60, "#ff0000").png().toBuffer() };
const strip = { name: "strip.jpg", buffer: await solid(64_000, 1600, "#4080c0").jpeg().toBuffer() };

/** What is chosen in a field of the page. Browsers let no script write a path there, but a list of files. */
function choose({ field = "file", files }) {
  const list = new DataTransfer();
  for (const { name, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    list.items.add(new File([bytes], name, { type: "image/jpeg" }));
  }
  const input = document.getElementById(field);
  input.files = list.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

function readCards() {
  const read = (card) => ({
    name: card.querySelector(".card-name").title,
    state: card.dataset.state,
    sizes: card.querySelector(".card-sizes").textContent,
    save: card.querySelector(".save").download,
    thumbnail: card.querySelector(".thumb canvas") !== null,
  });
  return [...document.querySelectorAll(".card")].map(read);
}

/** Lets results be read from here on: the page's policy lets no script fetch them. */
function recordResults() {
  const { createObjectURL } = URL;
  globalThis.results = new Map();
  URL.createObjectURL = (blob) => {
    const url = createObjectURL.call(URL, blob);
    globalThis.results.set(url, blob);
    return url;
  };
}

/** The bytes of the first card's result, in base64. */
function readResult() {
  const reader = new FileReader();
  reader.readAsDataURL(globalThis.results.get(document.querySelector(".card .save").href));
  return new Promise((resolve) => {
    reader.onload = () => resolve(reader.result.split(",")[1]);
  });
}

for (const [engine, launch] of Object.entries(others)) {
  describe(engine, () => {
    let site;
    let browser;
    let page;
    before(async () => {
      site = await serve();
      browser = await launch();
      page = await browser.open(site.url);
      await until(() => page.evaluate(() => document.readyState === "complete"));
    });
    after(async () => {
      await browser.close();
      await site.close();
    });

    const encoded = ({ name, buffer }) => ({ name, base64: buffer.toString("base64") });
    const add = (...files) => page.evaluate(choose, { files: files.map(encoded) });
    const settled = async () => {
      await until(async () => (await page.evaluate(readCards)).every(({ state }) => state !== "reading" && state !== "working"));
      return page.evaluate(readCards);
    };
    /** Adds a file in the place of those before, with no settings. */
    const addAlone = async (file) => {
      await page.evaluate(() => {
        document.getElementById("clear").click();
        document.getElementById("preset-reset").click();
      });
      await add(file);
    };
    /** Resolves when the only card has a result with these words about what was lost. */
    const finished = (loss) =>
      until(() =>
        page.evaluate((loss) => {
          const card = document.querySelector(".card");
          return card?.dataset.state === "done" && (card.querySelector(".loss")?.textContent ?? "") === loss;
        }, loss),
      );
    const saved = async () => Buffer.from(await page.evaluate(readResult), "base64");
    const expected = async (options, extension) =>
      Promise.all(
        photos.map(async ({ name, buffer }) => {
          const { outputSize } = await compress(buffer, options);
          return { name, state: "done", sizes: `${formatSize(buffer.length)} → ${formatSize(outputSize)}`, save: name.replace("jpg", extension), thumbnail: true };
        }),
      );

    test("photos become as small as in Node", async () => {
      await add(...photos);
      await until(() => page.evaluate(() => document.querySelectorAll(".card").length === 3));
      assert.deepEqual(await settled(), await expected({}, "jpg"));
    });

    test("another format is chosen for all of them", async () => {
      await page.evaluate(() => {
        const select = document.getElementById("image-to");
        select.value = "image/webp";
        for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
      });
      await until(async () => (await page.evaluate(readCards)).every(({ save }) => save.endsWith(".webp")));
      assert.deepEqual(await settled(), await expected({ to: "webp" }, "webp"));
    });

    test("original and result are compared", async () => {
      await page.evaluate(() => document.querySelector(".compare").click());
      const sizes = await until(() =>
        page.evaluate(() => {
          const widths = [...document.querySelectorAll(".layer img")].map(({ naturalWidth }) => naturalWidth);
          return widths.length === 2 && widths.every((width) => width > 0) ? widths : null;
        }),
      );
      assert.deepEqual(sizes, [1200, 1200]);
      await page.evaluate(() => document.getElementById("compare-close").click());
      assert.equal(await page.evaluate(() => document.getElementById("compare").open), false);
    });

    test("quality is changed in the comparison, Back closes it, and a removed card comes back", async () => {
      await page.evaluate(() => document.querySelector(".compare").click());
      await until(() => page.evaluate(() => document.querySelectorAll(".layer img").length === 2));
      await page.evaluate(() => {
        const slider = document.getElementById("compare-quality");
        slider.value = "30";
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      });
      const quality = () => page.evaluate(() => document.getElementById("facts-after").textContent);
      await until(async () => (await quality()).includes("Quality30"));
      await page.evaluate(() => history.back());
      await until(() => page.evaluate(() => !document.getElementById("compare").open));
      const before = await settled();
      await page.evaluate(() => document.querySelectorAll(".remove")[1].click());
      assert.equal((await page.evaluate(readCards)).length, 2);
      await page.evaluate(() => document.getElementById("undo-do").click());
      assert.deepEqual(await page.evaluate(readCards), before);
    });

    test("a card offers formats, and one click takes one", async () => {
      await page.evaluate(() => {
        document.getElementById("clear").click();
        const select = document.getElementById("image-to");
        select.value = "";
        for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
      });
      const { name, buffer } = await drawing("drawing.png");
      await add({ name, buffer });
      const words = () => page.evaluate(() => [...document.querySelectorAll(".card-offers button")].map(({ textContent }) => textContent));
      const labels = await until(async () => {
        const found = await words();
        return found.length === 3 && found.every((label) => /\d (?:bytes|[kM]B)/.test(label)) && found;
      });
      const smallest = labels.find((label) => label.includes("%"));
      const saving = () => page.evaluate(() => document.querySelector(".card-saved").textContent);
      assert.ok(!smallest.includes(await saving()));
      await page.evaluate(() => document.querySelector(".card-offers [data-smallest]").click());
      await until(async () => smallest.includes(await saving()));
      assert.equal(await page.evaluate(() => document.querySelector('.card-offers [aria-pressed="true"]').hasAttribute("data-smallest")), true);
    });

    test("effort and lossless are changed in the comparison", async () => {
      await page.evaluate(() => document.querySelector(".compare").click());
      await until(() => page.evaluate(() => document.querySelectorAll(".layer img").length === 2));
      await page.evaluate(() => {
        const select = document.getElementById("compare-to");
        select.value = "image/webp";
        select.dispatchEvent(new Event("change", { bubbles: true }));
      });
      await until(() => page.evaluate(() => document.getElementById("compare-save").download === "drawing.webp"));
      const result = () => page.evaluate(() => document.getElementById("compare-save").href);
      const lossy = await result();
      await page.evaluate(() => document.getElementById("compare-lossless").click());
      await until(async () => (await result()) !== lossy);
      const lossless = await result();
      await page.evaluate(() => {
        const slider = document.getElementById("compare-effort");
        slider.value = "0";
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await until(async () => (await result()) !== lossless);
      await page.evaluate(() => document.getElementById("compare-close").click());
    });

    test("HDR is lost, and kept by one click", async () => {
      await page.evaluate(recordResults);
      await addAlone(hdr);
      await finished("HDR lost");
      assert.equal((await inspect(await saved())).hasGainMap, false);
      await page.evaluate(() => document.querySelector(".keep-hdr").click());
      await finished("");
      assert.equal((await inspect(await saved())).hasGainMap, true);
    });

    test("a watermark is laid over an image, and taken off", async () => {
      await addAlone(gray);
      await finished("");
      const corner = async () => [...(await sharp(await saved()).extract({ left: 360, top: 260, width: 1, height: 1 }).raw().toBuffer())];
      const before = await page.evaluate(() => document.querySelector(".card .save").href);
      await page.evaluate(() => (document.getElementById("watermark").open = true));
      await page.evaluate(choose, { field: "watermark-file", files: [encoded(mark)] });
      await until(() => page.evaluate((before) => document.querySelector(".card .save").href !== before, before));
      const [red, green, blue] = await corner();
      assert.ok(red > 178 && green < 78 && blue < 78, `${red}, ${green}, ${blue}`);
      const marked = await page.evaluate(() => document.querySelector(".card .save").href);
      await page.evaluate(() => document.getElementById("watermark-remove").click());
      await until(() => page.evaluate((marked) => document.querySelector(".card .save").href !== marked, marked));
      assert.ok((await corner()).every((value) => Math.abs(value - 128) < 4));
    });

    test("an image of more than 100 megapixels is resized by one click", async () => {
      await addAlone(strip);
      await until(() => page.evaluate(() => document.querySelector(".card")?.dataset.state === "no-server"));
      assert.equal(await page.evaluate(() => document.querySelector(".shrink").textContent), "Resize to 8192 px");
      await page.evaluate(() => document.querySelector(".shrink").click());
      await finished("");
      const { width, height } = await sharp(await saved()).metadata();
      assert.deepEqual([width, height], [8192, 205]);
    });

    test("presets are in the address, are taken back, and come from it", async () => {
      await page.evaluate(() => {
        document.getElementById("clear").click();
        document.querySelector('[data-preset="avatar"]').click();
      });
      const hash = await until(() => page.evaluate(() => location.hash.length > 1 && location.hash));
      const pressed = () => page.evaluate(() => document.querySelector('[data-preset="avatar"]').getAttribute("aria-pressed") === "true");
      assert.equal(await pressed(), true);
      await page.evaluate(() => document.getElementById("preset-reset").click());
      assert.equal(await pressed(), false);
      // The address follows a little later.
      await until(() => page.evaluate((hash) => location.hash !== hash, hash));
      await page.evaluate((hash) => void (location.hash = hash), hash);
      await until(pressed);
    });

    test("many files are sorted and filtered; the failed are removed, and come back", async () => {
      await addAlone({ name: "broken.jpg", buffer: plain.buffer.subarray(0, 900) });
      await add(photos[2], photos[0]);
      await until(async () => (await page.evaluate(readCards)).length === 3);
      await settled();
      const names = () => page.evaluate(() => [...document.querySelectorAll(".card")].filter((card) => card.checkVisibility()).map((card) => card.querySelector(".card-name").title));
      const pick = (id, value) =>
        page.evaluate(
          ({ id, value }) => {
            const select = document.getElementById(id);
            select.value = value;
            for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
          },
          { id, value },
        );
      await pick("sort", "name");
      assert.deepEqual(await names(), ["broken.jpg", "photo 1.jpg", "photo 3.jpg"]);
      await pick("filter", "failed");
      assert.deepEqual(await names(), ["broken.jpg"]);
      await pick("filter", "");
      await page.evaluate(() => document.getElementById("remove-failed").click());
      assert.deepEqual(await names(), ["photo 1.jpg", "photo 3.jpg"]);
      await page.evaluate(() => document.getElementById("undo-do").click());
      assert.deepEqual(await names(), ["broken.jpg", "photo 1.jpg", "photo 3.jpg"]);
      await pick("sort", "");
    });

    test("the sample picture is compressed, and nothing was uploaded", async () => {
      await page.evaluate(() => {
        document.getElementById("clear").click();
        document.getElementById("preset-reset").click();
        document.getElementById("sample").click();
      });
      await finished("");
      await page.evaluate(() => document.getElementById("pledge").click());
      assert.equal(await page.evaluate(() => document.getElementById("privacy-bytes").textContent), "0 bytes uploaded");
      await page.evaluate(() => document.getElementById("privacy-close").click());
    });

    test("the page's files are kept for offline use", async () => {
      const kept = () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration();
          return registration?.active ? (await caches.keys()).length : 0;
        });
      assert.ok((await until(kept)) >= 1);
    });
  });
}
