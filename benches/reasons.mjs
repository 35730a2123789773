// Why filepress loses a row, written by hand and taken over into BENCHMARKS.md wherever that row is lost: by the id of the work
// and the measure (see standing.mjs), or `batch`. Only what a profile or the code shows; a row without a reason here says that none is known.

const oneModule =
  "A call loads one module with the codecs of all types of the web, and one that plans; a peer that loads less has a module for each codec.";
const lessWork = "Its files are the larger ones of the table: sequential scans without trellis are less work.";
const canvas = "It has no codec: the browser's own native code decodes and encodes.";

export const reasons = {
  "jpeg.fastest": lessWork,
  "jpeg.download": oneModule,
  "thumbnail.fastest": lessWork,
  "thumbnail.download": oneModule,
  "webp.download": oneModule,
  "png.download": oneModule,
  "png.fastest": "Its files are the larger ones of the table: less is tried.",
  "avif.time": "The encoder is rav1e, where the rivals have libaom; which of its stages takes the time is not known: not profiled.",
  "avif.bytes": "The encoder is rav1e, where the rivals have libaom; which of its decisions cost the bytes is not known.",
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
