// Two images on top of each other, split by a divider, panned and zoomed together.
import { watchDivider } from "./divider.js";
import { load } from "./displayable.js";
import { text } from "../text.js";
import { Viewport } from "./viewport.js";
import { watchGestures } from "./gestures.js";

const part = (id) => document.getElementById(id);
const layers = [part("layer-before"), part("layer-after")];
layers.forEach((layer, index) => (layer.dataset.name = [text.page.before, text.page.after][index]));

export function createOverlay() {
  const frame = part("overlay");
  const view = new Viewport();
  let images = [];
  /** The images that were asked for last. */
  let wanted;

  const draw = () => {
    const { x, y, scale } = view;
    for (const image of images) {
      image.style.width = `${view.width}px`;
      image.style.height = `${view.height}px`;
      image.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
      image.classList.toggle("coarse", scale * devicePixelRatio >= 2);
    }
    part("zoom-value").textContent = images.length > 0 ? `${Math.round(view.percent)} %` : "";
  };
  view.onchange = draw;
  new ResizeObserver(() => view.setFrame(frame.clientWidth, frame.clientHeight)).observe(frame);
  const divider = watchDivider(frame, part("divider"));
  watchGestures(frame, view, divider);
  part("zoom-in").addEventListener("click", () => view.zoom(1.5));
  part("zoom-out").addEventListener("click", () => view.zoom(1 / 1.5));
  part("zoom-fit").addEventListener("click", () => view.fit());
  part("zoom-full").addEventListener("click", () => view.full());

  /** Shows two images by their URLs, unless others are asked for meanwhile. The second is stretched to the size of the first. */
  async function show(...urls) {
    wanted = urls;
    const loaded = await Promise.all(urls.map(load));
    if (wanted !== urls) return;
    const size = [loaded[0].naturalWidth, loaded[0].naturalHeight];
    const sameSize = images.length > 0 && size[0] === view.width && size[1] === view.height;
    images = loaded;
    images.forEach((image, index) => {
      image.alt = layers[index].dataset.name;
      image.draggable = false;
      layers[index].replaceChildren(image);
    });
    view.setFrame(frame.clientWidth, frame.clientHeight);
    if (sameSize) draw();
    else view.setImage(...size);
  }

  function clear() {
    wanted = undefined;
    images = [];
    for (const layer of layers) layer.replaceChildren();
    draw();
  }

  return { show, clear, center: divider.center };
}
