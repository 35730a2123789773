// The settings form: what it says, and its values as an object.
const form = document.getElementById("settings");
const fields = form.elements;

const aimWords = {
  default: "What suits the type: JPEG and WebP 80, AVIF 60, PNG without any loss.",
  auto: "The smallest file that looks almost the same. Takes several times as long.",
  manual: "1 is smallest, 100 is best.",
  size: "At most so many kilobytes; shrinks the picture only where it must.",
};
const metadataWords = {
  safe: "Author, copyright and colors stay; places and devices go.",
  keep: "Everything stays that the type can carry.",
  strip: "Nothing stays but a color profile that is needed.",
};

/** The number fields, by their names, and whether one may be empty. */
const NUMBERS = { longest: true, kilobytes: false };
/** Milliseconds that a change rests before it is taken; longer for numbers, of which the first digits say something else. */
const REST = 350;
const REST_OF_NUMBER = 800;

/** What holds: the form as it was when all of it could be understood, and that of the change before. */
let held = read();
let taken = held;

/** The settings, by the class of file. `to` is "" where the type is kept; without a longest side that is Infinity. */
export const readSettings = () => held;

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
 * Calls back once a change has come to rest; what hangs on the settings is busy from the change until that call has resolved. As
 * long as a number cannot be understood nothing is changed.
 */
export function watchSettings(changed) {
  const concerned = document.getElementById("cards");
  let timer;
  describe();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    describe();
    clearTimeout(timer);
    const right = Object.keys(NUMBERS).map(check).every(Boolean);
    held = right ? read() : taken;
    concerned.ariaBusy = String(right);
    const own = right && setTimeout(take, target.type === "number" ? REST_OF_NUMBER : REST);
    timer = own;

    async function take() {
      taken = held;
      await changed();
      if (timer === own) concerned.ariaBusy = "false";
    }
  });
}

/** Whether a number can be understood, where it is asked for; says at its field what is wrong. */
function check(name) {
  const field = fields[name];
  const { min, max, value, validity } = field;
  const empty = value === "" && !validity.badInput;
  const asked = !field.closest("[hidden]");
  const right = !asked || (empty ? NUMBERS[name] : validity.valid);
  field.setAttribute("aria-invalid", !right);
  const [least, most] = [min, max].map((bound) => Number(bound).toLocaleString("en"));
  const place = document.getElementById(`${name}-fault`);
  const words = `A whole number from ${least} to ${most}${NUMBERS[name] ? ", or nothing" : ""}. Until then nothing is changed.`;
  place.textContent = right ? "" : words;
  // It stands where the help stood.
  place.previousElementSibling.hidden = !right;
  return right;
}

function describe() {
  const aim = fields.aim.value;
  document.getElementById("aim-help").textContent = aimWords[aim];
  for (const part of form.querySelectorAll("[data-aim]")) part.hidden = part.dataset.aim !== aim;
  document.getElementById("metadata-help").textContent = metadataWords[fields.metadata.value];
  for (const id of ["quality", "effort", "min-score"])
    document.getElementById(`${id}-value`).textContent = document.getElementById(id).value;
}
