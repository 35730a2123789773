// Lets the page work without a network: registers the service worker, and tells how far it is.

const words = document.getElementById("offline");
const renew = document.getElementById("renew");

/** Registers the service worker where there are any; a page on a host without HTTPS goes without. */
export async function workOffline() {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" }).catch(() => undefined);
  if (!registration) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => data.kept && tell(data.kept));
  offer(registration);
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", () => offer(registration));
  });
  addEventListener("appinstalled", keepAll);
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage("tell");
}

/** Keeps the package and its codecs as well, now that the visitor uses or installs the page; not where data are to be saved. */
export async function keepAll() {
  if (!navigator.serviceWorker?.controller && !(await registered())) return;
  if (navigator.connection?.saveData) return;
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage("keep");
}

const registered = async () => (await navigator.serviceWorker?.getRegistration()) !== undefined;

function tell(kept) {
  words.textContent = kept === "all" ? "Ready to work offline." : "Works offline once it had a file.";
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
