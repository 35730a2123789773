// The works of the bench, by ids that the peers know.

/**
 * @typedef {object} Work
 * @property {string} id
 * @property {string} title
 * @property {"jpg" | "png" | "webp" | "avif"} output
 * @property {string[]} pictures by the names of corpus.mjs; a quick run takes the last two.
 * @property {number} [target] the SSIMULACRA2 score at which sizes are compared; absent where no pixel changes.
 * @property {number[]} [start] the qualities that every sweep starts with.
 * @property {number} [width] of the output, in pixels.
 * @property {string} memory the picture with which memory is measured.
 */

/** @type {Work[]} */
export const works = [
  {
    id: "jpeg",
    title: "JPEG → JPEG",
    output: "jpg",
    pictures: ["camera", "storm", "meadow"],
    target: 70,
    start: [65, 85],
    memory: "camera",
  },
  {
    id: "thumbnail",
    title: "JPEG → JPEG, 1600 pixels wide",
    output: "jpg",
    pictures: ["elephants", "camera", "wings", "storm"],
    target: 70,
    start: [65, 85],
    width: 1600,
    memory: "camera",
  },
  {
    id: "webp",
    title: "JPEG → WebP",
    output: "webp",
    pictures: ["camera", "storm", "meadow"],
    target: 70,
    start: [65, 85],
    memory: "camera",
  },
  {
    id: "avif",
    title: "JPEG → AVIF",
    output: "avif",
    pictures: ["dune", "meadow"],
    target: 70,
    start: [50, 75],
    memory: "meadow",
  },
  {
    id: "png",
    title: "PNG → PNG, every pixel kept",
    output: "png",
    pictures: ["arcs", "waves", "float", "phone"],
    memory: "film",
  },
  {
    id: "png-lossy",
    title: "PNG → PNG with fewer colours",
    output: "png",
    pictures: ["arcs", "float", "phone"],
    target: 60,
    start: [40, 80],
    memory: "film",
  },
];

/** What is measured in Chromium: `of` is the work that its peers know. @type {(Work & { of: string })[]} */
export const browserWorks = ["jpeg", "thumbnail", "webp"].map((id) => {
  const work = works.find((one) => one.id === id);
  const pictures = work.pictures.filter((name) => ["camera", "storm", "meadow"].includes(name));
  return { ...work, id: `chromium-${id}`, of: id, title: `${work.title}, in Chromium`, pictures };
});

/** Photos that are handed over at once; `peers` are those with the mozjpeg of the thumbnail, and what threads can do. */
export const batchWork = {
  id: "batch",
  of: "thumbnail",
  title: "20 photos at once: JPEG → JPEG, 1600 pixels wide",
  photos: 20,
  picture: "wood",
  width: 1600,
  quality: 75,
  peers: ["filepress", "jsquash", "vips", "optimization", "sharp"],
};
