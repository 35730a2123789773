// The entry for browsers in jsdom, which has neither TextDecoder, fetch nor workers: it can be imported, and calls
// reject with an error.
import { upload } from "./form.mjs";

test("a component that imports the package can be tested", async () => {
  expect(typeof TextDecoder).toBe("undefined");
  const form = document.createElement("form");
  form.innerHTML = '<input type="file">';
  expect(form.querySelector("input").files.length).toBe(0);
  expect(await upload(new Uint8Array([0xff, 0xd8]))).toBe("engine_load");
});
