// Firefox's dialog for a folder, which is the system's, answered from within the browser; what the browser makes of the answer, and the
// question that it asks the visitor before a page gets a whole folder, are its own.
import { until } from "../../package/support/until.mjs";
import { evaluateInFirefox } from "./firefox-itself.mjs";

/** Clicks what opens the dialog in a page of Puppeteer, takes the folder at `path`, and agrees that the page gets its files. */
export async function chooseFolder(page, selector, path) {
  await evaluateInFirefox(page, answerDialog, path);
  await page.click(selector);
  await until(() => evaluateInFirefox(page, agree));
}

/** Runs in the browser: a component of XPCOM takes the place of the system's dialog. */
function answerDialog(path) {
  const { Cc, Ci, ChromeUtils, Components, Services } = globalThis;
  const folder = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile);
  folder.initWithPath(path);
  const dialog = {
    QueryInterface: ChromeUtils.generateQI(["nsIFilePicker"]),
    init() {},
    appendFilters() {},
    appendFilter() {},
    appendRawFilter() {},
    open: (callback) => Services.tm.dispatchToMainThread(() => callback.done(Ci.nsIFilePicker.returnOK)),
    file: folder,
  };
  const factory = {
    QueryInterface: ChromeUtils.generateQI(["nsIFactory"]),
    createInstance: (type) => dialog.QueryInterface(type),
  };
  const registrar = Components.manager.QueryInterface(Ci.nsIComponentRegistrar);
  registrar.registerFactory(Services.uuid.generateUUID(), "", "@mozilla.org/filepicker;1", factory);
}

/** Runs in the browser: agrees to its question. For the first second of its words, its buttons do nothing. */
function agree() {
  const shown = [...document.querySelectorAll("browser")].find(({ currentURI }) => currentURI?.spec.includes("commonDialog"));
  if (!shown?.contentDocument.getElementById("infoBody")?.textContent) return false;
  const dialog = shown.contentDocument.querySelector("dialog");
  if (dialog.getButton("accept").disabled) return false;
  dialog.acceptDialog();
  return true;
}
