// What `filepress --help` and `filepress --version` say.
import { readFileSync } from "node:fs";

export const HELP = `filepress: makes files smaller, or another format.

  filepress [options] FILE…        make files smaller, or what --to says
  filepress inspect FILE…          tell what images are, without decoding them
  filepress formats                list the types that are known

FILE is a file, a folder (all files of a known type in it, and in its folders, but for hidden ones and NAME.min.jpg), a pattern
("photos/**/*.{jpg,png}") or -, standard input, whose result goes to standard output unless --out says where. That of another
pipe, as a shell makes of <(…), needs --out.
Images are made smaller on this machine. Video, sound and PDF go to a service: --server.

Output
  -o, --out PATH        a folder, where it is one, ends with / or there are several files; else a file; - is standard output.
                        Default: beside the input, as NAME.webp where the type changes, as NAME.min.jpg where it stays
  -f, --force           write over files that exist; the input too, where PATH leads to it
      --json            one JSON document a file on standard output, a line each, in the order in which they are done
      --quiet           nothing but errors
  -t, --to TYPE         type of the output: webp, avif, image/png, mp4, …. Default: that of PATH, else the input's

Result
  -q, --quality N       1 (smallest) to 100 (best), or auto: the lowest that scores --min-score
      --min-score N     the SSIMULACRA2 score that auto has to reach. Default 80
      --target-size N   the most bytes that the output may have: 200000, 200KB, 1.5MB, 64KiB
      --lossless        keep every pixel as it is
      --effort N        0 (fastest) to 9 (smallest). Default 4
      --width N, --height N, --max-width N, --max-height N
                        size in pixels
      --fit HOW         fill, contain or cover, where both --width and --height are given
      --background C    color under transparency that the output cannot hold: #rrggbb, white, black
      --metadata HOW    safe (color profile, author and copyright of EXIF), keep or strip. Default safe
      --animation HOW   keep or first, the first frame alone
      --font FILE       a font for the text of an SVG; may be given again

Service
      --server URL      the service to send to what cannot be done here; its key is read from FILEPRESS_API_KEY
      --engine WHERE    auto, local (nothing leaves this machine) or remote (images too). Default auto
      --set KEY=VALUE   a setting of the service's task, such as crf=30, mute=true or trim.end=10; may be given again

      --concurrency N   files at once. Default: the number of processors, at most 8
  -h, --help
  -V, --version

Exit codes: 0 all done; 1 a file failed, and the others are done; 2 the command line is wrong; 129, 130, 143 ended by SIGHUP,
SIGINT, SIGTERM; 141 nobody reads the output any more. No half file is left in any case.
`;

/** The package's version. */
export function version() {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
