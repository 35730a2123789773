// Stands for the package in tests that run as CommonJS.
class FilepressError extends Error {}

/** Returns the file unchanged. */
async function compress(file) {
  const bytes = async () => new Uint8Array(await file.arrayBuffer());
  const size = { inputSize: file.size, outputSize: file.size };
  return { blob: file, file, bytes, type: file.type, name: file.name, ...size, engine: "local", keptOriginal: true, warnings: [] };
}

module.exports = { FilepressError, compress, convert: compress };
