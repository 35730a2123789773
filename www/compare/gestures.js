// Pans and zooms a viewport by mouse, wheel, touch and keys. A click moves the divider; holding shows the original.

const STEP = 60;
/** A pointer that moved fewer CSS pixels than this did not move. */
const STILL = 5;
/** A pointer that is down for longer than this holds, in milliseconds. */
const HOLD_MS = 350;

/** @param {HTMLElement} frame receives the events. @param {Viewport} view @param divider as `watchDivider` returns it */
export function watchGestures(frame, view, divider) {
  const pointers = new Map();
  const press = watchPress(divider);
  const at = ({ clientX, clientY }) => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };

  frame.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[role=slider]")) return;
    pointers.set(event.pointerId, at(event));
    press.down(at(event), pointers.size);
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const before = middle([...pointers.values()]);
    pointers.set(event.pointerId, at(event));
    const after = middle([...pointers.values()]);
    if (!press.moved(at(event))) return;
    view.move(after.x - before.x, after.y - before.y);
    if (before.spread > 0) view.zoom(after.spread / before.spread, after.x, after.y);
  });
  for (const end of ["pointerup", "pointercancel"])
    frame.addEventListener(end, (event) => {
      if (pointers.delete(event.pointerId)) press.up(at(event), event.type === "pointerup");
    });

  frame.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x, y } = at(event);
      view.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0025)), x, y);
    },
    { passive: false },
  );

  frame.addEventListener("dblclick", (event) => {
    const { x, y } = at(event);
    if (view.percent > 99) view.fit();
    else view.zoom(100 / view.percent, x, y);
  });

  const keys = keysOf(view);
  frame.addEventListener("keydown", (event) => {
    if (event.target !== frame || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}

/** What keys do, by their names. */
function keysOf(view) {
  return {
    ArrowLeft: () => view.move(STEP, 0),
    ArrowRight: () => view.move(-STEP, 0),
    ArrowUp: () => view.move(0, STEP),
    ArrowDown: () => view.move(0, -STEP),
    "+": () => view.zoom(1.5),
    "=": () => view.zoom(1.5),
    "-": () => view.zoom(1 / 1.5),
    0: () => view.fit(),
    1: () => view.full(),
  };
}

/** Tells a click and a hold from a drag. */
function watchPress(divider) {
  let start;
  let timer;
  let holding = false;
  const end = () => {
    clearTimeout(timer);
    if (holding) divider.peek(false);
    holding = false;
  };
  return {
    down(point, count) {
      end();
      start = count === 1 ? point : undefined;
      if (!start) return;
      timer = setTimeout(() => {
        holding = true;
        divider.peek(true);
      }, HOLD_MS);
    },
    /** Whether the pointer moved, which ends a press. */
    moved(point) {
      if (start && Math.hypot(point.x - start.x, point.y - start.y) < STILL) return false;
      start = undefined;
      end();
      return true;
    },
    up(point, done) {
      if (start && !holding && done) divider.moveTo(point.x);
      start = undefined;
      end();
    },
  };
}

/** The center of the pointers, and the distance between two of them. */
function middle(points) {
  const [first, second = first] = points;
  return {
    x: (first.x + second.x) / 2,
    y: (first.y + second.y) / 2,
    spread: Math.hypot(first.x - second.x, first.y - second.y),
  };
}
