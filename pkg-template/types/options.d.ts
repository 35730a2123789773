// The options of the package's functions. In all options objects, members that are `undefined` count as absent, unknown members are
// refused (`unknown_option`), and `null` is never a valid value (`invalid_option`), except inside `settings`.

import type { Client } from "./client.js";
import type { Input } from "./inputs.js";
import type { Progress } from "./progress.js";

/** Media type of a format that this version writes. */
export type ImageType =
  | "image/jpeg"
  | "image/png"
  | "image/webp"
  | "image/gif"
  | "image/bmp"
  | "image/x-icon"
  | "image/x-portable-anymap"
  | "image/x-tga"
  | "image/qoi"
  | "image/x-farbfeld"
  | "image/avif"
  | "image/tiff"
  | "image/x-exr"
  | "image/vnd.radiance"
  | "image/vnd.ms-dds"
  | "image/svg+xml";

/** A format that this version writes: its media type, or one of its file extensions. */
export type OutputType =
  | "image/jpeg" | "jpeg" | "jpg"
  | "image/png" | "png"
  | "image/webp" | "webp"
  | "image/gif" | "gif"
  | "image/bmp" | "bmp"
  | "image/x-icon" | "ico"
  | "image/x-portable-anymap" | "pnm"
  | "image/x-tga" | "tga"
  | "image/qoi" | "qoi"
  | "image/x-farbfeld" | "ff"
  | "image/avif" | "avif"
  | "image/tiff" | "tiff" | "tif"
  | "image/x-exr" | "exr"
  | "image/vnd.radiance" | "hdr"
  | "image/vnd.ms-dds" | "dds"
  | "image/svg+xml" | "svg";

/** Options of `compress`. */
export interface CompressOptions {
  /**
   * Format of the output: a media type or file extension. Default: the input's format; PNG for pixels; for JPEG XL, HEIC
   * and what a decoder returns as pixels, JPEG, or WebP if a pixel is transparent or a JPEG XL is animated. Errors:
   *
   * - `invalid_option`: the format is unknown.
   * - `unsupported_output`: filepress cannot write the image format, or cannot convert this image to it.
   * - `unsupported_pair`: filepress servers do not support the conversion of this input to the format.
   * - `needs_service`: video, audio and PDF without a `client`.
   */
  to?: OutputType | undefined;

  /**
   * Where the work is done. Default `"auto"`. Other values: `invalid_option`.
   *
   * - `"auto"`: images on the device, everything else on the server of `client`. If there is a client, an image that exceeds a limit
   *   of the device (`input_too_large`, `too_many_pixels`, `too_much_memory`) also goes to the server, with the warning
   *   `over_local_limit`, unless it exceeds a `maxInputBytes` that was set.
   * - `"local"`: on the device only. Calls that need a server reject with `needs_service`.
   * - `"remote"`: on the server, images too. Without a `client`, the call rejects with `needs_service`.
   */
  engine?: "auto" | "local" | "remote" | undefined;

  /**
   * Further settings of the server's task. The keys are those of the REST API: `{ crf: 30, mute: true }`. They take precedence over the
   * other options. No effect on the device. Must be a plain object that JSON can represent, otherwise `invalid_option`. The server rejects
   * unknown keys.
   */
  settings?: Record<string, unknown> | undefined;

  /**
   * Whether the server keeps the input and output files after the download, until the files expire. Default `false`: both files are deleted,
   * and the URLs in `task` stop working. No effect on the device. Boolean, otherwise `invalid_option`.
   */
  keepRemote?: boolean | undefined;

  /**
   * Name of the output's file. Its extension becomes that of the output's format. Default: see {@link Result.name}. At most 255
   * characters, without a folder and without characters that file systems refuse, otherwise `invalid_option`.
   */
  name?: string | undefined;

  /** `"blob"` (default): the result has a Blob. `"stream"`: it has a stream, see {@link StreamOptions}. Other values: `invalid_option`. */
  as?: "blob" | undefined;

