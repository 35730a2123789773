// Strict TypeScript accepts what filepress/vite is used for, and refuses what it is not. Compiled, never run.
import { defineConfig } from "vite";
import plugin, { filepress, type FilepressViteOptions, type Picture, type PicturePreset } from "filepress/vite";
import photo from "./photo.jpg?picture";
import small from "./photo.jpg?widths=200&picture";

const hero: PicturePreset = { widths: [400, 800], formats: [{ to: "avif", quality: 50 }, "webp", "original"], effort: 6 };
const options: FilepressViteOptions = { presets: { hero }, include: "src/**/*.jpg", cacheDir: ".cache", quality: 70 };
export default defineConfig({ plugins: [filepress(options), plugin()] });

export const pictures: Picture[] = [photo, small];
export const width: number = photo.img.width;
export const types: string[] = small.sources.map(({ type, srcset }) => `${type} ${srcset}`);

// @ts-expect-error: no such format
filepress({ formats: ["jpgg"] });
// @ts-expect-error: no such member
photo.sources[0]?.src;
