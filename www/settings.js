// The settings form: its help texts, and its values as an object.
import { changedValues, rememberSettings, restoreSettings, setValues, takeSettings, valueOf } from "./settings-memory.js";
import { text } from "./text.js";
import { watermarkKey } from "./watermark.js";

const words = text.settings;
const form = document.getElementById("settings");
const fields = form.elements;

/** Names of the number fields. */
const NUMBERS = ["longest", "kilobytes", "colors"];
/** Debounce of changes in milliseconds; longer for numbers, which take several keys to type. */
const DEBOUNCE = 350;
const NUMBER_DEBOUNCE = 800;

restoreSettings();
let current = readForm();

/**
 * The settings by class of file, and the pattern of names. `to` is "" if the format is kept; without a longest side, `longest` is
 * Infinity, and so is `colors` without a limit of colors. `dither` is in percent.
 */
export const readSettings = () => current;

/** The values of the form as they are, before the debounce. In the place of an invalid number is the one that was last applied. */
export function readForm() {
  return {
    image: {
      to: fields.imageTo.value,
      aim: fields.aim.value,
      quality: fields.quality.valueAsNumber,
      kilobytes: limit(fields.kilobytes),
      longest: limit(fields.longest),
      metadata: fields.metadata.value,
      effort: fields.effort.valueAsNumber,
      colors: limit(fields.colors),
      dither: fields.dither.valueAsNumber,
      chroma: fields.chroma.value,
      minScore: fields.minScore.valueAsNumber,
      lossless: fields.lossless.checked,
      still: fields.still.checked,
      hdr: fields.hdr.checked,
      background: fields.background.value,
      watermark: readWatermark(),
    },
    video: {
      to: fields.videoTo.value,
      level: fields.videoLevel.value,
      height: Number(fields.videoHeight.value),
      mute: fields.mute.checked,
    },
    audio: { to: fields.audioTo.value, bitrate: Number(fields.bitrate.value) * 1000 },
    document: { to: "", dpi: Number(fields.dpi.value) },
    pattern: fields.pattern.value || "{name}",
  };
}

/** The value of a number field that sets no limit if it is empty. */
function limit(field) {
  return Number(valueOf(field) || Infinity);
}

/** The overlay of the package's options, with the key of its picture; undefined if there is none. */
function readWatermark() {
  const image = watermarkKey();
  if (!image) return undefined;
  const [position, opacity, width] = [fields.markPosition.value, fields.markOpacity.valueAsNumber / 100, `${fields.markWidth.value}%`];
  return { image, position, margin: "3%", width, opacity };
}

/**
 * Calls `changed` after a debounced change of the form, or of the settings in the address. The cards are marked as busy until it has resolved. While a number is
 * invalid, the one that was last applied stays.
 */
export function watchSettings(changed) {
  const cards = document.getElementById("cards");
  let timer;
  describe();
  form.addEventListener("submit", (event) => event.preventDefault());
  // `location` may have been overwritten by a change of the form since.
  addEventListener("hashchange", ({ newURL }) => takeSettings(newURL) && form.dispatchEvent(new Event("input")));
  form.addEventListener("input", ({ target }) => {
    describe();
    clearTimeout(timer);
    const invalid = NUMBERS.filter((name) => !check(name));
    current = readForm();
    cards.ariaBusy = "true";
    const own = setTimeout(apply, target?.type === "number" && invalid.length === 0 ? NUMBER_DEBOUNCE : DEBOUNCE);
    timer = own;

    async function apply() {
      // A number may be invalid until it is typed to its end.
      invalid.forEach(showError);
      rememberSettings();
      await changed();
      if (timer === own) cards.ariaBusy = "false";
    }
  });
}

/** Changes fields of the form, as a visitor would. */
export function changeSettings(changes) {
  setValues({ ...changedValues(), ...changes });
  form.dispatchEvent(new Event("input"));
}

/** Validates a number field if it is visible. Returns whether it is valid; if so, its error is cleared. */
function check(name) {
  const field = fields[name];
  const right = field.validity.valid || field.closest("[hidden]") !== null;
  if (right) setError(field, "");
  return right;
}

function showError(name) {
  const field = fields[name];
  const [least, most] = [field.min, field.max].map((bound) => Number(bound).toLocaleString(`${text.locale}-u-nu-latn`));
  setError(field, words.number(least, most, !field.required));
  const fold = field.closest("details");
  if (fold) fold.open = true;
}

/** Shows an error in the place of the field's help text, or "" for none. */
function setError(field, error) {
  const place = document.getElementById(`${field.name}-error`);
  field.setAttribute("aria-invalid", error !== "");
  place.textContent = error;
  place.previousElementSibling.hidden = error !== "";
}

function describe() {
  const aim = fields.aim.value;
  document.getElementById("aim-help").textContent = words.aim[aim];
  for (const part of form.querySelectorAll("[data-aim]")) part.hidden = part.dataset.aim !== aim;
  document.getElementById("metadata-help").textContent = words.metadata[fields.metadata.value];
  for (const id of ["quality", "effort", "dither", "min-score", "mark-opacity", "mark-width"])
    document.getElementById(`${id}-value`).textContent = document.getElementById(id).value;
}
