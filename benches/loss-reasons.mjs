// Why filepress loses a row, written by hand and taken over into BENCHMARKS.md wherever that row is lost: by the id of the work
// and the measure (see ranking.mjs), or `batch`. Only what a profile or the code shows; a row without a reason here says that none is known.

const photo =
  "A call loads one module that reads JPEG and writes JPEG and WebP, resizing and metadata included, and one that plans; a peer that loads " +
  "less has a module for each codec.";
const core =
  "A call loads one module with the codecs of all types of the web, and one that plans; a peer that loads less has a module for each codec.";
const deflate =
  "Nearly all of the time is one coding by libdeflate: the search for matches, and for the cheapest path through them. " +
  "A quicker search, and fewer rows to choose order and filter by, would mend it.";
const lessWork = "Its files are the larger ones of the table: sequential scans without trellis are less work.";
const canvas = "It has no codec: the browser's own native code decodes and encodes.";

/** Where there is none. */
export const unknown = "Why is not known: not profiled.";

export const reasons = {
  "jpeg.fastest": lessWork,
  "jpeg.download": photo,
  "thumbnail.fastest": lessWork,
  "thumbnail.download": photo,
  "webp.download": photo,
  "png.download": core,
  "png.bytes": "A photo is coded by the one filter that did best on some of its rows, where oxipng codes all rows by each.",
  "png.time": deflate,
  "png-lossy.time":
    "Looking for the nearest color of each pixel, and coding by libdeflate; where the exact colors fit a palette too and some of the " +
    "rows do not settle which is smaller, both are coded.",
  "png.memory": "oxipng holds the pixels, the filtered rows and room for an output of their size at once.",
  "png.fastest": "Its files are the larger ones of the table: less is tried.",
  "avif.download": "`full` has every codec, and AVIF is only there.",
  "chromium-jpeg.time": canvas,
  "chromium-jpeg.fastest": canvas,
  "chromium-jpeg.download": canvas,
  "chromium-thumbnail.time": canvas,
  "chromium-thumbnail.fastest": canvas,
  "chromium-thumbnail.download": canvas,
  "chromium-webp.time": canvas,
  "chromium-webp.fastest": canvas,
  "chromium-webp.download": canvas,
};
