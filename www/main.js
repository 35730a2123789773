// The page's entry: creates an item and a card for each file, and updates them when the settings or the server change.
import { Card } from "./card.js";
import { createCardList } from "./card-list.js";
import { codeSample } from "./code-sample.js";
import { watchCodecSettings } from "./codec-settings.js";
import { askConsent } from "./consent.js";
import { errorMessage } from "./errors.js";
import { canChooseFolder, watchFiles } from "./file-input.js";
import { isShown } from "./focus.js";
import { formatName } from "./formatting.js";
import { watchHelp } from "./help.js";
import { watchIncoming } from "./incoming.js";
import { Item } from "./item.js";
import { askBeforeLeaving } from "./before-unload.js";
import { List } from "./list.js";
import { areFormatsOffered } from "./offers/offered.js";
import { workOffline } from "./offline.js";
import { formats } from "./package.js";
import { planCall } from "./plan.js";
import { watchPresets } from "./presets.js";
import { openServiceDialog, watchServiceDialog } from "./service-dialog.js";
import { canSaveFolder } from "./save-all.js";
import { service } from "./service.js";
import { changeSettings, readSettings, watchSettings } from "./settings.js";
import { forEachInSlices } from "./slices.js";
import { showSummary } from "./summary.js";
import { text, translatePage } from "./text.js";
import { offerUndo, undo } from "./undo.js";

const part = (id) => document.getElementById(id);
const list = new List();
/** A file's own settings of the codec, which the form has by the same names. */
const CODEC = ["effort", "lossless", "hdr", "colors", "dither", "chroma"];
/** Items that the visitor refused to send. They are not asked for again automatically. */
const kept = new WeakSet();
/** The number of running refreshes, and whether the consent dialog is open. */
let planning = 0;
let asked = false;

translatePage();
const cards = createCardList(list, createCard);
watchFiles(take, say);
watchIncoming(take, say);
watchSettings(refresh);
watchCodecSettings();
watchPresets();
askBeforeLeaving(list);
watchHelp({
  o: () => part("file").click(),
  ...(canChooseFolder && { "Shift+o": () => part("folder").click() }),
  s: () => part("zip").click(),
  ...(canSaveFolder && { "Shift+s": () => part("save-folder").click() }),
  c: () => compareFirst(),
  f: () => {
    // Where there is little room, they are hidden.
    if (!isShown(part("panel"))) part("show-settings").click();
    part("image-to").focus();
  },
  z: undo,
});
watchServiceDialog();
showSummary(list, say);
service.addEventListener("change", refresh);
service.addEventListener("refused", reportRefusal);
reportRefusal();
list.addEventListener("change", askForWaiting);
list.addEventListener("members", show);
list.addEventListener("members", offerFormats, { once: true });
part("show-settings").addEventListener("click", togglePanel);
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || document.querySelector("dialog[open]") || part("panel").dataset.open !== "true" || !isShown(part("show-settings"))) return;
  togglePanel();
  part("show-settings").focus();
});
part("clear").addEventListener("click", () => {
  say("");
  remove(list.items, text.summary.removed(list.items.length));
  part("file").focus();
});
part("remove-failed").addEventListener("click", () => {
  say("");
  const failed = list.in("failed");
  remove(failed, text.summary.removed(failed.length));
  part("filter").focus();
});
part("sample").addEventListener("click", async () => {
  say("");
  try {
    const response = await fetch("./sample.jpg");
    if (!response.ok) throw response;
    const file = new File([await response.blob()], "landscape.jpg", { type: "image/jpeg" });
    take([{ file, path: file.name }]);
  } catch {
    say(text.input.sample);
  }
});
// Each time, because what could not be loaded once may be there now.
part("watermark").addEventListener("toggle", async ({ currentTarget }) => {
  if (!currentTarget.open) return;
  say("");
  await import("./watermark-input.js").catch(() => say(text.errors.offline));
});
part("code").closest("details").addEventListener("toggle", writeCode);
// A catalog of texts may arrive after that event.
if (document.readyState === "complete") workOffline();
else addEventListener("load", workOffline, { once: true });
// The package is most of the page's size, so it is loaded when the visitor seems about to add a file.
document.addEventListener("dragenter", preload, { once: true });
for (const sign of ["pointerenter", "focusin"]) part("drop").addEventListener(sign, preload, { once: true });

/** Shows or hides the settings where there is little room. */
function togglePanel() {
  const open = part("show-settings").getAttribute("aria-expanded") !== "true";
  part("show-settings").setAttribute("aria-expanded", open);
  part("panel").dataset.open = open;
  // They are shown above the files, but come after them in the document.
  if (open) part("panel").focus();
}

