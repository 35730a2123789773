// The entry for Node, in worker threads, called with the files of a happy-dom form.
import { readFileSync } from "node:fs";
import { compress } from "filepress";
import { upload } from "./form.js";

const photo = new Uint8Array(readFileSync("src/photo.jpg"));

test("bytes become smaller", async () => {
  const { outputSize } = await compress(photo, { quality: 60 });
  expect(outputSize).toBeGreaterThan(0);
  expect(outputSize).toBeLessThan(photo.length);
});

test("a File of happy-dom becomes smaller", async () => {
  expect(await upload(new File([photo], "photo.jpg", { type: "image/jpeg" }))).toBe("photo.jpg");
});
