// The cases of the benchmark, by the ids that libraries use.

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
 * @property {Goal[]} [goals] what the project set itself.
 */

/**
 * @typedef {object} Goal
 * @property {"bytes" | "time" | "memory" | "download"} measure as in ranking.mjs.
 * @property {number} most a ratio; of a download, bytes.
 * @property {string} [beside] the peer, where it is not the one of ranking.mjs.
 */

/** @type {Work[]} */
export const cases = [
  {
    id: "jpeg",
    title: "JPEG → JPEG",
    output: "jpg",
    pictures: ["camera", "storm", "meadow"],
    target: 70,
    start: [65, 85],
    memory: "camera",
    goals: [
      { measure: "time", most: 0.65 },
      { measure: "bytes", most: 1 },
      { measure: "download", most: 350 * 1024 },
    ],
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
    goals: [
      { measure: "time", most: 0.8, beside: "vips" },
      { measure: "memory", most: 0.5, beside: "jsquash" },
    ],
  },
  {
    id: "webp",
    title: "JPEG → WebP",
    output: "webp",
    pictures: ["camera", "storm", "meadow"],
    target: 70,
    start: [65, 85],
    memory: "camera",
    goals: [
      { measure: "bytes", most: 1.02 },
      { measure: "time", most: 1.5 },
      { measure: "download", most: 350 * 1024 },
    ],
  },
  {
    id: "avif",
    title: "JPEG → AVIF",
    output: "avif",
    pictures: ["dune", "meadow"],
    target: 70,
    start: [50, 75],
    memory: "meadow",
    goals: [
      { measure: "bytes", most: 1 },
      { measure: "time", most: 2 },
    ],
  },
  {
    id: "png",
    title: "PNG → PNG, every pixel kept",
    output: "png",
    pictures: ["arcs", "waves", "float", "phone"],
    memory: "film",
    goals: [
      { measure: "time", most: 0.5, beside: "jsquash" },
      { measure: "bytes", most: 1.01, beside: "jsquash" },
    ],
  },
  {
    id: "png-lossy",
    title: "PNG → PNG with fewer colors",
    output: "png",
    pictures: ["arcs", "float", "phone"],
    target: 60,
    start: [40, 80],
    memory: "film",
  },
];

/** What is measured in Chromium: `of` is the work that its peers know. @type {(Work & { of: string })[]} */
export const browserCases = ["jpeg", "thumbnail", "webp"].map((id) => {
  const work = cases.find((one) => one.id === id);
  const pictures = work.pictures.filter((name) => ["camera", "storm", "meadow"].includes(name));
  return { ...work, id: `chromium-${id}`, of: id, title: `${work.title}, in Chromium`, pictures, goals: undefined };
});

/** Photos that are handed over at once; `peers` are those with the mozjpeg of the thumbnail, and what threads can do. */
export const batchCase = {
  id: "batch",
  of: "thumbnail",
  title: "20 photos at once: JPEG → JPEG, 1600 pixels wide",
  photos: 20,
  picture: "wood",
  width: 1600,
  quality: 75,
  /** How many times as much as one after the other, on two cores. */
  least: 1.8,
  peers: ["filepress", "jsquash", "vips", "optimization", "sharp"],
};

/** Variants of one photo: see variants.mjs. */
export const variantsCase = { id: "variants", title: "12 variants of one photo", picture: "camera", rounds: 3 };
