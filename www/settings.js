// The settings form: its help texts, and its values as an object.
import { changedValues, rememberSettings, restoreSettings, setValues, takeSettings } from "./settings-memory.js";
import { text } from "./text.js";
import { watermarkKey } from "./watermark.js";

const words = text.settings;
const form = document.getElementById("settings");
const fields = form.elements;

/** Names of the number fields, and whether each may be empty. */
const NUMBERS = { longest: true, kilobytes: false, colors: true };
/** Debounce of changes in milliseconds; longer for numbers, which take several keys to type. */
const DEBOUNCE = 350;
const NUMBER_DEBOUNCE = 800;

/** The values of the last valid form, and those that were last applied. */
restoreSettings();
let current = readForm();
let applied = current;

/**
 * The settings by class of file, and the pattern of names. `to` is "" if the format is kept; without a longest side, `longest` is
 * Infinity, and so is `colors` without a limit of colors. `dither` is in percent.
 */
export const readSettings = () => current;

/** The values of the form as they are: before the debounce, and with numbers that may be invalid. */
export function readForm() {
  return {
    image: {
      to: fields.imageTo.value,
      aim: fields.aim.value,
      quality: fields.quality.valueAsNumber,
      kilobytes: fields.kilobytes.valueAsNumber,
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

/** The value of a number field that sets no limit if it is empty. An invalid number is none. */
function limit({ value, validity, valueAsNumber }) {
  return value === "" || !validity.valid ? Infinity : valueAsNumber;
}

/** The overlay of the package's options, with the key of its picture; undefined if there is none. */
function readWatermark() {
  const image = watermarkKey();
  if (!image) return undefined;
  const [position, opacity, width] = [fields.markPosition.value, fields.markOpacity.valueAsNumber / 100, `${fields.markWidth.value}%`];
  return { image, position, margin: "3%", width, opacity };
}

/**
 * Calls `changed` after a debounced change of the form, or of the settings in the address. The cards are marked as busy until it has resolved. While a number is invalid, the
 * settings do not change.
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
    const invalid = Object.keys(NUMBERS).filter((name) => !check(name));
    const valid = invalid.length === 0;
    current = valid ? readForm() : applied;
    cards.ariaBusy = String(valid);
    // A number may be invalid until it is typed to its end.
    const own = valid
      ? setTimeout(apply, target?.type === "number" ? NUMBER_DEBOUNCE : DEBOUNCE)
      : setTimeout(() => invalid.forEach(showError), DEBOUNCE);
    timer = own;

    async function apply() {
      applied = current;
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
  const { value, validity } = field;
  const empty = value === "" && !validity.badInput;
  const asked = !field.closest("[hidden]");
  const right = !asked || (empty ? NUMBERS[name] : validity.valid);
  if (right) setError(field, "");
  return right;
}

function showError(name) {
  const field = fields[name];
  const [least, most] = [field.min, field.max].map((bound) => Number(bound).toLocaleString(`${text.locale}-u-nu-latn`));
  setError(field, words.number(least, most, NUMBERS[name]));
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
