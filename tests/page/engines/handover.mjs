// Results are saved, copied, shared and dragged out, as far as the browser goes.
import { strict as assert } from "node:assert";
import { before, describe, test } from "node:test";
import sharp from "sharp";
import { until } from "../../package/support/until.mjs";
import { decoded, photoFile } from "../support/visitor.mjs";

const photo = await photoFile("photo.jpg");
const RESULT = { format: "webp", width: 360, height: 240, pages: 1 };

/** @param visitor an EngineVisitor. */
export const testHandover = (visitor) =>
  describe("handover", () => {
    const evaluate = (work, argument) => visitor.evaluate(work, argument);
    const note = () => evaluate(() => document.getElementById("compare-note").textContent);

    before(async () => {
      await visitor.addAlone(photo);
      await visitor.pick("image-to", "image/webp");
      await until(async () => (await visitor.cards())[0]?.save === "photo.webp");
      await visitor.settled();
    });

    test("the download button saves the result, and until then the page asks before it is left", async () => {
      const asks = () => evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
      assert.equal(await asks(), true);
      const read = async (bytes) => ({ bytes, facts: await decoded(bytes) });
      const { bytes, facts } = await visitor.download(".card .save", "photo.webp", read);
      assert.deepEqual(facts, RESULT);
      assert.deepEqual(bytes, await visitor.result());
      assert.equal(await asks(), false);
    });

    /** Browsers let a page write within a click, and only them. Reading takes a leave that no driver gives: what is written is recorded. */
    test("the result is copied as PNG by a click", async () => {
      await evaluate(() => {
        const { clipboard } = navigator;
        const write = clipboard.write.bind(clipboard);
        clipboard.write = async (items) => {
          const reader = new FileReader();
          reader.onload = () => (globalThis.written = reader.result.split(",")[1]);
          const writing = write(items);
          reader.readAsDataURL(await items[0].getType("image/png"));
          return writing;
        };
      });
      await visitor.compare();
      await visitor.page.click("#compare-copy");
      await until(async () => (await note()) === "Copied as PNG.");
      const png = Buffer.from(await until(() => evaluate(() => globalThis.written)), "base64");
      assert.equal((await decoded(png)).format, "png");
      const [copied, result] = await Promise.all([png, await visitor.result()].map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer()));
      assert.equal(copied.length, result.length);
      const apart = copied.reduce((sum, value, index) => sum + Math.abs(value - result[index]), 0) / copied.length;
      assert.ok(apart < 3, `${apart} apart`);
      await visitor.closeComparison();
    });

    test("nothing offers to share where the system has no share sheet, and one that there is gets the result", async () => {
      await visitor.compare();
      const isOffered = () => evaluate(() => document.getElementById("compare-share").checkVisibility());
      assert.equal(await isOffered(), await evaluate(() => "canShare" in navigator));
      await visitor.closeComparison();
      // Neither engine has one on Linux: what would be handed to it is recorded.
      await evaluate(() => {
        navigator.canShare = ({ files }) => files.length === 1;
        navigator.share = async ({ files: [{ name, type, size }] }) => {
          globalThis.shared = { name, type, size, isByClick: navigator.userActivation.isActive };
        };
      });
      await visitor.compare();
      assert.equal(await isOffered(), true);
      await visitor.page.click("#compare-share");
      const shared = await until(() => evaluate(() => globalThis.shared));
      assert.deepEqual(shared, { name: "photo.webp", type: "image/webp", size: (await visitor.result()).length, isByClick: true });
      await visitor.closeComparison();
    });

    /** The drag is the browser's own, from a mouse. Without a desktop it ends nowhere. */
    test("a drag of the download button carries the file, and a result that is dropped on the page is not added", async () => {
      await evaluate(() => {
        document.addEventListener("dragstart", ({ dataTransfer, isTrusted }) => {
          const [data, link] = ["DownloadURL", "text/uri-list"].map((type) => dataTransfer.getData(type));
          globalThis.dragged = { data, link, isTrusted };
        });
      });
      await visitor.drag(".card .save");
      const dragged = await until(() => evaluate(() => globalThis.dragged));
      const address = await evaluate(() => document.querySelector(".card .save").href);
      assert.deepEqual(dragged, { data: `image/webp:photo.webp:${address}`, link: address, isTrusted: true });
      const isTaken = await evaluate((data) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData("DownloadURL", data);
        const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event);
        return event.defaultPrevented;
      }, dragged.data);
      // The browser would open it otherwise.
      assert.equal(isTaken, true);
      assert.equal((await visitor.settled()).length, 1);
      assert.equal(await evaluate(() => document.getElementById("note").textContent), "");
    });
  });
