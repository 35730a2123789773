// Folders keep their structure in the ZIP file, which has their name; nothing offers to save into a folder where a browser can not.
import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { until } from "../../package/support/until.mjs";
import { dropFolder } from "../support/dropped.mjs";
import { chooseFolder } from "../support/folder-dialog.mjs";
import { unzip } from "../support/unzip.mjs";
import { decoded, photoFile } from "../support/visitor.mjs";

const photos = await Promise.all([1, 2].map((seed) => photoFile("photo.jpg", { seed, width: 200 * seed, height: 200 })));
/** What is in the folder, and what a system leaves there. */
const inside = [
  { path: "photo.jpg", buffer: photos[0].buffer },
  { path: "day 2/photo.jpg", buffer: photos[1].buffer },
  { path: ".DS_Store", buffer: Buffer.from("left by a system") },
];

/** How each engine takes a folder with the name "holiday". */
const WAYS = {
  /** Firefox reads the folder that its dialog gives. Without a display it has no drag that carries files from outside. */
  Firefox: {
    choose: ({ page }, folder) => chooseFolder(page, 'label[for="folder"]', folder),
    drop: (visitor) => visitor.evaluate(dropFolder, { name: "holiday", files: inside.map(({ path, buffer }) => ({ path, base64: buffer.toString("base64") })) }),
  },
  /**
   * WebKit reads the folder that is dropped: its driver puts it into a field as if it were a file, and what the drop carries is that. The
   * driver opens no dialog for folders, so that what comes of one are files that say the same as those of a folder do.
   */
  WebKit: {
    choose: (visitor) => visitor.choose("folder", ...inside.map(({ path, buffer }) => ({ name: path.split("/").at(-1), path: `holiday/${path}`, buffer }))),
    drop: async ({ page }, folder) => {
      await page.evaluate(() => document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "carried" })));
      await page.choose("#carried", folder);
      await page.evaluate(() => {
        const carried = document.getElementById("carried");
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(carried.files[0]);
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        carried.remove();
      });
    },
  },
};

/** @param visitor an EngineVisitor. */
export const testFolders = (visitor, engine) =>
  describe("folders", () => {
    const { choose, drop } = WAYS[engine.split(" ")[0]];
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    let folder;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "filepress-folder-"));
      for (const { path, buffer } of inside) {
        const place = join(folder, "holiday", path);
        await mkdir(dirname(place), { recursive: true });
        await writeFile(place, buffer);
      }
    });
    after(() => rm(folder, { recursive: true }));

    /** The files of the ZIP file that the button brings, each with its format and width. */
    const zipped = async (name) => {
      const files = await visitor.download("#zip", name, unzip);
      const read = async ([path, bytes]) => {
        const { format, width } = await decoded(bytes);
        return `${path}: ${format}, ${width}`;
      };
      return Promise.all([...files].sort().map(read));
    };

    test("a folder that is chosen keeps its structure in the ZIP file, whose files are named by the pattern", async () => {
      await evaluate(() => document.getElementById("clear").click());
      await choose(visitor, join(folder, "holiday"));
      await visitor.settled(2);
      await visitor.pick("pattern", "{name}-{width}x{height}");
      await until(async () => (await visitor.cards()).every(({ save }) => /^photo-\d+x200\.jpg$/.test(save)));
      assert.deepEqual(await zipped("holiday.zip"), ["holiday/day 2/photo-400x200.jpg: jpeg, 400", "holiday/photo-200x200.jpg: jpeg, 200"]);
      await visitor.pick("pattern", "");
    });

    test("a folder that is dropped is read to its end", async () => {
      await evaluate(() => document.getElementById("clear").click());
      await drop(visitor, join(folder, "holiday"));
      await visitor.settled(2);
      await visitor.pick("image-to", "image/webp");
      await until(async () => (await visitor.cards()).every(({ save }) => save === "photo.webp"));
      // A second file of that name gets a number.
      assert.deepEqual(await zipped("holiday.zip"), ["holiday/day 2/photo.webp: webp, 400", "holiday/photo.webp: webp, 200"]);
      await visitor.pick("image-to", "");
    });

    test("files that are dropped are taken, and several results that came in no folder are named by their number", async () => {
      await evaluate(() => document.getElementById("clear").click());
      await evaluate((photos) => {
        const dataTransfer = new DataTransfer();
        for (const [name, base64] of photos) {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          dataTransfer.items.add(new File([bytes], name, { type: "image/jpeg" }));
        }
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      }, photos.map(({ name, buffer }) => [name, buffer.toString("base64")]));
      await visitor.settled(2);
      assert.deepEqual(await zipped("filepress-2-jpg.zip"), ["photo (2).jpg: jpeg, 400", "photo.jpg: jpeg, 200"]);
    });

    test("nothing offers to save into a folder, and its key does nothing", async () => {
      assert.equal(await evaluate(() => "showDirectoryPicker" in globalThis), false);
      assert.equal(await evaluate(() => document.getElementById("save-folder").checkVisibility()), false);
      const keys = await evaluate(() => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "S", shiftKey: true, bubbles: true, cancelable: true }));
        return [...document.querySelectorAll("#keys-list kbd")].map(({ textContent }) => textContent);
      });
      assert.ok(keys.includes("⇧ O") && !keys.includes("⇧ S"), keys.join());
      // What a failed attempt says would be there by then.
      await evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      assert.equal(await evaluate(() => document.getElementById("note").textContent), "");
    });
  });
