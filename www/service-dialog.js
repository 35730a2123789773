// The dialog for the address and key of a server, and the texts that say where files are sent.
import { addressError, keyError } from "./server-address.js";
import { errorMessage } from "./errors.js";
import { service } from "./service.js";
import { text } from "./text.js";

const words = text.service;
const part = (id) => document.getElementById(id);

export function watchServiceDialog() {
  for (const id of ["privacy-server", "service-open"]) part(id).addEventListener("click", openServiceDialog);
  part("service-cancel").addEventListener("click", () => part("service").close());
  part("service-forget").addEventListener("click", () => {
    service.forget();
    part("service").close();
  });
  part("service-form").addEventListener("submit", (event) => {
    event.preventDefault();
    accept();
  });
  service.addEventListener("change", describe);
  describe();
}

export function openServiceDialog() {
  part("service-address").value = service.address;
  // The stored key is never shown. An empty field keeps it while the address stays the same.
  part("service-key").value = "";
  part("service-key").placeholder = service.hasKey ? words.unchanged : "";
  part("service-forget").hidden = service.address === "";
  showErrors({});
  part("service").showModal();
}

async function accept() {
  const [address, key] = [part("service-address"), part("service-key")].map(({ value }) => value.trim());
  const errors = { address: addressError(address), key: keyError(key) };
  showErrors(errors);
  if (errors.address || errors.key) return;
  try {
    await service.use(address, key);
    part("service").close();
  } catch (error) {
    showErrors({ address: errorMessage(error) });
  }
}

/** Shows the first error, and focuses its field. */
function showErrors({ address = "", key = "" }) {
  part("service-error").textContent = address || key;
  part("service-address").setAttribute("aria-invalid", address !== "");
  part("service-key").setAttribute("aria-invalid", address === "" && key !== "");
  if (address) part("service-address").focus();
  else if (key) part("service-key").focus();
}

function describe() {
  const { host } = service;
  part("pledge").dataset.service = host !== "";
  part("pledge-words").textContent = host === "" ? text.page.pledge : words.split(host);
  part("service-words").textContent = host === "" ? words.needed : words.used(host);
  for (const id of ["privacy-server", "service-open"]) part(id).textContent = host === "" ? words.setUp : words.change;
}
