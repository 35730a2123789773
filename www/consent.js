// Asks for consent before the first file is sent to a server, once per server.
import { service } from "./service.js";
import { countFiles, formatSize } from "./formatting.js";

const dialog = document.getElementById("consent");

/** Isolates the text direction of a name from that of the sentence (UAX #9: FSI, PDI). */
const isolated = (name) => `\u2068${name}\u2069`;

/** Resolves to whether the visitor agrees to send these items. */
export async function askConsent(items) {
  const bytes = items.reduce((sum, { file }) => sum + file.size, 0);
  document.getElementById("consent-title").textContent = `Send ${countFiles(items.length)} to ${service.host}?`;
  const one = items.length === 1;
  document.getElementById("consent-words").textContent =
    `${one ? `“${isolated(items[0].file.name)}”` : "They"} can’t be processed on this device (${formatSize(bytes)}). ` +
    `${one ? "It has" : "They have"} not been sent yet. ` +
    `If you agree, ${one ? "it" : "they"} and all other files that need the server are sent to ${service.address}, ` +
    "until you close this tab. " +
    "The server keeps files for a limited time, usually two days. Images are still processed on this device.";
  document.getElementById("consent-no").textContent = one ? "Keep it here" : "Keep them here";
  document.getElementById("consent-yes").textContent = one ? "Send it" : "Send them";
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  if (dialog.returnValue !== "yes") return false;
  service.allow();
  return true;
}
