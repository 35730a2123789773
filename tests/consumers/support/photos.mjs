// Photographs for the tests of plug-ins that upload.
import { photo } from "../../package/support/pictures.mjs";
import { toSharp } from "../../package/support/samples.mjs";

/** A JPEG in high quality, which compress makes smaller. The same `seed` gives the same bytes. */
export const jpeg = async (width, height, seed = 1) => toSharp(photo(width, height, seed)).removeAlpha().jpeg({ quality: 97 }).toBuffer();

/** `count` photographs as an input of a page takes them, named `photo-1.jpg` and so on. */
export async function chosenPhotos(count, width = 640, height = 480) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return Promise.all(numbers.map(async (number) => ({ name: `photo-${number}.jpg`, mimeType: "image/jpeg", buffer: await jpeg(width, height, number) })));
}
