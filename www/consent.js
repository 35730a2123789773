// Asks once, for a service's address, before the first file leaves the device.
import { service } from "./service.js";
import { files, size } from "./formatting.js";

const dialog = document.getElementById("consent");

/** A name that reads in the direction of its own letters, whatever the sentence around it (UAX #9: FSI, PDI). */
const isolated = (name) => `\u2068${name}\u2069`;

/** Resolves to whether these items may be sent. */
export async function askConsent(items) {
  const bytes = items.reduce((sum, { file }) => sum + file.size, 0);
  document.getElementById("consent-title").textContent = `Send ${files(items.length)} to ${service.host}?`;
  const one = items.length === 1;
  document.getElementById("consent-words").textContent =
    `${one ? `“${isolated(items[0].file.name)}” is` : "They are"} too much for this page (${size(bytes)}). ` +
    `${one ? "It has" : "They have"} not left this device. ` +
    `If you agree, ${one ? "it" : "they"} and whatever else needs the service will go to ${service.address}, ` +
    "until you close this tab. " +
    "It keeps files for a while, usually two days. Pictures go on being done here.";
  document.getElementById("consent-no").textContent = one ? "Keep it here" : "Keep them here";
  document.getElementById("consent-yes").textContent = one ? "Send it" : "Send them";
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  if (dialog.returnValue !== "yes") return false;
  service.allow();
  return true;
}
