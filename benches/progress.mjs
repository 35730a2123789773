// How long a call is silent: the events of `onProgress` for a generated landscape of 12 megapixels, and the longest
// time between two of them. Fails if that is longer than half a second and a tenth of the call, or if a ratio
// decreases. Needs dist/package/.
import sharp from "sharp";
import { compress } from "../dist/package/index.node.js";
import { draw } from "./generated-pictures.mjs";

const CALLS = [
  { to: "jpeg" },
  { to: "jpeg", resize: { maxWidth: 1920 } },
  { to: "jpeg", targetSize: 1_000_000 },
  { to: "jpeg", quality: "auto" },
  { to: "png", quality: 80 },
  { to: "webp" },
  { to: "webp", quality: "auto" },
  { to: "avif" },
  { to: "avif", quality: "auto" },
];
const MOST_MS = 500;
const MOST_SHARE = 0.1;

const [WIDTH, HEIGHT] = [4000, 3000];
const raw = { width: WIDTH, height: HEIGHT, channels: 4 };
const photo = await sharp(draw("landscape", WIDTH, HEIGHT), { raw }).removeAlpha().jpeg({ quality: 92 }).toBuffer();
await compress(photo);
const rows = [];
for (const options of CALLS) rows.push(await watch(options));
console.table(rows);
if (rows.some(({ silent, share, falls }) => falls > 0 || (silent > MOST_MS && share > 100 * MOST_SHARE))) process.exitCode = 1;

async function watch(options) {
  const events = [];
  await compress(photo, { ...options, onProgress: ({ ratio, attempt }) => events.push({ ratio, attempt, at: performance.now() }) });
  const pairs = events.slice(1).map((event, index) => [events[index], event]);
  const ms = events.at(-1).at - events[0].at;
  const silent = Math.max(...pairs.map(([one, next]) => next.at - one.at));
  return {
    call: JSON.stringify(options),
    seconds: Number((ms / 1000).toFixed(1)),
    events: events.length,
    attempts: events.at(-2).attempt ?? 1,
    silent: Math.round(silent),
    share: Math.round((100 * silent) / ms),
    falls: pairs.filter(([one, next]) => next.ratio < one.ratio).length,
    "ratio at half time": Number(events.findLast(({ at }) => at - events[0].at <= ms / 2).ratio.toFixed(2)),
  };
}
