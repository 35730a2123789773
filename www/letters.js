// Whether single characters are shortcuts. Visitors who speak to their device may turn them off (WCAG 2.1.4), and the browser remembers it.
import { read, write } from "./settings-memory.js";

const STORE = "filepress.letters";

export const letters = { on: !read(STORE).off };

export function turnLetters(on) {
  letters.on = on;
  write(STORE, { off: !on });
}
