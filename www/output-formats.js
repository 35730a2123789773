// Which types a file can become: on this device any picture any other, and with a service what it is made for.

/** Pictures that a page or a frame may become without anyone wondering. */
const STILLS = ["image/jpeg", "image/png", "image/webp", "image/avif"];
const MOVING = ["image/gif", "image/webp"];
/** The usual ones first. */
const USUAL = [
  "image/jpeg",
  "image/webp",
  "image/png",
  "image/avif",
  "image/gif",
  "image/tiff",
  "video/mp4",
  "video/webm",
  "audio/mpeg",
  "audio/mp4",
];

/**
 * @param {object[]} formats what `formats()` tells.
 * @param {{ type: string, class: string, frames?: number }} facts of the file.
 * @param {boolean} withService whether there is a service.
 * @returns {object[]} rows of `formats`, in the order to be offered.
 */
export function outputsOf(formats, facts, withService) {
  const { type, frames } = facts;
  const heavy = {
    image: ({ type: to, class: kind }) => to === "application/pdf" || (kind === "video" && frames > 1 && MOVING.includes(type)),
    video: ({ type: to, class: kind }) => kind === "video" || kind === "audio" || STILLS.includes(to) || MOVING.includes(to),
    audio: ({ class: kind }) => kind === "audio",
    document: ({ type: to }) => to === "application/pdf" || STILLS.includes(to),
  }[facts.class];
  const light = (to) => facts.class === "image" && isOffered(to) && (to.type !== "image/svg+xml" || type === "image/svg+xml");
  return inOrder(formats.filter((to) => light(to) || (withService && heavy(to))));
}

const isOffered = ({ engine, write }) => engine === "local" && write;

function inOrder(formats) {
  const rank = ({ type }) => (USUAL.includes(type) ? USUAL.indexOf(type) : USUAL.length);
  return [...formats].sort((one, other) => rank(one) - rank(other));
}
