// Holds the page together: files become items and cards, settings and the service change what becomes of them.
import { createCard } from "./card.js";
import { codeOf } from "./code-sample.js";
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
/** Items that the visitor kept here; they are not asked for again by themselves. */
const kept = new Set();
/** How many refreshes are under way, and whether the question for leave stands. */
let planning = 0;
let asked = false;

watchFiles(take, say);
watchSettings(refresh);
watchServiceDialog();
showSummary(list, say);
service.addEventListener("change", refresh);
service.addEventListener("refused", refuse);
refuse();
list.addEventListener("change", show);
part("show-settings").addEventListener("click", ({ currentTarget }) => {
  const open = currentTarget.getAttribute("aria-expanded") !== "true";
  currentTarget.setAttribute("aria-expanded", open);
  part("panel").dataset.open = open;
  // It stands above the files then, and behind them in the document.
  if (open) part("panel").focus();
});
writeCode();
addEventListener("load", workOffline);
// Most of what the page weighs is the package: it is fetched when a file seems to be on its way.
document.addEventListener("dragenter", warm, { once: true });
for (const sign of ["pointerenter", "focusin"]) part("drop").addEventListener(sign, warm, { once: true });

function warm() {
  // What fails here fails again, and is said, on the first card.
  formats().catch(() => {});
}

function take(files) {
  const items = files.map((file) => new Item(file, readSettings));
  for (const item of items) {
    const card = createCard(item, {
      compare: () => compare(item),
      agree: () => (item.state === "lacking" ? openServiceDialog() : ask([item])),
      remove: () => remove(item),
    });
    cards.set(item, card);
    part("cards").append(card.element);
  }
  list.add(items);
  for (const item of items) item.begin();
}

/** What is compared is what was there when it was asked for: the item may have begun anew before the room is loaded. */
async function compare({ file, facts, result, call }) {
  const { openComparison } = await import("./compare/comparison.js");
  await openComparison({ file, facts, result, background: call.options.background });
}

function remove(item) {
  const next = cards.get(item).element.nextElementSibling ?? cards.get(item).element.previousElementSibling;
  list.remove(item);
  (next?.querySelector(".remove") ?? part("file")).focus();
}

/** The cards of the list, and the question for those that wait for leave. */
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
  const asking = list.in("asking").filter((item) => !kept.has(item));
  // Once all that came together is known, so that it is one question.
  if (asking.length > 0 && planning === 0 && list.in("reading").length === 0) ask(asking);
}

async function ask(items) {
  if (asked) return;
  asked = true;
  for (const item of items) kept.add(item);
  const agreed = await askConsent(items);
  asked = false;
  // Of another service they are asked for again.
  if (agreed) items.forEach((item) => kept.delete(item));
  // A no holds for all that is on the page, whatever turns out later to need the service: each card offers to ask again.
  else list.items.forEach((item) => kept.add(item));
}

async function refresh() {
  writeCode();
  planning++;
  await Promise.all(list.items.map((item) => item.refresh()));
  planning--;
  show();
}

/** The settings as they hold for a large JPEG; where JPEG is what is made, for a large PNG. */
function writeCode() {
  const settings = readSettings();
  const type = settings.image.to === "image/jpeg" ? "image/png" : "image/jpeg";
  const facts = { class: "image", type, width: Infinity, height: Infinity, hasAlpha: type === "image/png" };
  part("code").textContent = codeOf(planCall(settings, facts, "", new Set([settings.image.to])));
}

/** Of the service that the address bar named. */
function refuse() {
  if (service.fault) say(`The service in the address of this page is not used. ${service.fault}`);
}

function say(words) {
  part("note").textContent = words;
  part("note").hidden = words === "";
}
