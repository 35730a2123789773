// The page that measures browser libraries beside filepress: each compresses a picture and reports the time from File
// to Blob. compressorjs and browser-image-compression contain no codec: they draw on a canvas, and the browser's
// native code encodes.
import imageCompression from "browser-image-compression";
import Compressor from "compressorjs";

const types = { jpeg: "image/jpeg", thumbnail: "image/jpeg", webp: "image/webp" };
const files = new Map();

const peers = {
  async filepress(file, { work, quality, width }) {
    const { compress } = await import("/package/index.browser.js");
    return (await compress(file, { to: types[work], quality, metadata: "strip", ...(width && { resize: { width } }) })).blob;
  },

  compressorjs(file, { work, quality, width }) {
    return new Promise((success, error) => {
      const size = width ? { maxWidth: width } : {};
      new Compressor(file, { ...size, quality: quality / 100, mimeType: types[work], strict: false, success, error });
    });
  },

  // Its worker would import the library from a server of others.
  "browser-image-compression"(file, { work, quality, width }) {
    const size = width ? { maxWidthOrHeight: width } : {};
    return imageCompression(file, { ...size, initialQuality: quality / 100, fileType: types[work], useWebWorker: false });
  },
};

/** The file of the site, which is loaded once. */
async function load(path) {
  if (!files.has(path)) files.set(path, new File([await (await fetch(path)).blob()], "photo.jpg", { type: "image/jpeg" }));
  return files.get(path);
}

/** @returns {Promise<{ ms: number, url?: string }>} url: the bytes as a `data:` URL, if they are wanted. */
window.measure = async (peer, path, settings, wanted) => {
  const file = await load(path);
  const started = performance.now();
  const blob = await peers[peer](file, settings);
  const ms = performance.now() - started;
  return { ms, url: wanted ? await dataUrl(blob) : undefined };
};

function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
