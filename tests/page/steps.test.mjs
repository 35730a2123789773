// Five tasks, each by keyboard alone and by touch alone, with as few steps as the page needs; the numbers are printed. The files that
// come of them are what the task asked for.
import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { Steps } from "./support/steps.mjs";
import { unzip } from "./support/unzip.mjs";
import { decoded, photoFile, visit } from "./support/visitor.mjs";

const site = await serve();
const folder = await mkdtemp(join(tmpdir(), "filepress-steps-"));
const holiday = join(folder, "holiday");
after(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});
const one = await photoFile("photo.jpg", { width: 900, height: 600 });
const thirty = await Promise.all(Array.from({ length: 30 }, (_, index) => photoFile(`photo ${index + 1}.jpg`, { seed: index + 1 })));
const large = await photoFile("large.jpg", { large: true });
await mkdir(join(holiday, "day 2"), { recursive: true });
await writeFile(join(holiday, "first.jpg"), thirty[0].buffer);
await writeFile(join(holiday, "day 2", "second.jpg"), thirty[1].buffer);

const TOUCH = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** A visitor whose steps are counted, and what a task needs: `saved(step)` is the file that a step downloads. */
async function begin(options) {
  const visitor = await visit({ origin: site, ...options });
  const { page } = visitor;
  // Who listens from here on has the dialog kept away long before a key opens it.
  const steps = new Steps(page);
  // A catalog of texts may arrive after the page, and with it what listens to keys.
  await page.waitForFunction(() => document.querySelector("#keys-list kbd"));
  // The folder of this origin stands for one that the visitor picks, which no test can.
  await page.evaluate(() => (globalThis.showDirectoryPicker = () => navigator.storage.getDirectory()));
  const saved = (step) => visitor.download({ click: step });
  return { ...visitor, steps, saved };
}

const converted = ({ page }, extension, count) =>
  page.waitForFunction(
    ([end, count]) => [...document.querySelectorAll('.card[data-state="done"] .save')].filter(({ download }) => download.endsWith(end)).length === count,
    [extension, count],
  );
const offered = ({ page }) =>
  page.waitForFunction(() => {
    const offers = [...document.querySelectorAll("#compare-offers button")];
    return offers.length === 4 && offers.every(({ textContent }) => textContent.includes("("));
  });
const smaller = ({ page }) =>
  page.waitForFunction(() => {
    const least = document.querySelector("#compare-offers [data-smallest]");
    return least?.textContent.includes(document.getElementById("compare-size").textContent);
  });
/** The files in the folder that was picked. */
const written = ({ page }) =>
  page.evaluate(async () => {
    const list = async (directory, path = "") => {
      const found = [];
      for await (const [name, handle] of directory.entries())
        if (handle.kind === "directory") found.push(...(await list(handle, `${path}${name}/`)));
        else if ((await handle.getFile()).size > 0) found.push(`${path}${name}`);
      return found.sort();
    };
    return list(await navigator.storage.getDirectory());
  });

const byKeys = {
  "one photo is compressed and saved": [2, async (visitor) => {
    const { steps, settled, saved } = visitor;
    await steps.keys("o");
    await steps.choose([one]);
    await settled();
    return saved(() => steps.keys("s"));
  }],
  "thirty photos become WebP in a ZIP file": [5, async (visitor) => {
    const { steps, saved } = visitor;
    await steps.keys("o");
    await steps.choose(thirty);
    await steps.keys("f", "w", "Tab");
    await converted(visitor, ".webp", 30);
    return saved(() => steps.keys("s"));
  }],
  "a photo gets under 200 kB": [7, async (visitor) => {
    const { page, steps, settled, saved } = visitor;
    await steps.keys("o");
    await steps.choose([large]);
    await steps.keys("f", "Tab", "ArrowRight", "ArrowRight", "ArrowRight");
    await page.waitForFunction(() => location.hash.includes("aim=size"));
    await settled();
    return saved(() => steps.keys("s"));
  }],
  "formats are compared, and the smallest is taken": [4, async (visitor) => {
    const { steps, settled, saved } = visitor;
    await steps.keys("o");
    await steps.choose([one]);
    await settled();
    await steps.keys("c");
    await offered(visitor);
    await steps.keys("b");
    await smaller(visitor);
    return saved(() => steps.keys("s"));
  }],
  "a folder is saved into a folder": [2, async (visitor) => {
    const { steps, settled } = visitor;
    await steps.keys("Shift+O");
    await steps.choose(holiday);
    await settled();
    await steps.keys("Shift+S");
  }],
};