  /**
   * Quality of lossy encoding: integer from 1 (smallest file) to 100 (best), or `"auto"`. Otherwise `invalid_option`.
   *
   * - JPEG: default 80. Chroma is subsampled below 90, see {@link chroma}.
   * - WebP: default 80. Not used with `lossless`.
   * - AVIF: default 60. Chroma is subsampled below 90, except in drawings and text, see {@link chroma}.
   * - PNG: lossless by default. With a `quality`, colors are reduced to a palette of at most 256 colors, fewer below 80.
   * - GIF: default 100. The palette has at most 256 colors from 80 on, and fewer below. See {@link colors}.
   * - OpenEXR, DDS: lossless by default. With a `quality`, OpenEXR stores 16-bit floats and DDS uses block compression (BC1, BC3, BC4, BC7).
   * - Other formats ignore `quality`, with the warning `option_ignored`.
   *
   * `"auto"` (JPEG, WebP, AVIF, PNG) searches for the lowest quality whose SSIMULACRA2 score is at least `minScore`. The result has that
   * `quality` and its `score`, unless the original was kept. Without `colors`, a PNG is written losslessly if the lossless file is not larger
   * than the one with a palette, or if no quality reaches the score. Then `quality` is absent and `score` is 100. Each step of the search
   * encodes, decodes and compares the image, so the call takes several times as long. For an animated WebP, the quality is searched with the
   * first frame and used for all frames; `score` is that of the first frame.
   */
  quality?: number | "auto" | undefined;

  /**
   * Target score of `quality: "auto"`: number from 1 to 100, otherwise `invalid_option`. Default 80. A score of 70 means high quality; at 90,
   * the output is hard to tell apart from the original. Ignored without `quality: "auto"`, with the warning `option_ignored`.
   */
  minScore?: number | undefined;

  /**
   * Maximum size of the output in bytes: integer from 1 to 9,007,199,254,740,991 (2⁵³ − 1), otherwise `invalid_option`. No default.
   *
   * Searches for the highest quality at which the output fits. `quality` is the upper bound of the search.
   *
   * - By default, the image may be downsized. The search first tries qualities down to a minimum: 40 for JPEG and WebP, 30 for AVIF, 10 for PNG and
   *   GIF, or `quality` if that is lower. If the output fits at none of these qualities, the dimensions are reduced, with the warning
   *   `resized_to_fit`.
   * - With `resize.width` or `resize.height`, the dimensions do not change, and the quality can go down to 1.
   * - With `lossless`, neither the dimensions nor the quality are reduced.
   *
   * An input that already fits is kept, whatever `quality` is, if its format, geometry and number of frames stay the same and no `overlay` is given.
   * An SVG is minified even if it fits.
   *
   * If no output fits, the call rejects with `target_unreachable`. `targetSize` together with `quality: "auto"` is refused (`invalid_option`).
   */
  targetSize?: number | undefined;

  /**
   * Preserves every pixel. Default `false`. Boolean, otherwise `invalid_option`.
   *
   * - WebP, AVIF: uses lossless WebP or lossless AVIF, with 8 bits per channel.
   * - JPEG: the input has to be a JPEG, and `resize` has to be absent, otherwise `lossless_unsupported`. The coefficients are copied and
   *   entropy-coded in fewer bytes; the pixels are not decoded.
   *   `crop` has to begin at the edge of a block of pixels (every 8 or 16 pixels). Otherwise the call rejects with `lossless_unsupported`, and
   *   `details` of the error has the nearest possible crop: `x`, `y`, `width`, `height`.
   *   The blocks at the right and lower edge can be incomplete. If a `rotate` or `flip` would move such blocks to the left or top, it is
   *   stored as EXIF orientation instead, with the warning `turned_by_exif`.
   * - PNG, OpenEXR, DDS: lossless even if `quality` is given.
   * - GIF: `lossless_unsupported`. All other formats are lossless anyway.
   */
  lossless?: boolean | undefined;

