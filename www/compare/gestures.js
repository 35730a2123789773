// Pans and zooms a viewport by mouse, wheel, touch and keys.

const STEP = 60;

/** @param {HTMLElement} frame receives the events. @param {Viewport} view */
export function watchGestures(frame, view) {
  const pointers = new Map();
  const at = ({ clientX, clientY }) => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };

  frame.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[role=slider]")) return;
    pointers.set(event.pointerId, at(event));
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const before = middle([...pointers.values()]);
    pointers.set(event.pointerId, at(event));
    const after = middle([...pointers.values()]);
    view.move(after.x - before.x, after.y - before.y);
    if (before.spread > 0) view.zoom(after.spread / before.spread, after.x, after.y);
  });
  for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, ({ pointerId }) => pointers.delete(pointerId));

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

  const keys = {
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
  frame.addEventListener("keydown", (event) => {
    if (event.target !== frame || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
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
