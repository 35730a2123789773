// The settings form: its help texts, and its values as an object.
const form = document.getElementById("settings");
const fields = form.elements;

const aimHelp = {
  default: "The default of the format: JPEG and WebP 80, AVIF 60, PNG lossless.",
  auto: "The smallest file that looks almost the same. Takes several times as long.",
  manual: "1 is smallest, 100 is best.",
  size: "At most this many kilobytes. Scales the image down only if necessary.",
};
const metadataHelp = {
  safe: "Keeps author, copyright and color profile. Removes location and camera details.",
  keep: "Keeps everything that the format can carry.",
  strip: "Removes everything except a color profile that is needed.",
};

/** Names of the number fields, and whether each may be empty. */
const NUMBERS = { longest: true, kilobytes: false };
/** Debounce of changes in milliseconds; longer for numbers, which take several keys to type. */
const DEBOUNCE = 350;
const NUMBER_DEBOUNCE = 800;

/** The values of the last valid form, and those that were last applied. */
let current = read();
let applied = current;

/** The settings by class of file. `to` is "" if the format is kept; without a longest side, `longest` is Infinity. */
export const readSettings = () => current;

function read() {
  return {
    image: {
      to: fields.imageTo.value,
      aim: fields.aim.value,
      quality: fields.quality.valueAsNumber,
      kilobytes: fields.kilobytes.valueAsNumber,
      longest: fields.longest.value === "" ? Infinity : fields.longest.valueAsNumber,
      metadata: fields.metadata.value,
      effort: fields.effort.valueAsNumber,
      minScore: fields.minScore.valueAsNumber,
      lossless: fields.lossless.checked,
      still: fields.still.checked,
      background: fields.background.value,
    },
    video: {
      to: fields.videoTo.value,
      level: fields.videoLevel.value,
      height: Number(fields.videoHeight.value),
      mute: fields.mute.checked,
    },
    audio: { to: fields.audioTo.value, bitrate: Number(fields.bitrate.value) * 1000 },
    document: { to: "", dpi: Number(fields.dpi.value) },
  };
}

/**
 * Calls `changed` after a debounced change. The cards are marked as busy until it has resolved. While a number is invalid, the
 * settings do not change.
 */
export function watchSettings(changed) {
  const cards = document.getElementById("cards");
  let timer;
  describe();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    describe();
    clearTimeout(timer);
    const valid = Object.keys(NUMBERS).map(check).every(Boolean);
    current = valid ? read() : applied;
    cards.ariaBusy = String(valid);
    const own = valid && setTimeout(apply, target.type === "number" ? NUMBER_DEBOUNCE : DEBOUNCE);
    timer = own;

    async function apply() {
      applied = current;
      await changed();
      if (timer === own) cards.ariaBusy = "false";
    }
  });
}

/** Validates a number field if it is visible, and shows or clears its error. Returns whether it is valid. */
function check(name) {
  const field = fields[name];
  const { min, max, value, validity } = field;
  const empty = value === "" && !validity.badInput;
  const asked = !field.closest("[hidden]");
  const right = !asked || (empty ? NUMBERS[name] : validity.valid);
  field.setAttribute("aria-invalid", !right);
  const [least, most] = [min, max].map((bound) => Number(bound).toLocaleString("en"));
  const place = document.getElementById(`${name}-error`);
  const words = `A whole number from ${least} to ${most}${NUMBERS[name] ? ", or empty" : ""}. The old value is used until then.`;
  place.textContent = right ? "" : words;
  // The error takes the place of the help text.
  place.previousElementSibling.hidden = !right;
  return right;
}

function describe() {
  const aim = fields.aim.value;
  document.getElementById("aim-help").textContent = aimHelp[aim];
  for (const part of form.querySelectorAll("[data-aim]")) part.hidden = part.dataset.aim !== aim;
  document.getElementById("metadata-help").textContent = metadataHelp[fields.metadata.value];
  for (const id of ["quality", "effort", "min-score"])
    document.getElementById(`${id}-value`).textContent = document.getElementById(id).value;
}