  /**
   * Compression effort: integer from 0 (fastest) to 9 (smallest file). Default 4. Otherwise `invalid_option`.
   *
   * - JPEG: 0 rounds the coefficients. 1 chooses coefficients by their error and their size in the file (trellis quantization). 2 also writes
   *   progressive files; a small image is written in one scan if that is smaller. 3 to 9 are the same as 2.
   * - PNG, ICO: higher values try more filters and compress harder. 9 searches for the smallest DEFLATE stream, which takes many times as long as 8.
   * - Lossy WebP: 7 to 9 are the same as 6.
   * - AVIF: 6 and 7 write the same file. 9 takes several times as long as 8.
   * - TIFF: the level of DEFLATE.
   * - Lossless WebP and all other formats: no effect.
   */
  effort?: number | undefined;

  /**
   * Maximum number of colors of a palette (PNG, GIF): integer from 2 to 256, otherwise `invalid_option`. Default: 256 at a `quality` of 80 or
   * more, and fewer below 80. A PNG keeps all colors if neither `quality` nor {@link dither} nor `targetSize` is given. If `quality` allows fewer
   * colors, that lower number is the maximum.
   *
   * A PNG with more colors gets a palette, without the warning `colors_reduced`. A transparent color counts as a color. A GIF always has at least two
   * opaque colors, so `colors: 2` gives three colors if pixels are transparent. Each frame of an animation can have a palette of its own.
   * `targetSize` and `quality: "auto"` never use more colors.
   *
   * With `lossless: true`, or if `to` is a format without palettes, the call rejects with `invalid_option`. If `to` is not given and the
   * format of the input has no palettes, the option is ignored (`option_ignored`).
   */
  colors?: number | undefined;

  /**
   * How strongly a palette (PNG, GIF) is dithered: number from 0 (each pixel gets the nearest color) to 1 (the default), otherwise
   * `invalid_option`. Dithering hides steps in gradients, and makes the file larger. Still images are dithered by error diffusion. Frames of
   * an animation are dithered by an ordered pattern instead, so that nothing flickers.
   *
   * If this option is given, a PNG gets a palette, as with {@link colors}. The option is refused in the cases in which `colors` is refused, and
   * ignored in the cases in which `colors` is ignored.
   */
  dither?: number | undefined;

  /**
   * Resolution of chroma in a lossy JPEG or AVIF. Default `"auto"`. Other values: `invalid_option`.
   *
   * - `"auto"`: `"444"` from quality 90 on, `"420"` below. AVIF drawings and text, which are recognized by their pixels, always get `"444"`.
   *   A JPEG that stays a JPEG of the same size never gets a higher resolution than it has.
   * - `"444"`: full resolution, the same as luma. Colored edges and thin colored lines stay sharp.
   * - `"420"`: half of the width and of the height, which takes fewer bytes.
   *
   * `targetSize` and `quality: "auto"` do not change the chroma resolution. A gray image has no chroma. A kept original keeps its chroma
   * resolution. Lossy WebP always has `"420"`.
   *
   * With `lossless: true`, or if `to` is neither JPEG nor AVIF, the call rejects with `invalid_option`. If `to` is not given and the input is
   * neither JPEG nor AVIF, the option is ignored (`option_ignored`).
   */
  chroma?: "auto" | "444" | "420" | undefined;

  /**
   * The part of the image to keep. Default: the whole image. A crop that is not within the image rejects with `invalid_option`; `details` of
   * the error has the image's `width` and `height`.
   *
   * `crop`, `rotate`, `flip` and `resize` apply in this order. They apply to the upright image, to every frame of an animation and to every
   * page. If an SVG is compressed as SVG, all four are ignored (`option_ignored`). A server refuses `crop`, `rotate` and `flip`
   * (`invalid_option`). The thumbnail in EXIF, which shows the whole image, is removed.
   */
  crop?: Crop | undefined;

  /** Clockwise rotation in degrees, after `crop`: 0, 90, 180 or 270, otherwise `invalid_option`. Default 0. See {@link crop}. */
  rotate?: 0 | 90 | 180 | 270 | undefined;

