// The variants of a photo that are measured: 4 widths in 3 formats.
const WIDTHS = [400, 800, 1200, 1600];
const FORMATS = ["avif", "webp", "jpeg"];
export const ENTRIES = FORMATS.flatMap((to) => WIDTHS.map((width) => ({ to, resize: { width } })));
