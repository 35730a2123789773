// Pictures that only the browser decodes: HEIC in Safari, JPEG XL in some.

/** Resolves to the picture as a PNG with the name of the file, or undefined if the browser can't decode it either. */
export async function decodedByBrowser(file) {
  try {
    const bitmap = await createImageBitmap(file);
    const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    return blob && new File([blob], file.name, { type: blob.type, lastModified: file.lastModified });
  } catch {
    return undefined;
  }
}
