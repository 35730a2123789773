// `make bench-page-many`: what many files cost the demo page in Chromium. Thirty photos of 24 megapixels: the peak of resident memory of
// the page's process, the longest task of its main thread, the time. A thousand small photos, chosen and dropped: the longest task, the
// longest apart from those in which the browser hands over the files, and how long such a task is in a page that does nothing with them
// (Chromium asks another process for the media type of each file, and waits: `MimeRegistry::GetMimeTypeFromExtension` in its traces);
// and the frames a second in which the list scrolls afterwards. Exits with 1 if one of them exceeds its budget. PHOTOS and SMALL set the counts.
import { readFileSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { landscape, times } from "../scripts/screenshots/landscapes.mjs";
import { serve } from "../scripts/serve.mjs";
import { launchChromium } from "../tests/package/support/chromium.mjs";

const PHOTOS = Number(process.env.PHOTOS ?? 30);
const SMALL = Number(process.env.SMALL ?? 1000);
const BUDGETS = { megabytes: 800, photoTask: 100, smallTask: 200, frames: 50 };
const PATIENCE = 1_800_000;
/** A hand stays over the page for longer, in milliseconds, before it lets go. */
const HOVER = 500;

const folder = await mkdtemp(join(tmpdir(), "filepress-many-"));
const site = await serve();
/** The ways in which files come. */
const WAYS = { chosen: choose, dropped: drop };
const photos = await written("photo", PHOTOS, { width: 6000, height: 4000 });
const large = await measure(photos, choose, false);
console.log(
  `${PHOTOS} photos of 24 megapixels: ${large.seconds} s, peak ${large.megabytes} MB of the page's process (budget ${BUDGETS.megabytes}), ` +
    `longest task ${large.longest} ms (budget ${BUDGETS.photoTask}), ${large.tasks} tasks over 50 ms`,
);
const few = await written("small", SMALL, { width: 240, height: 160 });
const small = [];
for (const [name, give] of Object.entries(WAYS)) {
  const found = await measure(few, give, true);
  small.push(found);
  console.log(
    `${SMALL} small photos, ${name}: ${found.seconds} s, peak ${found.megabytes} MB, longest task ${found.longest} ms (budget ${BUDGETS.smallTask}; of an ` +
      `empty page that is given them ${await measureEmpty(give)} ms; apart from the handing over ${found.own} ms), ${found.tasks} tasks over 50 ms, the list scrolls at ${found.frames} frames a second ` +
      `(budget ${BUDGETS.frames})`,
  );
}
await site.close();
await rm(folder, { recursive: true });
const kept =
  large.megabytes <= BUDGETS.megabytes &&
  large.longest <= BUDGETS.photoTask &&
  small.every(({ longest, frames }) => longest <= BUDGETS.smallTask && frames >= BUDGETS.frames);
process.exitCode = kept ? 0 : 1;

/** Paths of `count` files, of as many pictures as there are times of day. */
async function written(name, count, size) {
  const pictures = [];
  for (const [shift, time] of times.entries()) pictures.push(await landscape(time, { ...size, shift }));
  const paths = Array.from({ length: count }, (_, index) => join(folder, `${name} ${index + 1}.jpg`));
  for (const [index, path] of paths.entries()) await writeFile(path, pictures[index % pictures.length]);
  return paths;
}

async function choose(page, paths) {
  await page.setInputFiles("#file", paths);
}

/** Drops files on the page, as a visitor drags them from a folder. */
async function drop(page, paths) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const send = (type) => session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
  await send("dragEnter");
  await send("dragOver");
  await page.waitForTimeout(HOVER);
  await send("drop");
}

/** Compresses files in a new browser, and scrolls through their list if asked to. */
async function measure(paths, give, scrolls) {
  const browser = await launchChromium();
  const context = await browser.newContext({ serviceWorkers: "block", viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.addInitScript(noteTasks);
  await page.goto(site.url);
  await page.evaluate(() => void (tasks.length = 0, handed.length = 0));
  const start = performance.now();
  await give(page, paths);
  await page.waitForFunction(
    (count) => document.querySelectorAll('.card[data-state="done"]').length === count,
    paths.length,
    { polling: 1000 },
  );
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  const found = await page.evaluate(() => tasks);
  const times = await page.evaluate(() => handed);
  const own = found.filter(({ from, to }) => !times.some((time) => from <= time && time <= to));
  const megabytes = Math.round(peakOfRenderers() / 1e6);
  const frames = scrolls ? Math.round(await page.evaluate(scroll)) : undefined;
  await browser.close();
  return { seconds, megabytes, longest: longest(found), own: longest(own), tasks: found.length, frames };
}

function longest(tasks) {
  return Math.round(Math.max(0, ...tasks.map(({ from, to }) => to - from)));
}

/** For a page before its scripts run: collects its long tasks, and the times at which it is handed files. */
function noteTasks() {
  globalThis.tasks = [];
  globalThis.handed = [];
  const task = ({ startTime, duration }) => ({ from: startTime, to: startTime + duration });
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(task))).observe({ type: "longtask" });
  for (const type of ["change", "dragenter", "drop"]) addEventListener(type, () => handed.push(performance.now()), true);
}

/** The longest task of a page that has nothing but the field, and keeps the list of files. */
async function measureEmpty(give) {
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.setContent('<body style="height: 100vh"><input type="file" id="file" multiple>');
  await page.evaluate(noteTasks);
  await page.evaluate(() => {
    document.getElementById("file").addEventListener("change", ({ target }) => (globalThis.given = target.files));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      globalThis.given = event.dataTransfer.files;
    });
  });
  await give(page, few);
  await page.waitForFunction((count) => globalThis.given?.length === count, SMALL);
  await page.waitForTimeout(1000);
  const found = await page.evaluate(() => tasks);
  await browser.close();
  return longest(found);
}

/** Frames a second of a page that is scrolled by 40 pixels each frame. */
function scroll() {
  return new Promise((resolve) => {
    const start = performance.now();
    let count = 0;
    const step = (now) => {
      scrollBy(0, 40);
      count++;
      if (now - start > 3000) resolve((count * 1000) / (now - start));
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}

/** The highest peak of resident memory, in bytes, of a renderer that this process has started. */
function peakOfRenderers() {
  const peaks = descendants(process.pid)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer"))
    .map((pid) => Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/^VmHWM:\s+(\d+)/m)?.[1] ?? 0) * 1024);
  return Math.max(0, ...peaks);
}

function descendants(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean));
  return children.flatMap((child) => [child, ...descendants(child)]);
}
