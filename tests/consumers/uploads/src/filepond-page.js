// A page with the FilePond of docs/plugins.md as `pond`; at `?form`, one that submits its files with the page's form. `logs` collects
// warnings.
import { create, registerPlugin } from "filepond";
import { FilePondCompressor } from "filepress/filepond";

window.logs = [];
console.warn = (message) => logs.push(String(message));

if (location.search === "?form") {
  registerPlugin(FilePondCompressor);
  window.pond = create(document.querySelector("input[type=file]"), { storeAsFile: true, compress: { to: "webp" } });
} else {
  window.pond = (await import("./filepond.js")).default;
}
