// Asks for consent before the first file is sent to a server, once per server.
import { service } from "./service.js";
import { formatName, formatSize } from "./formatting.js";
import { text } from "./text.js";

const words = text.consent;
const dialog = document.getElementById("consent");

/** Isolates the text direction of a name from that of the sentence (UAX #9: FSI, PDI). */
const isolated = (name) => `\u2068${name}\u2069`;

/** Resolves to whether the visitor agrees to send these items; to undefined if the server changes meanwhile, which closes the question. */
export async function askConsent(items) {
  const { identity } = service;
  const bytes = items.reduce((sum, { file }) => sum + file.size, 0);
  const one = items.length === 1;
  const name = isolated(formatName(items[0].file.name));
  const texts = {
    title: words.title(items.length, service.host),
    words: words.words({ one, name, size: formatSize(bytes), address: service.address }),
    no: words.keep(one),
    yes: words.send(one),
  };
  for (const [part, line] of Object.entries(texts)) document.getElementById(`consent-${part}`).textContent = line;
  dialog.returnValue = "no";
  dialog.showModal();
  const refuse = () => identity === service.identity || dialog.close("no");
  service.addEventListener("change", refuse);
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  service.removeEventListener("change", refuse);
  if (identity !== service.identity) return undefined;
  return dialog.returnValue === "yes" && service.allow(identity);
}
