// Strict TypeScript accepts what filepress/next is used for, and refuses what it is not. Compiled, never run.
import { createImageRoute, type ImageRouteOptions } from "filepress/next";
import { withFilepress, type FilepressNextOptions, type Picture } from "filepress/next/config";
import loader, { createLoader, type NextImage } from "filepress/next/loader";

const options: ImageRouteOptions = { sizes: [400], qualities: [50], defaults: { effort: 2 }, source: async () => undefined };
export const { GET, HEAD } = createImageRoute(options);
export const image: NextImage = { src: "/photo.jpg", width: 400 };
export const addresses: string[] = [loader(image), createLoader({ prefix: "/small/" })({ ...image, quality: 50 })];

const pictures: FilepressNextOptions = { presets: { hero: { widths: [400], formats: ["webp", "original"] } }, cacheDir: ".cache", effort: 6 };
export const strict: boolean = withFilepress({ reactStrictMode: true }, pictures).reactStrictMode;
export const width = ({ img }: Picture): number => img.width;
export const plain: object = withFilepress();

// @ts-expect-error: no such format
withFilepress({}, { formats: ["jpgg"] });
// @ts-expect-error: the lists are options of their own
createImageRoute({ allow: { sizes: [400] } });
