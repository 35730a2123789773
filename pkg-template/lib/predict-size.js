// The size of a result before it is made, from that of the input, which `inspect` tells.

/** The size of a result as far as the input's size and the options determine it, to a pixel of rounding. */
export function predictSize(input, { crop, rotate, resize = {} }) {
  const part = crop ? partOf(input, crop) : input;
  const { width, height } = rotate % 180 === 90 ? { width: part.height, height: part.width } : part;
  const isExact = !["inside", "outside"].includes(resize.fit);
  if (resize.width !== undefined && resize.height !== undefined && isExact) return resize;
  const wanted = [(resize.width ?? Infinity) / width, (resize.height ?? Infinity) / height];
  const fitting = resize.fit === "outside" && wanted.every(Number.isFinite) ? Math.max(...wanted) : Math.min(...wanted);
  const asked = fitting === Infinity ? 1 : fitting;
  const scale = Math.min(asked, (resize.maxWidth ?? Infinity) / width, (resize.maxHeight ?? Infinity) / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The size of what `crop` keeps. */
function partOf({ width, height }, { x = 0, y = 0, width: wide, height: high }) {
  const share = (length) => (typeof length === "string" ? Number.parseFloat(length) : undefined);
  const pixels = (length, all) => (share(length) === undefined ? length : Math.round((share(length) * all) / 100));
  const span = (from, length, all) => {
    if (length === undefined) return Math.max(1, all - pixels(from, all));
    const areShares = share(from) !== undefined && share(length) !== undefined;
    return Math.max(1, areShares ? pixels(`${share(from) + share(length)}%`, all) - pixels(from, all) : pixels(length, all));
  };
  return { width: span(x, wide, width), height: span(y, high, height) };
}
