// What a visitor does with keyboard, mouse and window, in the way of each engine's driver.
import { evaluateInFirefox } from "./firefox-itself.mjs";

/** The middle of an element, where a visitor's mouse goes. */
async function middle(page, selector) {
  const { x, y, width, height } = await (await page.$(selector)).boundingBox();
  return [x + width / 2, y + height / 2];
}

/** As WebDriver names what a mouse does with its first button. */
const [DOWN, UP] = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }));

/**
 * `press(page, ...keys)` presses keys one after another, by the names that events give them.
 * `drag(page, selector)` drags an element a little way and lets go. `move(page, x, y)`, `down(page)` and `up(page)` are the mouse's, at a
 * place of the window; `click(page, x, y)` is all of them at once, however busy the machine is.
 * `resize(page, width, height)` gives the page that size. `speak(page, language)`, if there is one, is for pages that are opened later;
 * the other engine has to be started for a language.
 */
export const HANDS = {
  Firefox: {
    async press({ keyboard }, ...keys) {
      for (const key of keys) await keyboard.press(key);
    },
    async drag(page, selector) {
      const [x, y] = await middle(page, selector);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x - 60, y + 30, { steps: 4 });
      await page.mouse.up();
    },
    move: (page, x, y) => page.mouse.move(x, y),
    down: (page) => page.mouse.down(),
    up: (page) => page.mouse.up(),
    click: (page, x, y) => page.mouse.click(x, y),
    resize: (page, width, height) => page.setViewport({ width, height }),
    speak: (page, language) => evaluateInFirefox(page, (language) => Services.prefs.setStringPref("intl.accept_languages", language), language),
  },
  WebKit: {
    press: (page, ...keys) => page.press(...keys),
    drag: (page, selector) => page.drag(selector),
    move: (page, x, y) => page.mouse({ type: "pointerMove", x, y }),
    down: (page) => page.mouse(DOWN),
    up: (page) => page.mouse(UP),
    click: (page, x, y) => page.mouse({ type: "pointerMove", x, y }, DOWN, UP),
    /** What is resized is the window, which has a toolbar. */
    resize: async (page, width, height) => page.resize(width, height + (await page.evaluate(() => outerHeight - innerHeight))),
  },
};
