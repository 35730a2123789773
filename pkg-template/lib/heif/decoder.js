// Decodes HEIC by WebCodecs, where the platform has an HEVC decoder: tiles become pixels, which are joined, turned and cropped.
import { throwIfAborted } from "../abort.js";
import { fromDisplayP3, isDisplayP3, videoColor } from "./color.js";
import { readHeif } from "./items.js";

/**
 * Resolves to ImageData of a HEIC file, upright and in sRGB; rejects if the platform has no decoder for it, or it is damaged.
 * `check(width, height)` throws an error if these are too many pixels.
 */
export async function decodeHeic(file, { signal, check }) {
  const { picture, alpha, premultiplied, transformations } = readHeif(new Uint8Array(await file.arrayBuffer()), check);
  const drawn = await draw(picture, signal);
  if (alpha) addAlpha(drawn, await draw(alpha, signal), premultiplied);
  const canvas = transformations.reduce(transform, drawn);
  return contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);
}

/** The most tiles that wait for the decoder, which has a copy of their bytes. */
const WAITING = 8;

const contextOf = (canvas) => canvas.getContext("2d", { willReadFrequently: true });
const createCanvas = (width, height) => new OffscreenCanvas(width, height);

/** Resolves to a canvas with all tiles of a picture. */
async function draw({ width, height, columns, tile, tiles, color }, signal) {
  const canvas = createCanvas(width, height);
  const context = contextOf(canvas);
  const drawn = new Set();
  let isWide = color?.profile && isDisplayP3(color.profile);
  await decode(tiles, { tile, color, signal }, (index, frame) => {
    if (frame.displayWidth < tile.width || frame.displayHeight < tile.height) throw new RangeError("A tile is smaller than the file says.");
    drawn.add(index);
    // Then it is converted as it is drawn.
    if (frame.colorSpace.primaries === "smpte432") isWide = false;
    const [left, top] = [(index % columns) * tile.width, Math.floor(index / columns) * tile.height];
    context.drawImage(frame, 0, 0, tile.width, tile.height, left, top, tile.width, tile.height);
  });
  if (drawn.size !== tiles.length) throw new Error("The decoder left out tiles.");
  if (isWide) fromDisplayP3(canvas);
  return canvas;
}

/** Decodes every tile, and hands out frames with the index of their tile. Frames are closed afterwards. */
async function decode(tiles, { tile, color, signal }, take) {
  throwIfAborted(signal);
  let fail;
  const failed = new Promise((_, reject) => (fail = reject));
  // An error that nobody waits for any more is none.
  failed.catch(() => {});
  const decoder = new VideoDecoder({
    output(frame) {
      try {
        take(frame.timestamp, frame);
      } catch (thrown) {
        fail(thrown);
      } finally {
        frame.close();
      }
    },
    error: fail,
  });
  const abort = () => fail(signal.reason);
  signal?.addEventListener("abort", abort);
  try {
    await Promise.race([failed, decodeAll(decoder, tiles, { tile, color })]);
  } finally {
    signal?.removeEventListener("abort", abort);
    if (decoder.state !== "closed") decoder.close();
  }
}

async function decodeAll(decoder, tiles, { tile, color }) {
  let current;
  for (const [timestamp, { configuration, data }] of tiles.entries()) {
    if (configuration !== current) {
      if (current) await decoder.flush();
      await configure(decoder, configuration, tile, color);
      current = configuration;
    }
    while (decoder.decodeQueueSize >= WAITING) await new Promise((resolve) => decoder.addEventListener("dequeue", resolve, { once: true }));
    // It is closed after an error or an abort.
    if (decoder.state === "closed") return;
    decoder.decode(new EncodedVideoChunk({ type: "key", timestamp, data }));
  }
  await decoder.flush();
}

async function configure(decoder, configuration, { width, height }, color) {
  const config = { codec: codecOf(configuration), description: configuration, codedWidth: width, codedHeight: height, ...videoColor(color) };
  const { supported } = await VideoDecoder.isConfigSupported(config);
  if (!supported) throw new Error(`The platform does not decode ${config.codec}.`);
  decoder.configure(config);
}

/** The codec of a decoder configuration record as RFC 6381 wants it (ISO/IEC 14496-15, 8.3.3.1 and annex E.3). */
function codecOf(configuration) {
  const [, profile, a, b, c, d, ...rest] = configuration.subarray(0, 13);
  const space = ["", "A", "B", "C"][profile >> 6];
  const flags = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const reversed = Number.parseInt([...flags.toString(2).padStart(32, "0")].reverse().join(""), 2);
  const constraints = rest.slice(0, 6);
  while (constraints.at(-1) === 0) constraints.pop();
  const words = [`hvc1.${space}${profile & 31}`, reversed.toString(16), `${profile & 32 ? "H" : "L"}${rest[6]}`, ...constraints.map((byte) => byte.toString(16))];
  return words.join(".");
}

/** Takes the opacity of a picture from the brightness of another. */
function addAlpha(canvas, alpha, premultiplied) {
  const { width, height } = canvas;
  if (alpha.width !== width || alpha.height !== height) throw new RangeError("The alpha channel has another size.");
  const pixels = contextOf(canvas).getImageData(0, 0, width, height);
  const { data: opacities } = contextOf(alpha).getImageData(0, 0, width, height);
  const { data } = pixels;
  for (let at = 0; at < data.length; at += 4) {
    const opacity = opacities[at];
    data[at + 3] = opacity;
    if (premultiplied && opacity > 0) for (let channel = at; channel < at + 3; channel++) data[channel] = (data[channel] * 255) / opacity;
  }
  contextOf(canvas).putImageData(pixels, 0, 0);
  release(alpha);
}

/** Frees the pixels of a canvas, which otherwise stay until the garbage collector comes. */
function release(canvas) {
  canvas.width = 0;
}

/** A canvas with the picture of another, cropped, turned or mirrored. */
function transform(canvas, { type, turns, swaps, ...aperture }) {
  const { width, height } = canvas;
  if (type === "clap") return crop(canvas, aperture);
  const sideways = type === "irot" && turns % 2 === 1;
  const turned = sideways ? createCanvas(height, width) : createCanvas(width, height);
  const context = contextOf(turned);
  context.translate(turned.width / 2, turned.height / 2);
  if (type === "irot") context.rotate((-turns * Math.PI) / 2);
  else context.scale(...(swaps === "sides" ? [-1, 1] : [1, -1]));
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, -width / 2, -height / 2);
  release(canvas);
  return turned;
}

/** ISO/IEC 14496-12, 12.1.4: the center of the aperture is given from the center of the picture. */
function crop(canvas, { width, height, right, down }) {
  const left = (canvas.width - width) / 2 + right;
  const top = (canvas.height - height) / 2 + down;
  const inside = left >= 0 && top >= 0 && left + width <= canvas.width && top + height <= canvas.height;
  if (!(width >= 1 && height >= 1 && inside)) throw new RangeError("The picture is cropped to what it does not have.");
  const cropped = createCanvas(Math.floor(width), Math.floor(height));
  contextOf(cropped).drawImage(canvas, -Math.floor(left), -Math.floor(top));
  release(canvas);
  return cropped;
}
