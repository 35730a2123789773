// Where the visitor names a service, and what the page says about where files go.
import { service } from "./service.js";
import { fault } from "./words.js";

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
  part("service-fault").textContent = "";
  part("service").showModal();
}

async function accept() {
  part("service-fault").textContent = "";
  try {
    await service.use(part("service-address").value.trim(), part("service-key").value.trim());
    part("service").close();
  } catch (error) {
    part("service-fault").textContent = fault(error);
    part("service-address").focus();
  }
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
