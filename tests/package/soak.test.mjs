// Many calls at once in each browser engine, while the machine is busy: each gives Node's bytes or Node's error.
// `make soak-engines` runs all 2,000 calls in each.
import { strict as assert } from "node:assert";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { Worker } from "node:worker_threads";
import { createEngineProject } from "./support/browser-project.mjs";
import { createConsumer } from "./support/consumer.mjs";
import { ENGINES } from "./support/engines.mjs";
import { outcomeOf } from "./support/outcome.mjs";
import { createRandom, scaled } from "./support/scale.mjs";
import { samples } from "./support/samples.mjs";

const COUNT = scaled(2000);
/** How many calls run together, and how many are asked for at once. */
const AT_ONCE = 4;
const BATCH = 40;

const OPTIONS = [{}, { targetSize: 2500 }, { targetSize: 1200, to: "webp" }, { to: "webp" }, { to: "jpeg", quality: 95 }, { quality: 40, resize: { maxWidth: 77 } }, { to: "png" }, { lossless: true }];
const NAMES = ["baseline.jpg", "progressive.jpg", "cmyk.jpg", "rgba.png", "lossy.webp", "animated.gif"];

const consumer = createConsumer();
const { compress } = await consumer.import();
const inputs = await samples([160, 104], NAMES);
const calls = NAMES.flatMap((name) => OPTIONS.map((options) => ({ name, options })));
const outcomes = await Promise.all(calls.map(({ name, options }) => compress(inputs.get(name), options).then(outcomeOf, ({ code }) => ({ code }))));
const made = new Map([...inputs].map(([name, bytes]) => [`/${name}`, bytes]));

/** Two threads that never rest. */
const busy = [0, 1].map(() => new Worker("for (;;);", { eval: true }));
after(() => Promise.all(busy.map((thread) => thread.terminate())));

/** Runs a batch in the page; resolves to what each call came to. */
async function inPage({ batch, atOnce }) {
  const queue = batch.map((call, index) => ({ ...call, index }));
  const told = [];
  const lane = async () => {
    for (let call = queue.pop(); call; call = queue.pop()) {
      const { index, name, options } = call;
      told[index] = await outcomeAt(`/${name}`, options).catch(({ code, message }) => ({ code: code ?? message }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return told;
}

for (const [engine, launch] of Object.entries(ENGINES)) {
  describe(engine, () => {
    let browser;
    let project;
    before(async () => {
      browser = await launch();
      project = await createEngineProject(consumer, browser, made).open();
    });
    after(() => project.close().then(() => browser.close()));

    test(`${COUNT} calls on a busy machine give Node's results`, async () => {
      const random = createRandom(2000);
      const picks = Array.from({ length: COUNT }, () => Math.floor(random() * calls.length));
      const wrong = [];
      for (let start = 0; start < COUNT; start += BATCH) {
        const part = picks.slice(start, start + BATCH);
        const told = await project.page.evaluate(inPage, { batch: part.map((pick) => calls[pick]), atOnce: AT_ONCE });
        for (const [index, pick] of part.entries()) {
          if (!isDeepStrictEqual(told[index], outcomes[pick])) wrong.push(`call ${start + index}, ${JSON.stringify(calls[pick])}: ${JSON.stringify(told[index])}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  });
}
