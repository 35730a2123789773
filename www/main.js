// Holds the page together: a picture comes or a setting changes, the press runs, the view shows what came of it.
import { showCode } from "./code.js";
import { watchFiles } from "./intake.js";
import { localTypes, press } from "./press.js";
import { offerTypes, readSettings, watchSettings } from "./settings.js";
import * as view from "./view.js";

/** The picture on the page, and the controller of the run that is under way. */
let picture;
let running;

showCode(readSettings());
watchFiles(take, view.showNote);
watchSettings(() => {
  showCode(readSettings(), picture?.name);
  if (picture) run();
});
view.onCancel(() => running?.abort());
localTypes().then(({ read, write }) => {
  view.showTypes(read);
  offerTypes(write);
}, view.showFault);

function take(file) {
  picture = file;
  view.showPicture(file);
  showCode(readSettings(), file.name);
  run();
}

async function run() {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  // A run that a newer one has replaced ends in silence.
  const current = () => running === controller;
  view.showWork();
  try {
    const pressed = await press(picture, readSettings(), {
      signal: controller.signal,
      onInspected: (found) => current() && view.showFound(found),
      onProgress: (progress) => current() && view.showProgress(progress),
    });
    if (current()) view.showResult(picture, pressed);
  } catch (error) {
    if (!current()) return;
    if (controller.signal.aborted) view.showCancelled();
    else view.showFault(error);
  } finally {
    if (current()) running = undefined;
  }
}
