// The page's entry: creates an item and a card for each file, and updates them when the settings or the server change.
import { Card } from "./card.js";
import { codeSample } from "./code-sample.js";
import { askConsent } from "./consent.js";
import { watchFiles } from "./file-input.js";
import { Item } from "./item.js";
import { List } from "./list.js";
import { workOffline } from "./offline.js";
import { formats } from "./package.js";
import { planCall } from "./plan.js";
import { openServiceDialog, watchServiceDialog } from "./service-dialog.js";
import { service } from "./service.js";
import { readSettings, watchSettings } from "./settings.js";
import { showSummary } from "./summary.js";

const part = (id) => document.getElementById(id);
const list = new List();
const cards = new Map();
/** Items that the visitor refused to send. They are not asked for again automatically. */
const kept = new Set();
/** The number of running refreshes, and whether the consent dialog is open. */
let planning = 0;
let asked = false;

watchFiles(take, say);
watchSettings(refresh);
watchServiceDialog();
showSummary(list, say);
service.addEventListener("change", refresh);
service.addEventListener("refused", reportRefusal);
reportRefusal();
list.addEventListener("change", show);
part("show-settings").addEventListener("click", ({ currentTarget }) => {
  const open = currentTarget.getAttribute("aria-expanded") !== "true";
  currentTarget.setAttribute("aria-expanded", open);
  part("panel").dataset.open = open;
  // It is shown above the files, but comes after them in the document.
  if (open) part("panel").focus();
});
part("code").closest("details").addEventListener("toggle", writeCode, { once: true });
addEventListener("load", workOffline);
// The package is most of the page's size, so it is loaded when the visitor seems about to add a file.
document.addEventListener("dragenter", preload, { once: true });
for (const sign of ["pointerenter", "focusin"]) part("drop").addEventListener(sign, preload, { once: true });

function preload() {
  // An error occurs again, and is shown, on the first card.
  formats().catch(() => {});
}

function take(files) {
  const items = files.map((file) => new Item(file, readSettings));
  for (const item of items) {
    const card = new Card(item, {
      compare: () => compare(item),
      agree: () => (item.state === "no-server" ? openServiceDialog() : ask([item])),
      remove: () => remove(item),
    });
    cards.set(item, card);
    part("cards").append(card.element);
  }
  list.add(items);
  for (const item of items) item.begin();
}

/** Compares the current result. The item may have started again before the module is loaded. */
async function compare({ file, facts, result, call }) {
  const { openComparison } = await import("./compare/comparison.js");
  await openComparison({ file, facts, result, background: call.options.background });
}

function remove(item) {
  const next = cards.get(item).element.nextElementSibling ?? cards.get(item).element.previousElementSibling;
  list.remove(item);
  (next?.querySelector(".remove") ?? part("file")).focus();
}

/** Removes the cards of removed items, and asks for consent if items need it. */
function show() {
  const there = new Set(list.items);
  for (const [item, card] of cards.size === there.size ? [] : cards) {
    if (there.has(item)) continue;
    card.element.remove();
    card.dispose();
    cards.delete(item);
    kept.delete(item);
  }
  const empty = list.items.length === 0;
  document.body.toggleAttribute("data-empty", empty);
  part("summary").hidden = empty;
  part("cards").hidden = empty;
  const asking = list.in("needs-consent").filter((item) => !kept.has(item));
  // Only when all added files are recognized, so that there is one question.
  if (asking.length > 0 && planning === 0 && list.in("reading").length === 0) ask(asking);
}

async function ask(items) {
  if (asked) return;
  asked = true;
  for (const item of items) kept.add(item);
  const agreed = await askConsent(items);
  asked = false;
  // They are asked for again if the server changes.
  if (agreed) items.forEach((item) => kept.delete(item));
  // A refusal applies to all items on the page, even those that need the server later. Each card offers to ask again.
  else list.items.forEach((item) => kept.add(item));
}

async function refresh() {
  writeCode();
  planning++;
  await Promise.all(list.items.map((item) => item.refresh()));
  planning--;
  show();
}

/** Shows the call for a large JPEG; for a large PNG if the output is JPEG. */
async function writeCode() {
  const known = await formats().catch(() => undefined);
  if (!known) return;
  const settings = readSettings();
  const type = settings.image.to === "image/jpeg" ? "image/png" : "image/jpeg";
  const facts = { class: "image", type, width: Infinity, height: Infinity, hasAlpha: type === "image/png" };
  part("code").textContent = codeSample(planCall(settings, facts, "", known));
}

/** Reports a server in the fragment that was refused. */
function reportRefusal() {
  if (service.error) say(`The server in this page’s address is not used. ${service.error}`);
}

function say(words) {
  part("note").textContent = words;
  part("note").hidden = words === "";
}