  /**
   * Mirrors the image, after `rotate`: `"horizontal"` swaps left and right, `"vertical"` top and bottom. Default: not mirrored. Other
   * values: `invalid_option`. See {@link crop}.
   */
  flip?: "horizontal" | "vertical" | undefined;

  /** Size of the output in pixels. Default: the size of the input, or of `crop`. */
  resize?: Resize | undefined;

  /** An image that is laid over the output, such as a watermark. Default: none. See {@link Overlay}. */
  overlay?: Overlay | undefined;

  /**
   * Color behind transparent pixels if the output format has no transparency (JPEG, PNM, Radiance HDR): `"#rgb"`, `"#rrggbb"`,
   * `"white"` or `"black"`, in sRGB. Default `"white"`. Otherwise `invalid_option`. If any pixel is affected, the result has the
   * warning `alpha_flattened`.
   *
   * Also the color of the padding of `resize.fit: "contain"`, in every format. A gray image with a color profile is converted to sRGB
   * if this color is not gray (`color_converted`).
   */
  background?: string | undefined;

  /**
   * Which metadata the output keeps. Default `"safe"`. Other values: `invalid_option`.
   *
   * - `"safe"`: the color profile, and author and copyright from EXIF. Location, camera details and thumbnails are removed. XMP, IPTC and
   *   PNG text are removed too, including any author and copyright in them.
   * - `"keep"`: color profile, EXIF, XMP and IPTC. When an image is re-encoded, these are lost: comments, PNG text and extended XMP
   *   (warning `metadata_dropped`), and Photoshop resources other than IPTC (no warning). A kept original loses nothing.
   * - `"strip"`: only the color profile, and only if it is not sRGB.
   *
   * JPEG, PNG, WebP, AVIF and TIFF carry metadata. EXIF orientation is applied to the pixels. If the pixels are not re-encoded (a kept
   * original, or `lossless` from JPEG to JPEG), the orientation stays in EXIF. `width` and `height` of the result always describe the upright
   * image.
   * `"safe"` and `"strip"` also remove metadata and comments from a kept original.
   *
   * A server keeps either all metadata (`"keep"`), or only a color profile other than sRGB (`"safe"` and `"strip"`). So `"safe"` loses author and
   * copyright. With `"safe"`, the result has the warning `metadata_dropped` if the input format and the output format can both carry EXIF, even
   * if this image had no author or copyright.
   */
  metadata?: "safe" | "keep" | "strip" | undefined;

  /**
   * What happens to animations. Default `"keep"`. Other values: `invalid_option`.
   *
   * - `"keep"`: GIF, animated WebP and APNG stay animated if the output is GIF or WebP, with their delays and loop count. An animated
   *   PNG or AVIF also stays animated if neither its format nor its geometry changes and no `overlay` is given, unless it exceeds `targetSize`. In
   *   all other cases the first frame is used, with the warning `animation_dropped`. An animated PNG is encoded again without loss; a number as
   *   `quality`, and `colors`, have no effect. An animated AVIF keeps its encoded frames (`animation_kept`), and so does an animated PNG with 16
   *   bits per channel, with a gray color profile, with a default image that is not a frame, or with `targetSize` or `quality: "auto"`.
   * - `"first"`: only the first frame is used.
   */
  animation?: "keep" | "first" | undefined;

  /**
   * What happens to the HDR gain map of a photo (Ultra HDR, ISO 21496-1, Apple). Default: `"keep"` if a JPEG becomes a `lossless` JPEG, otherwise
   * `"drop"`. If `hdr` is not given, a kept original keeps its map too: a JPEG with `metadata: "keep"`, an AVIF always. Other values:
   * `invalid_option`.
   *
   * - `"keep"`: a JPEG that becomes a JPEG or an AVIF keeps its gain map, which is cropped, rotated and resized like the image. If the map cannot
   *   be kept, the warning `gain_map_dropped` says why.
   * - `"drop"`: the output is the standard (SDR) image, with the warning `gain_map_dropped`.
   *
   * `metadata` has no effect on the description of the map. `targetSize` counts the bytes of the map. `"keep"` needs the `core`
   * build, or `full` for an AVIF.
   */
  hdr?: "keep" | "drop" | undefined;

