// Wrong and unusual inputs and options, each with the code and message of its error. Runs in Node and in pages, so it
// imports nothing.

const LISTED = /An input is a File, Blob, Response, Request, stream, ArrayBuffer, view of one, canvas, ImageBitmap, VideoFrame, ImageData or \{ data, width, height \}; in Node also a file: URL\.$/;

function transferred(make) {
  const view = make();
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

function locked() {
  const stream = new Blob(["abc"]).stream();
  stream.getReader();
  return stream;
}

function used(photo) {
  const response = new Response(photo);
  response.arrayBuffer();
  return response;
}

const pixels = (members) => ({ data: new Uint8Array(16), width: 2, height: 2, ...members });

/** Inputs that are refused with `unreadable_input`: what makes them of the bytes of a photo, and what the message says. */
export const WRONG_INPUTS = {
  undefined: [() => undefined, /^Nothing was passed\. /],
  null: [() => null, /^Nothing was passed\. /],
  "a number": [() => 42, /^Got a number\. /],
  "a bigint": [() => 42n, /^Got a bigint\. /],
  "a boolean": [() => true, /^Got a boolean\. /],
  "a symbol": [() => Symbol("photo"), /^Got a symbol\. /],
  "a function": [() => () => 1, /^Got a Function\. /],
  "a class": [() => Blob, /^Got a Function\. /],
  "a path": [() => "photos/one.jpg", /^Got a string; read a file with `await openAsBlob\(path\)` of node:fs, or pass `await fetch\(url\)`\. /],
  "an empty string": [() => "", /^Got a string; /],
  "an address": [() => "https://example.com/photo.jpg", /^Got a string; pass `await fetch\(url\)`\. /],
  "an address of a Blob": [() => "blob:https://example.com/1", /^Got a string; pass `await fetch\(url\)`\. /],
  "a data: address": [() => "data:image/png;base64,AAAA", /^Got a data: URL; pass `await fetch\(url\)`\. /],
  "an address of a file": [() => "file:///photo.jpg", /^Got a string; in Node pass `new URL\(string\)`\. /],
  "a String object": [() => new String("photo.jpg"), /^Got a String\. /],
  "a URL": [() => new URL("https://example.com/photo.jpg"), /^Got a URL; pass `await fetch\(url\)`\. /],
  "a Promise": [(photo) => Promise.resolve(photo), /^Got a Promise; await it first\. /],
  "an array": [(photo) => [new Blob([photo])], /^Got an Array; pass one file, or all of them to `compressAll`\. /],
  "an empty array": [() => [], /^Got an Array; /],
  "a plain object": [() => ({}), /^Got an Object\. /],
  "an object like a Blob without bytes": [() => ({ size: 3, type: "image/png" }), /^Got an Object\. /],
  "an object with a buffer": [(photo) => ({ fieldname: "photo", buffer: photo }), /^Got an object with a `buffer`; pass `input\.buffer`\. /],
  "a FormData": [() => new FormData(), /^Got a FormData; pass a file of it, such as `formData\.get\("file"\)`\. /],
  "a Map": [() => new Map(), /^Got a Map\. /],
  "a Set": [() => new Set(), /^Got a Set\. /],
  "a Date": [() => new Date(), /^Got a Date\. /],
  "an Error": [() => new Error("no photo"), /^Got an Error\. /],
  "an event": [() => new Event("change"), /^Got an Event; pass a file of it, such as `event\.target\.files\[0\]`\. /],
  "a transferred view": [() => transferred(() => new Uint8Array(8)), /^The ArrayBuffer was transferred to another thread, or is detached; /],
  "a transferred buffer": [() => transferred(() => new Uint8Array(8)).buffer, /^The ArrayBuffer was transferred to another thread, or is detached; /],
  "a transferred DataView": [() => transferred(() => new DataView(new ArrayBuffer(8))), /./],
  "a stream that is read": [locked, /^The stream is locked by a reader; pass one that nobody reads\.$/],
  "a stream of text": [() => new ReadableStream({ start: (to) => to.enqueue("abc") }), /its body has chunks that are not bytes/],
  "a stream that fails": [() => new ReadableStream({ start: (to) => to.error(new Error("gone")) }), /Error: gone/],
  "a Response that was read": [used, /^The response was read already; pass response\.clone\(\)\.$/],
  "a Blob whose bytes fail": [() => ({ size: 3, type: "", slice() { return this; }, arrayBuffer: () => Promise.reject(new Error("no disk")) }), /Error: no disk/],
  "a proxy that throws": [() => new Proxy({}, { get() { throw new Error("mine"); } }), /./],
  "pixels without a width": [() => pixels({ width: undefined }), /`width` and `height` must be whole numbers from 1/],
  "pixels of no width": [() => pixels({ width: 0 }), /`width` and `height` must be whole numbers from 1/],
  "pixels of half a width": [() => pixels({ width: 1.5 }), /`width` and `height` must be whole numbers from 1/],
  "pixels with a width as text": [() => pixels({ width: "2" }), /`width` and `height` must be whole numbers from 1/],
  "too few pixels": [() => pixels({ width: 3 }), /3 × 2 pixels of red, green, blue and alpha are 24 bytes, and `data` has 16/],
  "too many pixels": [() => pixels({ width: 1 }), /1 × 2 pixels of red, green, blue and alpha are 8 bytes, and `data` has 16/],
  "pixels without alpha": [() => pixels({ data: new Uint8Array(12) }), /are 16 bytes, and `data` has 12/],
  "pixels of Display P3": [() => pixels({ colorSpace: "display-p3" }), /their color space is "display-p3"; pass sRGB/],
};

/** Options that are refused: the code, and what the message says. */
export const WRONG_OPTIONS = [
  ["a string", "webp", "invalid_option", /^options must be a plain object\.$/],
  ["an array", [], "invalid_option", /^options must be a plain object\.$/],
  ["a quality below 1", { quality: 0.8 }, "invalid_option", /^options\.quality must be .* The scale ends at 100: 0\.8 is 80 here\.$/],
  ["a quality as text", { quality: "80" }, "invalid_option", /^options\.quality must be .* This is a string; write 80 without quotes\.$/],
  ["a quality of 101", { quality: 101 }, "invalid_option", /^options\.quality must be a whole number from 1 to 100\.$/],
  ["a quality of 0", { quality: 0 }, "invalid_option", /^options\.quality must be a whole number from 1 to 100\.$/],
  ["a quality that is no number", { quality: NaN }, "invalid_option", /^options\.quality must be/],
  ["quality null", { quality: null }, "invalid_option", /^options\.quality must be/],
  ["a misspelled quality", { qualty: 80 }, "unknown_option", /^options\.qualty: unknown option; .* Did you mean quality\?$/],
  ["a misspelled limit", { limits: { maxPixel: 5 } }, "unknown_option", /Did you mean limits\.maxPixels\?$/],
  ["a misspelled width", { resize: { widht: 5 } }, "unknown_option", /^options\.resize\.widht: .* Did you mean resize\.width\?$/],
  ["an option of nobody", { sharpen: true }, "unknown_option", /^options\.sharpen: unknown option; the options are [^?]*keepRemote\.$/],
  ["width on top", { width: 100 }, "unknown_option", /Did you mean resize\.width\?$/],
  ["maxWidth on top", { maxWidth: 100 }, "unknown_option", /Did you mean resize\.maxWidth\?$/],
  ["maxHeight on top", { maxHeight: 100 }, "unknown_option", /Did you mean resize\.maxHeight\?$/],
  ["fit on top", { fit: "cover" }, "unknown_option", /Did you mean resize\.fit\?$/],
  ["maxWidthOrHeight", { maxWidthOrHeight: 1920 }, "unknown_option", /Did you mean resize\.maxWidth and resize\.maxHeight\?$/],
  ["maxSizeMB", { maxSizeMB: 1 }, "unknown_option", /Did you mean targetSize, in bytes\?$/],
  ["format", { format: "webp" }, "unknown_option", /Did you mean to\?$/],
  ["fileType", { fileType: "image/webp" }, "unknown_option", /Did you mean to\?$/],
  ["mimeType", { mimeType: "image/webp" }, "unknown_option", /Did you mean to\?$/],
  ["initialQuality", { initialQuality: 0.8 }, "unknown_option", /Did you mean quality, from 1 to 100\?$/],
  ["preserveExif", { preserveExif: true }, "unknown_option", /Did you mean metadata: "keep"\?$/],
  ["useWebWorker", { useWebWorker: true }, "unknown_option", /Did you mean init\(\{ worker \}\)\?$/],
  ["fileName", { fileName: "a" }, "unknown_option", /Did you mean name\?$/],
  ["a resize of a number", { resize: 100 }, "invalid_option", /^options\.resize must be an object\.$/],
  ["a width as text", { resize: { width: "300" } }, "invalid_option", /^options\.resize\.width must be .* write 300 without quotes\.$/],
  ["a width of 0", { resize: { width: 0 } }, "invalid_option", /^options\.resize\.width must be/],
  ["an infinite width", { resize: { width: Infinity } }, "invalid_option", /^options\.resize\.width must be/],
  ["an unknown fit", { resize: { width: 5, height: 5, fit: "crop" } }, "invalid_option", /^options\.resize\.fit must be .* not "crop"\.$/],
  ["a fit that pads", { resize: { width: 5, height: 5, fit: "pad" } }, "invalid_option", /^options\.resize\.fit must be .* not "pad"\.$/],
  ["position without resize", { position: "top" }, "unknown_option", /Did you mean resize\.position\?$/],
  ["a turn to the left", { rotate: -90 }, "invalid_option", /^options\.rotate must be .* -90° are 270 here\.$/],
  ["an angle", { rotate: 45 }, "invalid_option", /^options\.rotate must be 0, 90, 180 or 270\.$/],
  ["a crop in half pixels", { crop: { x: 0.5 } }, "invalid_option", /^options\.crop\.x must be a whole number/],
  ["a crop in text", { crop: { x: "10 px" } }, "invalid_option", /^options\.crop\.x must be a whole number/],
  ["a format of nobody", { to: "jpgg" }, "invalid_option", /^options\.to: "jpgg" is no known format; "webp" is one\.$/],
  ["a format as a number", { to: 5 }, "invalid_option", /^options\.to must be a media type or file extension\.$/],
  ["an effort of 11", { effort: 11 }, "invalid_option", /^options\.effort must be a whole number from 0 to 9\.$/],
  ["a size with its unit", { targetSize: "200 kB" }, "invalid_option", /^options\.targetSize must be .* It is a number of bytes: 200 kB are 200_000\.$/],
  ["half a byte", { targetSize: 0.5 }, "invalid_option", /^options\.targetSize must be/],
  ["metadata true", { metadata: true }, "invalid_option", /^options\.metadata must be "safe", "keep" or "strip"/],
  ["an unknown color", { background: "whit" }, "invalid_option", /^options\.background must be a color .* not "whit"\.$/],
  ["lossless as text", { lossless: "yes" }, "invalid_option", /^options\.lossless must be true or false\.$/],
  ["an unknown animation", { animation: "none" }, "invalid_option", /^options\.animation must be "keep" or "first", not "none"\.$/],
  ["fonts by name", { fonts: ["Arial"] }, "invalid_option", /^options\.fonts must be a list of Uint8Arrays or ArrayBuffers\.$/],
  ["a signal of nothing", { signal: {} }, "invalid_option", /^options\.signal must be an AbortSignal\.$/],
  ["progress to a variable", { onProgress: 0 }, "invalid_option", /^options\.onProgress must be a function\.$/],
  ["a client of nobody", { client: {} }, "invalid_option", /^options\.client must be a Client\.$/],
  ["an unknown engine", { engine: "gpu" }, "invalid_option", /^options\.engine must be "auto", "local" or "remote", not "gpu"\.$/],
  ["a buffer as the result", { as: "buffer" }, "invalid_option", /^options\.as must be "blob" or "stream"\.$/],
  ["settings as text", { settings: "fast" }, "invalid_option", /^options\.settings must be a plain object\.$/],
  ["a name in a folder", { name: "photos/one" }, "invalid_option", /^options\.name must be a file name without a folder\.$/],
  ["a name of a folder above", { name: ".." }, "invalid_option", /^options\.name must be a file name/],
  ["an empty name", { name: "" }, "invalid_option", /^options\.name must be a file name/],
  ["a name with a line break", { name: "a\nb" }, "invalid_option", /^options\.name must be a file name/],
  ["a name that turns the direction of text", { name: "photo\u202egpj.exe" }, "invalid_option", /^options\.name must be a file name/],
  ["a name that is too long", { name: "x".repeat(256) }, "invalid_option", /^options\.name must be a file name/],
  ["a getter that throws", { get quality() { throw new Error("mine"); } }, "invalid_option", /^options must be a plain object\.$/],
];

/** What does not hold of these calls with `photo`, as lines. */
export async function oddCalls({ compress, FilepressError }, photo) {
  const wrong = [];
  const expect = async (name, call, code, words) => {
    const error = await call().then(() => new Error("was taken"), (thrown) => thrown);
    if (!(error instanceof FilepressError) || error.code !== code || !words.test(error.message)) wrong.push(`${name}: ${error.code}: ${error.message}`);
  };
  for (const [name, [make, words]] of Object.entries(WRONG_INPUTS)) {
    await expect(name, () => compress(make(photo)), "unreadable_input", words);
    if (/^\^(Got|Nothing)/.test(words.source)) await expect(name, () => compress(make(photo)), "unreadable_input", LISTED);
  }
  for (const [name, options, code, words] of WRONG_OPTIONS) await expect(name, () => compress(photo, options), code, words);
  return wrong;
}
