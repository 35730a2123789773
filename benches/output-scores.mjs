// Scores outputs of any format against their original.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { scoresBeside } from "./score.mjs";

/** The scorer reads these itself; others are decoded by sharp first, the same for every peer. */
const direct = new Set(["jpg", "png"]);
/** Scorers at once: as many as this machine has cores is too much memory for large pictures. */
const atOnce = 2;

let made = 0;
let running = 0;
const waiting = [];

/**
 * SSIMULACRA2 of an output. Where `width` is given the picture is made smaller for it, by Lanczos3 on its sRGB values.
 * @param {string} reference path of the picture.
 * @param {Uint8Array} output
 * @param {{ type: string, width?: number, folder: string }} how the output's type; where to write it for the scorer.
 */
export async function judge(reference, output, { type, width, folder }) {
  if (running >= atOnce) await new Promise((resolve) => waiting.push(resolve));
  running += 1;
  const file = join(folder, `judged-${(made += 1)}.${direct.has(type) ? type : "png"}`);
  try {
    await writeFile(file, direct.has(type) ? output : await sharp(output).png({ compressionLevel: 0 }).toBuffer());
    const [score] = await scoresBeside(reference, [file], width && "srgb");
    return Number(score);
  } finally {
    await rm(file, { force: true });
    running -= 1;
    waiting.shift()?.();
  }
}
