// Where the visitor names a service, and what the page says about where files go.
import { addressFault, keyFault } from "./server-address.js";
import { fault } from "./errors.js";
import { service } from "./service.js";

const part = (id) => document.getElementById(id);

export function watchServiceDialog() {
  part("pledge").addEventListener("click", openServiceDialog);
  part("service-open").addEventListener("click", openServiceDialog);
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
  // A key that is known is not shown again: an empty field keeps it, as long as the address stays.
  part("service-key").value = "";
  part("service-key").placeholder = service.hasKey ? "as given before" : "";
  part("service-forget").hidden = service.address === "";
  tell({});
  part("service").showModal();
}

async function accept() {
  const [address, key] = [part("service-address"), part("service-key")].map(({ value }) => value.trim());
  const faults = { address: addressFault(address), key: keyFault(key) };
  tell(faults);
  if (faults.address || faults.key) return;
  try {
    await service.use(address, key);
    part("service").close();
  } catch (error) {
    tell({ address: fault(error) });
  }
}

/** Says what is wrong, and leads to the field that has it. */
function tell({ address = "", key = "" }) {
  part("service-fault").textContent = address || key;
  part("service-address").setAttribute("aria-invalid", address !== "");
  part("service-key").setAttribute("aria-invalid", address === "" && key !== "");
  if (address) part("service-address").focus();
  else if (key) part("service-key").focus();
}

function describe() {
  const { host } = service;
  part("pledge").dataset.service = host !== "";
  part("pledge-words").textContent =
    host === "" ? "Everything stays on this device" : `Pictures stay here; video, sound, PDF: ${host}`;
  part("service-words").textContent =
    host === "" ? "These need a service: no browser can do them well." : `Done by ${host}, once you agree.`;
  part("service-open").textContent = host === "" ? "Set up a service" : "Change the service";
}
