// Lets the page work without a network: registers the service worker, has it fetch the codecs once the page is idle, and tells
// how far it is.

const words = document.getElementById("offline");
const renew = document.getElementById("renew");
const sentences = {
  all: "Ready to work offline.",
  page: "Getting ready to work offline…",
  saving: "Works offline with what it has used.",
  broken: "Not ready to work offline yet.",
};
/** The visitor has asked for few data: what is kept then is what was used. */
const saving = () => navigator.connection?.saveData === true;

/** Registers the service worker where there are any; a page on a host without HTTPS goes without. */
export async function workOffline() {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" }).catch(() => undefined);
  if (!registration) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => data.kept && tell(data));
  offer(registration);
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", () => offer(registration));
  });
  // Whoever installs it wants all of it; whoever is on a network again what is missing.
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

/** Calls back once the page has nothing else to do. */
function whenIdle(callback) {
  if (globalThis.requestIdleCallback) requestIdleCallback(callback);
  else setTimeout(callback, 2000);
}

function tell({ kept, broken }) {
  if (kept === "all") words.textContent = sentences.all;
  else words.textContent = sentences[broken ? "broken" : saving() ? "saving" : "page"];
}

/** A new version takes over when the visitor says so: results on the page are not thrown away. */
function offer(registration) {
  if (!registration.waiting || !navigator.serviceWorker.controller) return;
  renew.hidden = false;
  renew.onclick = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting.postMessage("take over");
  };
}
