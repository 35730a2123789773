// The reasons why filepress loses a row of BENCHMARKS.md, written by hand. The key is the id of the benchmark and the measure (see
// ranking.mjs), or `batch`. A reason states what a profile or the code shows; without one, the report says that none is known.

const photo =
  "A call loads two modules: one plans, the other reads JPEG, resizes, keeps metadata, and writes JPEG and WebP. Libraries that load less have one module per codec.";
const core = "A call loads two modules: one plans, the other has the codecs of all web types. Libraries that load less have one module per codec.";
const deflate = "Nearly all of the time is spent in DEFLATE: in the match search and in the shortest path. Fewer passes of the shortest path would reduce it.";
const lessWork = "That library writes larger files: sequential scans without trellis quantization are less work.";
const canvas = "That library has no codec of its own: it uses the browser's native code.";

/** For a row without a reason. */
export const unknown = "The reason is not known: not profiled.";

export const reasons = {
  "jpeg.fastest": lessWork,
  "jpeg.download": photo,
  "thumbnail.fastest": lessWork,
  "thumbnail.download": photo,
  "webp.download": photo,
  "png.download": core,
  "png.bytes": "filepress encodes a photo with the filter that did best on a sample of its rows; oxipng encodes all rows with each filter.",
  "png.time": deflate,
  "png-lossy.time":
    "Most of it is the search for the nearest palette color of each pixel, and DEFLATE. A picture whose exact colors fit into a palette is encoded both with them and with fewer, unless a sample of its rows shows which file is smaller.",
  "png.memory": "The pixels and the compressed rows are in memory at once.",
  "png.fastest": "That library tries fewer filters; its files are larger.",
  "avif.time":
    "The profile shows the search: each block is transformed and quantized in several ways, and modes are ranked by SATD. Ranking fewer candidates would reduce it.",
  "avif.fastest": "Its files are larger: it searches less.",
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
