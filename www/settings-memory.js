// Remembers the settings: in the fragment of the address, so that a link can carry them, and in the browser for the next visit. Only
// those that differ from the defaults are written. A server in the fragment (`#service=…&key=…`) belongs to service.js.

const STORE = "filepress.settings";
const form = document.getElementById("settings");
const fields = [...form.elements].filter(({ name }) => name !== "");
/** Values that were last applied, by name of the field. */
let applied = {};
const defaults = values();
/** The address of an entry of the history, of which the browser is about to tell. */
let left;

/** The values of the form that differ from the defaults, by name of the field. */
export function changedValues() {
  return Object.fromEntries(Object.entries(values()).filter(([name, value]) => defaults[name] !== value));
}

/** Sets the form to the defaults with these changes. Values that a field does not take are left out. */
export function setValues(changes) {
  form.reset();
  for (const field of fields) if (Object.hasOwn(changes, field.name)) set(field, changes[field.name]);
}

/** Restores the settings of the address, or else of the last visit. */
export function restoreSettings() {
  if (!takeSettings(location.href)) setValues(read(STORE));
  applied = values();
}

/** Sets the form to the settings in an address. Returns false, and changes nothing, if there are none in it, or if `keepSettings` left it. */
export function takeSettings(address) {
  if (address === left) {
    left = undefined;
    return false;
  }
  const entries = [...new URLSearchParams(new URL(address).hash.slice(1))].filter(([name]) => Object.hasOwn(defaults, name));
  if (entries.length > 0) setValues(Object.fromEntries(entries));
  return entries.length > 0;
}

/** Writes the settings into the address and into the browser. */
export function rememberSettings() {
  applied = values();
  const changes = changedValues();
  write(STORE, changes);
  const hash = new URLSearchParams(changes).toString();
  history.replaceState(history.state, "", `${location.pathname}${location.search}${hash && `#${hash}`}`);
}

/** Writes the settings into an entry of the history that the visitor went back to, whose address has those of an earlier time. */
export function keepSettings() {
  const { href } = location;
  rememberSettings();
  left = href === location.href ? undefined : href;
}

/** What is stored under a name: an object, empty if there is nothing. A browser may refuse the storage itself. */
export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

/** Stores an object, if the browser allows it. */
export function write(name, object) {
  try {
    localStorage.setItem(name, JSON.stringify(object));
  } catch {
    // It lasts as long as the page is open.
  }
}

/** The value of a field, or the one that was last applied while it is invalid. */
export function valueOf({ name, value, defaultValue, validity }) {
  return validity.valid ? value : (applied[name] ?? defaultValue);
}

function values() {
  const entries = fields.filter(({ type, checked }) => type !== "radio" || checked);
  return Object.fromEntries(entries.map((field) => [field.name, field.type === "checkbox" ? String(field.checked) : valueOf(field)]));
}

function set(field, value) {
  if (field.type === "checkbox") field.checked = value === "true";
  else if (field.type === "radio") field.checked ||= field.value === value;
  else {
    const before = field.value;
    field.value = value;
    // A number that is out of range, or an option that there is not.
    if (field.value !== value || !field.validity.valid) field.value = before;
  }
}