const byTouch = {
  "one photo is compressed and saved": [2, async (visitor) => {
    const { steps, settled, saved } = visitor;
    await steps.tap('label[for="file"]');
    await steps.choose([one]);
    await settled();
    return saved(() => steps.tap(".card .save"));
  }],
  "thirty photos become WebP in a ZIP file": [5, async (visitor) => {
    const { steps, saved } = visitor;
    await steps.tap('label[for="file"]');
    await steps.choose(thirty);
    await steps.tap("#show-settings");
    await steps.pick("#image-to", "image/webp");
    await converted(visitor, ".webp", 30);
    return saved(() => steps.tap("#zip"));
  }],
  "a photo gets under 200 kB": [4, async (visitor) => {
    const { page, steps, settled, saved } = visitor;
    await steps.tap('label[for="file"]');
    await steps.choose([large]);
    await steps.tap("#show-settings");
    await steps.tap('label[for="aim-size"]');
    await page.waitForFunction(() => location.hash.includes("aim=size"));
    await settled();
    return saved(() => steps.tap(".card .save"));
  }],
  "formats are compared, and the smallest is taken": [4, async (visitor) => {
    const { steps, settled, saved } = visitor;
    await steps.tap('label[for="file"]');
    await steps.choose([one]);
    await settled();
    await steps.tap(".card .compare");
    await offered(visitor);
    await steps.tap("#compare-offers [data-smallest]");
    await smaller(visitor);
    return saved(() => steps.tap("#compare-save"));
  }],
  "a folder is saved into a folder": [2, async (visitor) => {
    const { steps, settled } = visitor;
    await steps.tap('label[for="folder"]');
    await steps.choose(holiday);
    await settled();
    await steps.tap("#save-folder");
  }],
};

/** What is to be true of the file that a task downloads, and of the page. */
const checks = {
  "one photo is compressed and saved": ({ name, bytes }) => {
    assert.equal(name, "photo.jpg");
    assert.ok(bytes.length < one.buffer.length);
  },
  "thirty photos become WebP in a ZIP file": async ({ name, bytes }) => {
    assert.equal(name, "filepress-30-webp.zip");
    const files = [...unzip(bytes).values()];
    assert.equal(files.length, 30);
    for (const file of files) assert.equal((await decoded(file)).format, "webp");
  },
  "a photo gets under 200 kB": async ({ name, bytes }) => {
    assert.equal(name, "large.jpg");
    assert.ok(bytes.length <= 200_000, `${bytes.length} bytes`);
    assert.equal((await decoded(bytes)).format, "jpeg");
  },
  "formats are compared, and the smallest is taken": async ({ bytes }, { page }) => {
    const sizes = await page.locator("#compare-offers button").allTextContents();
    const least = sizes.map((words) => Number(words.match(/ ([\d.]+) kB /)[1])).sort((first, second) => first - second)[0];
    assert.ok(Math.abs(bytes.length / 1000 - least) < 1, `${bytes.length} bytes, ${sizes}`);
  },
  "a folder is saved into a folder": async (_, visitor) => {
    await visitor.page.waitForFunction(() => document.querySelectorAll(".card").length === 2 && document.getElementById("save-folder").ariaDisabled === "false");
    assert.deepEqual(await written(visitor), ["holiday/day 2/second.jpg", "holiday/first.jpg"]);
  },
};

for (const [way, tasks, options] of [
  ["by keyboard alone", byKeys, {}],
  ["by touch alone", byTouch, TOUCH],
]) {
  describe(way, () => {
    for (const [name, [most, perform]] of Object.entries(tasks)) {
      test(`${name}, in ${most} steps`, async (context) => {
        const visitor = await begin(options);
        context.after(() => visitor.close());
        const outcome = await perform(visitor);
        await checks[name](outcome, visitor);
        context.diagnostic(`${visitor.steps.count} steps: ${visitor.steps.done.join(", ")}`);
        assert.equal(visitor.steps.count, most);
        assert.deepEqual(visitor.complaints, []);
      });
    }
  });
}
