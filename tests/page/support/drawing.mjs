// A drawing with smooth colors, as a PNG: it has more colors than a palette, and is much smaller as WebP or with one.
import sharp from "sharp";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320"><radialGradient id="g"><stop stop-color="#fa0"/><stop offset=".5" stop-color="#26c"/><stop offset="1" stop-color="#083"/></radialGradient><rect width="480" height="320" fill="url(#g)"/></svg>`;

export async function drawing(name) {
  return { name, mimeType: "image/png", buffer: await sharp(Buffer.from(SVG)).png().toBuffer() };
}
