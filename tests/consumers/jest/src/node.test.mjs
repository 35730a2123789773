/** @jest-environment node */
// Node's entry in Jest does the work.
import { readFile } from "node:fs/promises";
import { compress } from "filepress";

test("a photo becomes smaller", async () => {
  const photo = await readFile(new URL("./photo.jpg", import.meta.url));
  const { outputSize, type } = await compress(photo, { quality: 60 });
  expect(type).toBe("image/jpeg");
  expect(outputSize).toBeGreaterThan(0);
  expect(outputSize).toBeLessThan(photo.length);
});
