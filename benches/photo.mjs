// Chooses the bench's photograph: a JPEG of at least ten megapixels.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";

const candidates = [process.env.BENCH_PHOTO, inProject("../shared/corpus/demo-large-photo.jpg")];
/** Of Debian's package mate-backgrounds, 18 MP. */
const wallpaper = "/usr/share/backgrounds/mate/abstract/Elephants_5640x3172.jpg";

/**
 * BENCH_PHOTO, else the photo of the corpus beside the project, else 10 MP cut out of a wallpaper.
 * @returns {Promise<{ path: string, bytes: Buffer, width: number, height: number, megapixels: number }>}
 */
export async function choosePhoto() {
  const path = candidates.find((candidate) => candidate && existsSync(candidate)) ?? (await cutOut());
  const bytes = readFileSync(path);
  const { format, width, height } = await sharp(bytes).metadata();
  const megapixels = (width * height) / 1e6;
  if (format !== "jpeg" || megapixels < 10) throw new Error(`${path} is a ${format} of ${megapixels.toFixed(1)} MP, not a JPEG of 10 MP or more`);
  return { path, bytes, width, height, megapixels };
}

/** The bounds are meant for 10 MP, so a larger photo is cropped, not taken whole. */
async function cutOut() {
  if (!existsSync(wallpaper)) throw new Error("no photo: name a JPEG of 10 MP in BENCH_PHOTO, or install Debian's package mate-backgrounds");
  const path = inProject("dist/bench-photo.jpg");
  mkdirSync(inProject("dist"), { recursive: true });
  await sharp(wallpaper).extract({ left: 884, top: 290, width: 3872, height: 2592 }).jpeg({ quality: 92 }).toFile(path);
  return path;
}

function inProject(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
