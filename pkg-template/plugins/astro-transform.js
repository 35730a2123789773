// Entry of filepress/astro/transform: what Astro's image service calls for each image, in builds and in servers.
import { compress, inspect } from "filepress";

/** Astro's names of qualities. */
const QUALITIES = { low: 25, mid: 50, high: 80, max: 100 };

/** Resolves to `{ data, format }`. The options of the integration, which `imageConfig` has, apply to all images. */
export async function transform(input, asked, imageConfig) {
  if (asked.format === "svg") return { data: input, format: "svg" };
  const quality = QUALITIES[asked.quality] ?? (Number.parseInt(asked.quality, 10) || undefined);
  const given = { to: asked.format ?? undefined, quality, resize: await readSize(input, asked) };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const result = await compress(input, { ...imageConfig.service.config, ...present });
  return { data: await result.bytes(), format: result.type.replace("image/", "") };
}

/** The size as Astro means it: with a `fit`, an image is not enlarged; without one, the width decides. */
async function readSize(input, { width, height, fit }) {
  if (!width || !height || !fit) return width ? { width } : height ? { height } : undefined;
  if (fit !== "cover" && fit !== "fill") return { maxWidth: width, maxHeight: height };
  const original = await inspect(input);
  const scale = Math.min(1, original.width / width, original.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)), fit };
}
