// The formats that a file can be converted to: on this device from any image to any other, and what a server supports.

/** The formats to list first. */
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
 * @param {{ type: string, class: string, frames?: number, unread?: Error }} facts of the file.
 * @param {boolean} withServer whether there is a server.
 * @returns {object[]} entries of `formats`, in the order in which they are offered.
 */
export function outputFormats(formats, facts, withServer) {
  const { type, frames, unread } = facts;
  const input = formats.find((format) => format.type === type);
  // A page of a document or a frame of a video is offered in the formats that encode photographs at any quality.
  const isRemote = {
    image: (to) => (to.class === "document" && !unread) || (to.class === "video" && frames > 1 && input.animation),
    video: (to) => to.class === "video" || to.class === "audio" || to.autoQuality || to.animation,
    audio: (to) => to.class === "audio",
    document: (to) => to.class === "document" || to.autoQuality,
  }[facts.class];
  const isLocal = (to) => facts.class === "image" && to.write && (!to.vector || to.type === type);
  return inOrder(formats.filter((to) => isLocal(to) || (withServer && isRemote(to))));
}

function inOrder(formats) {
  const rank = ({ type }) => (COMMON.includes(type) ? COMMON.indexOf(type) : COMMON.length);
  return [...formats].sort((one, other) => rank(one) - rank(other));
}
