// The output of `filepress --help` and `filepress --version`.
import { readFileSync } from "node:fs";

export const HELP = `filepress compresses files and converts them to other formats.

  filepress [options] FILE…   compress files, or convert them with --to
  filepress inspect FILE…     print the properties of images, without decoding
  filepress formats           list the supported formats

FILE is a file, a folder, a pattern ("photos/**/*.{jpg,png}"), or - for standard
input. A folder stands for all files of supported formats in it and below it,
except hidden files, node_modules, what .gitignore names, and NAME.min.EXT. The
result of standard input goes to standard output; other pipes, such as <(…),
need --out. Names that begin with a dash must come after --.
Images are compressed on this machine. Video, audio and PDF need --server.

Output
  -o, --out PATH       file to write, or - for standard output; a folder if PATH
                       is one, ends with /, or there are several results.
                       Default: beside the input, as NAME.webp if the format
                       changes, otherwise as NAME.min.jpg
      --name TEMPLATE  names of the results, with {name}, {ext}, {width} and
                       {height}. Default with --widths: {name}-{width}.{ext}
      --in-place       replace each input, if the result has its format and
                       is at least 1 % smaller
  -f, --force          overwrite existing files, including the input
      --skip-existing  skip an input whose result exists
      --newer          skip an input whose result is not older than it
      --dry-run        print what would be written, and write nothing
      --watch          go on until Ctrl-C: process new and changed files
      --no-ignore      include node_modules and what .gitignore names
      --json           print one JSON object per result to standard output
      --quiet          print errors only

Compression
  -t, --to FORMAT      output format: webp, avif, image/png, mp4, …; can be
                       repeated, or a list: avif,webp. Default: the extension of
                       PATH, otherwise the format of the input
  -q, --quality N      1 (smallest) to 100 (best), or auto: the lowest quality
                       that reaches --min-score
      --min-score N    SSIMULACRA2 score that auto has to reach. Default 80
      --target-size N  maximum size of the output in bytes: 200000, 500k, 1.5MB
      --lossless       preserve every pixel
      --effort N       0 (fastest) to 9 (smallest). Default 4
      --colors N       maximum number of colors of a PNG or GIF, 2 to 256
      --dither N       how strongly the colors of a PNG or GIF are dithered:
                       0 (not at all) to 1. Default 1
      --chroma MODE    resolution of chroma in a JPEG or AVIF: 444 (full), 420
                       (half) or auto (444 from quality 90 on). Default auto
      --width N        width in pixels
      --height N       height in pixels
      --max-width N    maximum width in pixels
      --max-height N   maximum height in pixels
      --widths N,N,…   one result for each width; no image is enlarged
      --only-if-smaller
                       leave out each file that is not smaller than the one of
                       the same dimensions in the last --to; not with --server
      --html           print a <picture> for each input, whose last --to is the
                       fallback
      --fit MODE       fill, inside, outside, cover or contain, for --width with
                       --height. Default fill
      --position P     what --fit cover keeps, and where --fit contain places
                       the image: center, top, left, "top left", …; for cover
                       also attention (details, colors and skin) or entropy
      --crop X,Y,W,H   part to keep, in pixels, or in percent: 10%,10%,80%,80%
      --rotate N       0, 90, 180 or 270 degrees clockwise
      --flip AXIS      horizontal or vertical
      --overlay FILE   image to lay over the result, such as a watermark
      --overlay-position P
                       center (default), top, left, "bottom right", …
      --overlay-opacity N
                       0 (invisible) to 1 (opaque, the default)
      --overlay-margin N
                       distance to the edges of --overlay-position: pixels, or a
                       percentage of the shorter side, such as 3%. Default 0
      --overlay-width N
                       its width: pixels, or a percentage of the width of the
                       result, such as 20%. Default: its own
      --background C   color behind transparency, for formats without it; also
                       the color of the padding of --fit contain: #rrggbb,
                       white, black. Default white; padding is transparent where
                       it can be
      --metadata MODE  safe (color profile; author and copyright from EXIF),
                       keep or strip. Default safe
      --animation MODE keep, or first for the first frame only. Default keep
      --hdr MODE       keep or drop the HDR gain map of a JPEG that becomes a
                       JPEG or AVIF. Default keep for a JPEG with --lossless,
                       otherwise drop
      --font FILE      font for the text of an SVG; can be repeated

Server
      --server URL     server for what can't be done on this machine. Its key is
                       read from FILEPRESS_API_KEY
      --engine WHERE   auto, local (nothing leaves this machine) or remote
                       (images too). Default auto
      --set KEY=VALUE  setting of the server, such as crf=30, mute=true or
                       trim.end=10; can be repeated

General
      --config FILE    JSON file with these options by their long names, and
                       inputs. The command line takes precedence
      --concurrency N  files processed at once. Default: the number of
                       processors, at most 8
  -h, --help
  -V, --version

Exit codes: 0: all files succeeded. 1: a file failed; the others were processed.
2: the command line is wrong. 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM.
141: broken pipe (SIGPIPE). Writes are atomic.
`;

/** The package's version. */
export function version() {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
