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
  safe: "Author, copyright and colours stay; places and devices go.",
  keep: "Everything stays that the type can carry.",
  strip: "Nothing stays but a colour profile that is needed.",
};

/** What the form says, by the class of file. `to` is "" where the type is kept; a number left empty is as without it. */
export function readSettings() {
  return {
    image: {
      to: fields.imageTo.value,
      aim: fields.aim.value,
      quality: fields.quality.valueAsNumber,
      kilobytes: atLeastOne(fields.kilobytes) ?? 200,
      longest: longestSide(atLeastOne(fields.longest)),
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

/** Calls back once a change has come to rest; what hangs on the settings is busy from the change until that call has resolved. */
export function watchSettings(changed) {
  const concerned = document.getElementById("cards");
  let timer;
  describe();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    describe();
    concerned.ariaBusy = "true";
    clearTimeout(timer);
    const own = setTimeout(async () => {
      await changed();
      if (timer === own) concerned.ariaBusy = "false";
    }, 350);
    timer = own;
  });
}

/** A whole number of a field; undefined where none stands that is 1 or more. */
function atLeastOne({ valueAsNumber }) {
  return valueAsNumber >= 0.5 ? Math.round(valueAsNumber) : undefined;
}

function longestSide(asked) {
  return asked === undefined ? Infinity : Math.min(asked, 16_383);
}

function describe() {
  const aim = fields.aim.value;
  document.getElementById("aim-help").textContent = aimWords[aim];
  for (const part of form.querySelectorAll("[data-aim]")) part.hidden = part.dataset.aim !== aim;
  document.getElementById("metadata-help").textContent = metadataWords[fields.metadata.value];
  for (const id of ["quality", "effort", "min-score"])
    document.getElementById(`${id}-value`).textContent = document.getElementById(id).value;
}
