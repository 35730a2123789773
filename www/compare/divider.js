// The divider between original and result: a slider, moved by pointer or keys.
import { text } from "../text.js";

/**
 * Sets the frame's `--split` to the share that shows "before", in percent.
 * @returns `center()`, `moveTo(x)` in CSS pixels from the frame's left, and `peek(on)`, which shows only "before" for a while.
 */
export function watchDivider(frame, divider) {
  const keys = { ArrowLeft: -2, ArrowDown: -2, ArrowRight: 2, ArrowUp: 2, PageDown: -10, PageUp: 10 };
  let share = 50;

  const set = (value) => {
    share = Math.min(Math.max(value, 0), 100);
    frame.style.setProperty("--split", `${share}%`);
    divider.setAttribute("aria-valuenow", Math.round(share));
    divider.setAttribute("aria-valuetext", text.compare.divider(Math.round(share), 100 - Math.round(share)));
  };
  set(share);

  divider.addEventListener("pointerdown", (event) => divider.setPointerCapture(event.pointerId));
  divider.addEventListener("pointermove", (event) => {
    if (!divider.hasPointerCapture(event.pointerId)) return;
    const { left, width } = frame.getBoundingClientRect();
    set(((event.clientX - left) / width) * 100);
  });
  divider.addEventListener("keydown", (event) => {
    const to = { Home: 0, End: 100 }[event.key] ?? (event.key in keys ? share + keys[event.key] : undefined);
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  });

  return {
    center: () => set(50),
    moveTo: (x) => set((x / frame.clientWidth) * 100),
    peek: (on) => frame.style.setProperty("--split", on ? "100%" : `${share}%`),
  };
}
