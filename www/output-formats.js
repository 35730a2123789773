// The formats that a file can be converted to: on this device from any image to any other, and what a server supports.

/** Image formats offered for a page of a document or a frame of a video. */
const STILLS = ["image/jpeg", "image/png", "image/webp", "image/avif"];
const MOVING = ["image/gif", "image/webp"];
/** Common formats, listed first. */
const COMMON = [
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
 * @param {object[]} formats the result of `formats()`.
 * @param {{ type: string, class: string, frames?: number }} facts of the file.
 * @param {boolean} withServer whether there is a server.
 * @returns {object[]} entries of `formats`, in the order in which they are offered.
 */
export function outputFormats(formats, facts, withServer) {
  const { type, frames } = facts;
  const isRemote = {
    image: ({ type: to, class: kind }) => to === "application/pdf" || (kind === "video" && frames > 1 && MOVING.includes(type)),
    video: ({ type: to, class: kind }) => kind === "video" || kind === "audio" || STILLS.includes(to) || MOVING.includes(to),
    audio: ({ class: kind }) => kind === "audio",
    document: ({ type: to }) => to === "application/pdf" || STILLS.includes(to),
  }[facts.class];
  const isLocal = (to) => facts.class === "image" && isOffered(to) && (to.type !== "image/svg+xml" || type === "image/svg+xml");
  return inOrder(formats.filter((to) => isLocal(to) || (withServer && isRemote(to))));
}

const isOffered = ({ engine, write }) => engine === "local" && write;

function inOrder(formats) {
  const rank = ({ type }) => (COMMON.includes(type) ? COMMON.indexOf(type) : COMMON.length);
  return [...formats].sort((one, other) => rank(one) - rank(other));
}
