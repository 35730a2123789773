// SVG files, as text.

/** Soft and hard parts: gradients, curves, straight edges, see-through shapes; on a ground that `clear` leaves out. */
export function drawn(width, height, { clear = false } = {}) {
  const ground = clear ? "" : '<rect width="100%" height="100%" fill="url(#sky)"/>';
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 96 64">
  <!-- an early sketch -->
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#1e5aa0"/><stop offset="1" stop-color="#f4d9b0"/></linearGradient>
    <radialGradient id="sun"><stop offset="0" stop-color="#fff6c8"/><stop offset="1" stop-color="#e08020"/></radialGradient>
  </defs>
  ${ground}
  <circle cx="60" cy="24" r="17" fill="url(#sun)"/>
  <path d="M0 52 C 20 30, 34 60, 52 44 S 84 40, 96 50 V 64 H 0 Z" fill="#2c6e49" fill-opacity="0.75"/>
  <g stroke="#202040" stroke-width="2.5" fill="none"><path d="M8 12 H 36 V 28 H 8 Z"/><path d="M12 24 L 30 16" stroke-linecap="round"/></g>
  <rect x="12" y="34" width="22" height="14" fill="#c8324a" transform="rotate(12 23 41)"/>
</svg>
`);
}

/** A line of text over a plain ground, in a family that is nowhere installed unless one is named. */
export function written(width, height, { text = "Quick fox", family = "No Such Family" } = {}) {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 160 104">
  <rect width="160" height="104" fill="#fff"/>
  <text x="10" y="64" font-family="${family}" font-size="22" fill="#102030">${text}</text>
</svg>
`);
}

const RECT = '<rect width="24" height="16" fill="#246"/>';
/** Elements inside each other, or by way of each other: each draws the same corner. */
const nestings = {
  groups: (depth) => "<g>".repeat(depth) + RECT + "</g>".repeat(depth),
  layers: (depth) => '<g opacity=".999">'.repeat(depth) + RECT + "</g>".repeat(depth),
  links: (depth) => "<a>".repeat(depth) + RECT + "</a>".repeat(depth),
  uses: (depth) => chain(depth, `<g id="n0">${RECT}</g>`, (id, last) => `<use id="${id}" href="#${last}"/>`, (id) => `<use href="#${id}"/>`),
  patterns: (depth) =>
    chain(
      depth,
      `<pattern id="n0" width="24" height="16" patternUnits="userSpaceOnUse">${RECT}</pattern>`,
      (id, last) => `<pattern id="${id}" width="24" height="16" patternUnits="userSpaceOnUse"><rect width="24" height="16" fill="url(#${last})"/></pattern>`,
      (id) => `<rect width="24" height="16" fill="url(#${id})"/>`,
    ),
  clips: (depth) =>
    chain(
      depth,
      '<clipPath id="n0"><rect width="24" height="16"/></clipPath>',
      (id, last) => `<clipPath id="${id}" clip-path="url(#${last})"><rect width="24" height="16"/></clipPath>`,
      (id) => `<g clip-path="url(#${id})">${RECT}</g>`,
    ),
};

/** Definitions of which each names the one before it, and what draws the last. */
function chain(depth, first, next, drawn) {
  const rest = Array.from({ length: depth }, (_, index) => next(`n${index + 1}`, `n${index}`));
  return `<defs>${first}${rest.join("")}</defs>${drawn(`n${depth}`)}`;
}

/** A corner that is drawn through so many steps; `how` is a name of those above. */
export function nested(how, depth) {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="48" height="32">${nestings[how](depth)}</svg>`);
}
