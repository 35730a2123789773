// The output of `filepress --help` and `filepress --version`.
import { readFileSync } from "node:fs";

export const HELP = `filepress compresses files and converts them to other formats.

  filepress [options] FILE…        compress files, or convert them with --to
  filepress inspect FILE…          print the properties of images, without decoding them
  filepress formats                list the supported formats

FILE is a file, a folder, a pattern ("photos/**/*.{jpg,png}"), or - for standard input. A folder stands for all files of supported
formats in it and in its subfolders, except hidden files and NAME.min.EXT. The result of standard input goes to standard output; for
other pipes, such as <(…), --out is required.
Images are compressed on this machine. Video, audio and PDF are sent to a server: see --server.

Output
  -o, --out PATH        file to write, or - for standard output. A folder if PATH is one, ends with /, or there are several files.
                        Default: beside the input, as NAME.webp if the format changes, otherwise as NAME.min.jpg
  -f, --force           overwrite existing files, including the input
      --json            print one JSON object per file to standard output, one per line, in the order in which files finish
      --quiet           print errors only
  -t, --to FORMAT       output format: webp, avif, image/png, mp4, …. Default: the extension of PATH, otherwise the input's format

Compression
  -q, --quality N       1 (smallest) to 100 (best), or auto: the lowest quality that reaches --min-score
      --min-score N     SSIMULACRA2 score that auto has to reach. Default 80
      --target-size N   maximum size of the output in bytes: 200000, 200KB, 1.5MB, 64KiB
      --lossless        preserve every pixel
      --effort N        0 (fastest) to 9 (smallest). Default 4
      --width N, --height N, --max-width N, --max-height N
                        size in pixels
      --fit MODE        fill, contain or cover, if both --width and --height are given. Default fill
      --background C    color behind transparency, for formats without it: #rrggbb, white, black. Default white
      --metadata MODE   safe (color profile; author and copyright from EXIF), keep or strip. Default safe
      --animation MODE  keep, or first for the first frame only. Default keep
      --font FILE       font for the text of an SVG; can be repeated

Server
      --server URL      server for what can't be done on this machine. Its key is read from FILEPRESS_API_KEY
      --engine WHERE    auto, local (nothing leaves this machine) or remote (images too). Default auto
      --set KEY=VALUE   setting of the server, such as crf=30, mute=true or trim.end=10; can be repeated

      --concurrency N   number of files processed at once. Default: the number of processors, at most 8
  -h, --help
  -V, --version

Exit codes: 0: all files succeeded. 1: a file failed; the others were processed. 2: the command line is wrong. 129, 130, 143: ended by
SIGHUP, SIGINT, SIGTERM. 141: the reader of the output has gone. Writes are atomic: no partial file is ever left.
`;

/** The package's version. */
export function version() {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