  /**
   * Fonts for the text of an SVG: bytes of TrueType or OpenType files, which are copied when the call is made. They take precedence over
   * the built-in fonts, which cover Latin, Greek, Cyrillic and common symbols. Rejects with `invalid_option` if an SVG is rendered and one of the files is
   * not a font.
   */
  fonts?: readonly (ArrayBuffer | Uint8Array)[] | undefined;

  /** Limits of this call. */
  limits?: Limits | undefined;

  /**
   * Aborts the call, which rejects with `signal.reason` at once. A queued call leaves the queue. The worker of a running call is terminated. A
   * task on the server is canceled. Without workers, a running call cannot be interrupted: the signal is checked before and after the work.
   * Anything but an `AbortSignal`: `invalid_option`.
   */
  signal?: AbortSignal | undefined;

  /**
   * Called on the calling thread as the call proceeds. If this function throws, the call is not affected, and the exception is passed to
   * `reportError`, if that exists. Anything but a function: `invalid_option`.
   */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of `convert`. */
export type ConvertOptions = Omit<CompressOptions, "to">;

/** Options in addition to {@link CompressOptions}, for calls that can use a server. */
export interface RemoteOptions {
  /** Format of the output, also one that only the server writes. See {@link CompressOptions.to}. */
  to?: OutputType | (string & {}) | undefined;
  /** Connects to the server. Without it, files that need a server are rejected with `needs_service`. */
  client: Client | undefined;
}

/** Options in addition to {@link CompressOptions}, for results with a stream, so that a large file need not fit into memory. */
export interface StreamOptions {
  /** See {@link RemoteOptions.to}. */
  to?: OutputType | (string & {}) | undefined;
  /** The result has a stream of the output's bytes. If the work was done by a server, the output is downloaded as the stream is read. */
  as: "stream";
  /** See {@link RemoteOptions.client}. */
  client?: Client | undefined;
}

/** Options of one output of `variants`: those of `compress` that apply to the output. */
export type Variant = Omit<
  CompressOptions,
  "as" | "engine" | "settings" | "keepRemote" | "limits" | "signal" | "onProgress"
>;

/** Options of `variants`. Those that apply to an output are the defaults of all entries. */
export interface VariantsOptions extends Omit<CompressOptions, "engine" | "settings" | "keepRemote"> {
  /**
   * Leaves out an output that is not smaller than the fallback: the output of the same dimensions in the format of the last entry.
   * Default `false`. Boolean, otherwise `invalid_option`.
   */
  onlyIfSmaller?: boolean | undefined;
}

/** Options of `placeholder`. */
export type PlaceholderOptions = Pick<CompressOptions, "crop" | "rotate" | "flip" | "fonts" | "limits" | "signal">;

/** Options of `decode`. `animation` has no effect: the first frame is always decoded. */
export type DecodeOptions = Pick<CompressOptions, "crop" | "rotate" | "flip" | "resize" | "background" | "animation" | "fonts" | "limits" | "signal" | "onProgress">;

/**
 * Options of `compressAll`: those of `compress` without `name`, which is refused (`invalid_option`). Each progress event also has the
 * `index` of its input.
 */
export interface CompressAllOptions extends Omit<CompressOptions, "onProgress" | "name"> {
  /** See {@link CompressOptions.onProgress}. `index` counts the inputs from 0. */
  onProgress?: ((progress: Progress & { index: number }) => void) | undefined;
}

/** Options of `inspect`. */
export interface InspectOptions {
  /** See {@link CompressOptions.signal}. */
  signal?: AbortSignal | undefined;
  /**
   * Only `maxInputBytes` applies, and `maxPixels` if a decoder decodes the image ({@link InitOptions.decoders}). To a JPEG XL,
   * `maxMemoryBytes` applies too, because its color profile is decoded, and frames that others are drawn on.
   */
  limits?: Limits | undefined;
}

/** Options of `score`. */
export interface ScoreOptions {
  /** See {@link CompressOptions.signal}. */
  signal?: AbortSignal | undefined;
  /**
   * Color behind transparent pixels if only one of the two images has transparency. The notation is that of
   * {@link CompressOptions.background}. Default `"white"`. If both images have transparency, they are compared over black and over white, and
   * the lower score is returned.
   */
  background?: string | undefined;
  /** `maxInputBytes` and `maxPixels` apply to each image, `maxMemoryBytes` to both together. */
  limits?: Limits | undefined;
}

/**
 * Size of the output in pixels, with the image upright. All sizes are integers from 1 to 16383, otherwise `invalid_option`. `width` or
 * `height` alone keeps the aspect ratio.
 */
export interface Resize {
  /** Width. May enlarge the image. */
  width?: number | undefined;
  /** Height. May enlarge the image. */
  height?: number | undefined;
  /** Maximum width, applied after `width`, `height` and `fit`. Keeps the aspect ratio and never enlarges. */
  maxWidth?: number | undefined;
  /** Maximum height, applied after `width`, `height` and `fit`. Keeps the aspect ratio and never enlarges. */
  maxHeight?: number | undefined;
  /**
   * How the image fits `width` and `height` if both are given. Default `"fill"`. Other values: `invalid_option`.
   *
   * - `"fill"`: exactly `width` × `height`, stretched.
   * - `"inside"`: the largest size within `width` × `height` that keeps the aspect ratio. Nothing is padded.
   * - `"outside"`: the smallest size around `width` × `height` that keeps the aspect ratio.
   * - `"cover"`: exactly `width` × `height`. The aspect ratio is kept, and what exceeds the size is cropped: see `position`.
   * - `"contain"`: exactly `width` × `height`. The image is resized as with `"inside"`, and padded: see `position`. The padding has the color
   *   `background`. Without `background`, it is transparent, or white if the output format has no transparency.
   *
   * A server refuses `"outside"` and `"contain"` (`invalid_option`).
   */
  fit?: "fill" | "inside" | "outside" | "cover" | "contain" | undefined;
  /**
   * The part that `fit: "cover"` keeps, and the place where `fit: "contain"` puts the image: an edge, a corner, or the `"center"` (default).
   * With `fit: "cover"`, it can also be a {@link CropStrategy}, which chooses the part by the content of the image. With another `fit`, a
   * position has no effect, and a strategy is refused (`invalid_option`). Other values: `invalid_option`. A server refuses any value except
   * `"center"` (`invalid_option`).
   */
  position?: Position | CropStrategy | undefined;
}

/**
 * How `fit: "cover"` chooses the part to keep:
 *
 * - `"attention"`: the part with the most details, saturated colors and skin tones.
 * - `"entropy"`: the part whose luminance varies most (the entropy of its histogram).
 *
 * All outputs with the same aspect ratio show the same part, whatever their size and format. In an animation, the part is chosen in the first frame
 * and used for all frames. In a file with several pages, it is chosen for each page. To choose the part, filepress decodes the file a second time; a
 * JPEG is then decoded at reduced size. Both strategies need the `core` build, or `full` if the output is AVIF.
 */
export type CropStrategy = "attention" | "entropy";

/** A place in an image. */
export type Position =
  | "center"
  | "top"
  | "bottom"
  | "left"
  | "right"
  | "top left"
  | "top right"
  | "bottom left"
  | "bottom right";

/**
 * An image that is laid over the output, such as a watermark. It comes after `resize` and its padding, and lies on every frame and every page. What
 * lies outside the output is cut off. If a member is wrong, the call rejects with `invalid_option`.
 *
 * With an overlay, the original is never kept, and `lossless` from JPEG to JPEG rejects with `lossless_unsupported`. If an SVG is compressed as
 * SVG, the overlay is ignored (`option_ignored`). A server refuses an overlay (`invalid_option`). An overlay needs the `core` build, or `full` if
 * the output is AVIF or only `full` reads the overlay.
 */
export interface Overlay {
  /**
   * The image: an {@link Input} in a format that filepress reads, except JPEG XL and formats that only a decoder reads (`needs_decoder`). Its
   * EXIF orientation is applied. An SVG is rendered at its final size. Of an animation, the first frame is used. The limits of the call apply to the
   * overlay too. Errors about the overlay have `file: "overlay"` in their `details`.
   *
   * Its colors are converted to sRGB, and then blended without color management. In an output with a wider color profile, such as Display P3,
   * they look more saturated. A gray image with a color profile is converted to sRGB if the overlay is not gray (`color_converted`).
   */
  image: Input;
  /** Place in the output: an edge, a corner, or the `"center"` (default). */
  position?: Position | undefined;
  /** Opacity: number from 0 (invisible) to 1 (opaque, the default). */
  opacity?: number | undefined;
  /**
   * Distance to the edges that `position` names: whole pixels from 0 to 16,383, or a percentage of the shorter side of the output.
   * Default 0.
   */
  margin?: PixelsOrPercent | undefined;
  /**
   * Width of the overlay: whole pixels from 1 to 16,383, or a percentage of the width of the output. The result is at least 1 pixel. The
   * aspect ratio is kept. Default: the width of `image`.
   */
  width?: PixelsOrPercent | undefined;
}

/** Whole pixels, or a percentage from 0 to 100, which is rounded to whole pixels. The option says of which length it is a percentage. */
export type PixelsOrPercent = number | `${number}%`;

/** A rectangle of the upright image. A percentage refers to the width or the height of the image. Other values: `invalid_option`. */
export interface Crop {
  /** Distance from the left edge. Default 0. */
  x?: PixelsOrPercent | undefined;
  /** Distance from the top edge. Default 0. */
  y?: PixelsOrPercent | undefined;
  /** Width. Default: up to the right edge. In pixels, at least 1. */
  width?: PixelsOrPercent | undefined;
  /** Height. Default: up to the bottom edge. In pixels, at least 1. */
  height?: PixelsOrPercent | undefined;
}

/**
 * Limits, checked against the input's size and header before any pixel is decoded; for some formats, also while decoding. A call that
 * exceeds a limit rejects with a `LimitError`. All members are integers from 1 to 9,007,199,254,740,991 (2⁵³ − 1), otherwise
 * `invalid_option`.
 */
export interface Limits {
  /**
   * Maximum size of the input in bytes, otherwise `input_too_large`. Default 268,435,456 (256 MiB) for work on the device; no limit for
   * work on the server.
   *
   * A `Response`, a `Request` or a stream is rejected as soon as more bytes arrive. A `Response` or `Request` whose `content-length` exceeds the
   * limit is rejected at once.
   *
   * With a `client`, there is no default for a `Response`, a `Request` or a stream: it is read to its end, and an image that exceeds the limit of
   * the device goes to the server. With `engine: "local"`, the default applies as usual.
   */
  maxInputBytes?: number | undefined;
  /**
   * Maximum width × height of the input and of the output, otherwise `too_many_pixels`. Default 100,000,000.
   *
   * If an animation is encoded, all its frames together may have 20 times as many pixels; each frame counts with the size of the whole image.
   * All pages of a TIFF that stays a TIFF, and all images of an ICO that stays an ICO, count together.
   */
  maxPixels?: number | undefined;
  /**
   * Maximum estimated memory in bytes, otherwise `too_much_memory`. Default 1,073,741,824 (1 GiB). The memory is estimated from the header, for
   * the worst case, an image of noise. With `targetSize` or `quality: "auto"`, an AVIF at a quality above 95 can need up to a tenth more
   * memory than estimated.
   */
  maxMemoryBytes?: number | undefined;
}
