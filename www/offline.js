// Makes the page work offline: registers the service worker, has it download the codecs when the page is idle, and shows its status.
import { text } from "./text.js";

const status = document.getElementById("offline");
const renew = document.getElementById("renew");
const messages = text.offline;
/** Whether the browser asks to save data. Then only files that were used are cached, unless the page is installed as an app. */
const saving = () => navigator.connection?.saveData === true && !matchMedia("(display-mode: standalone)").matches;

/** Registers the service worker, if the browser allows it: it needs HTTPS. */
export async function workOffline() {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" }).catch(() => undefined);
  if (!registration) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => data.kept && tell(data));
  offer(registration);
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", () => offer(registration));
  });
  // An installed app needs all files. Back online, the missing ones are downloaded.
  addEventListener("appinstalled", () => ask("keep"));
  addEventListener("online", keep);
  await ask("tell");
  whenIdle(keep);
}

function keep() {
  if (!saving()) ask("keep");
}

async function ask(request) {
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage(request);
}

/** Calls back when the page is idle. */
function whenIdle(callback) {
  if (globalThis.requestIdleCallback) requestIdleCallback(callback);
  else setTimeout(callback, 2000);
}

function tell({ kept, broken }) {
  if (kept === "all") status.textContent = messages.all;
  else status.textContent = messages[broken ? "broken" : saving() ? "saving" : "page"];
}

/** Offers a new version. It takes over when the visitor agrees, so that results on the page are not lost. */
function offer(registration) {
  if (!registration.waiting || !navigator.serviceWorker.controller) return;
  renew.hidden = false;
  renew.onclick = () => {
    // It may have taken over already, in another tab.
    if (!registration.waiting) return location.reload();
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting.postMessage("take over");
  };
}