function preload() {
  // An error occurs again, and is shown, on the first card.
  formats().catch(() => {});
}

function take(files) {
  const items = files.map(({ file, path }) => new Item(file, path, readSettings));
  const first = list.items.length === 0;
  list.add(items);
  if (!first) cards.card(items[0]).element.scrollIntoView({ block: "nearest" });
  for (const item of items) item.begin();
}

function createCard(item) {
  return new Card(item, {
    compare: () => compare(item),
    agree: () => (item.state === "no-server" ? openServiceDialog() : ask([item])),
    remove: () => {
      const { element } = cards.card(item);
      const next = element.nextElementSibling ?? element.previousElementSibling;
      remove([item], text.summary.removedOne(formatName(item.file.name)));
      (next?.querySelector(".remove") ?? part("file")).focus();
    },
  });
}

/** What offers formats on the cards is not needed before there are any. */
function offerFormats() {
  import("./offers/on-cards.js").then(({ offerOnCards }) => offerOnCards(list, cards.card)).catch(() => {});
}

function compareFirst() {
  const item = cards.shown().find(({ state }) => state === "done");
  if (item) compare(item);
}

async function compare(item) {
  say("");
  try {
    const { openComparison } = await import("./compare/comparison.js");
    await openComparison(item, { items: () => cards.shown().filter(({ result }) => result), useForAll });
  } catch (error) {
    say(errorMessage(error));
  }
}

/** Makes the settings of an image those of all images. */
function useForAll({ own, call, facts }) {
  const aim = own.aim && { aim: own.aim, [own.aim === "size" ? "kilobytes" : "quality"]: String(own.kilobytes ?? own.quality) };
  const codec = CODEC.filter((name) => own[name] !== undefined).map((name) => [name, own[name] === Infinity ? "" : String(own[name])]);
  changeSettings({ imageTo: own.to ?? call.to ?? facts.type, ...aim, ...Object.fromEntries(codec) });
  const followed = Object.fromEntries(["to", "aim", "quality", "kilobytes", ...CODEC].map((name) => [name, undefined]));
  forEachInSlices(list.items, (item) => item.adjust(followed));
}

/** Removes items, and offers to undo it. */
function remove(items, words) {
  const restore = list.remove(items);
  const undo = () => {
    restore();
    const { element } = cards.card(items[0]);
    // A filter may hide it.
    (element.isConnected ? element : part("filter")).focus();
  };
  offerUndo(words, { undo, expire: () => cards.dispose(items) });
}

function show() {
  const empty = list.items.length === 0;
  document.body.toggleAttribute("data-empty", empty);
  part("summary").hidden = empty;
  part("cards").hidden = empty;
  makeRoomForOffers();
  askForWaiting();
}

/** Asks for consent if items need it: only when all added files are recognized, so that there is one question. */
function askForWaiting() {
  const { needConsent, reading } = list.totals();
  if (needConsent === 0 || reading > 0 || planning > 0) return;
  const asking = list.in("needs-consent").filter((item) => !kept.has(item));
  if (asking.length > 0) ask(asking);
}

async function ask(items) {
  if (asked) return;
  asked = true;
  for (const item of items) kept.add(item);
  const agreed = await askConsent(items);
  asked = false;
  // A refusal applies to all items on the page, even those that need the server later. Each card offers to ask again.
  if (agreed === false) return list.items.forEach((item) => kept.add(item));
  // They are asked for again if the server changes, and at once if it has changed.
  items.forEach((item) => kept.delete(item));
  if (agreed === undefined) askForWaiting();
}

function makeRoomForOffers() {
  part("cards").toggleAttribute("data-offers", areFormatsOffered());
}

async function refresh() {
  writeCode();
  makeRoomForOffers();
  planning++;
  // Of thousands of items some may have been removed meanwhile.
  await forEachInSlices(list.items, (item) => list.has(item) && item.refresh());
  planning--;
  askForWaiting();
}

/** Shows the call for a large JPEG; for a large PNG if the output is JPEG, or if only files that stay PNG have the colors that are set. */
async function writeCode() {
  const known = await formats().catch(() => undefined);
  if (!known) return;
  const settings = readSettings();
  const { to, colors } = settings.image;
  const type = to === "image/jpeg" || (to === "" && colors < Infinity) ? "image/png" : "image/jpeg";
  const facts = { class: "image", type, width: Infinity, height: Infinity, hasAlpha: type === "image/png" };
  part("code").textContent = codeSample(planCall(settings, facts, {}, known));
}

/** Reports a server in the fragment that was refused. */
function reportRefusal() {
  if (service.error) say(text.service.refused(service.error));
}

function say(words) {
  part("note").textContent = words;
  part("note").hidden = words === "";
}
