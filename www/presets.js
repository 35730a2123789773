// Presets of the settings: three for common ends, and one of the visitor's own.
import { announce } from "./announce.js";
import { keepFocus } from "./focus.js";
import { changedValues, read, setValues, write } from "./settings-memory.js";
import { text } from "./text.js";

const STORE = "filepress.preset";
/** Values of the form that differ from the defaults. */
const PRESETS = {
  web: { imageTo: "image/webp", longest: "1920" },
  mail: { imageTo: "image/jpeg", aim: "size", kilobytes: "1000" },
  avatar: { imageTo: "image/jpeg", longest: "512" },
};
const form = document.getElementById("settings");
const buttons = [...document.querySelectorAll("[data-preset]")];

export function watchPresets() {
  for (const button of buttons) {
    button.title = text.presets[button.dataset.preset];
    button.addEventListener("click", () => apply(valuesOf(button)));
  }
  document.getElementById("preset-keep").addEventListener("click", () => {
    write(STORE, changedValues());
    announce(text.presets.kept);
    show();
  });
  document.getElementById("preset-reset").addEventListener("click", () => apply({}));
  form.addEventListener("input", show);
  show();
}

const valuesOf = ({ dataset }) => PRESETS[dataset.preset] ?? read(STORE);

function apply(changes) {
  setValues(changes);
  form.dispatchEvent(new Event("input"));
}

/** Marks the preset that the settings are, and offers the visitor's own if there is one. */
function show() {
  const now = JSON.stringify(sorted(changedValues()));
  for (const button of buttons) {
    const values = valuesOf(button);
    button.hidden = Object.keys(values).length === 0;
    button.setAttribute("aria-pressed", JSON.stringify(sorted(values)) === now);
  }
  const reset = document.getElementById("preset-reset");
  keepFocus(reset, () => (reset.hidden = now === "[]"), [document.getElementById("preset-keep")]);
}

const sorted = (values) => Object.entries(values).sort();
