// Makes all results of one input from one decoded picture, and prints the markup for them.
import { pictureSources, variants } from "filepress";
import { relative } from "node:path";
import { fileName } from "../lib/file-name.js";
import { openInput } from "./inputs.js";
import { variantOptions } from "./variants.js";

/**
 * `jobs`: those of one input. `expect`, `store` and `fail` are those of a single result (compress.js). A result that fails does not end the
 * others.
 */
export async function makeTogether(context, jobs, { expect, store, fail }) {
  const { command, options } = context;
  const { signal, as, ...own } = options;
  const written = [];
  let left = [];
  for (const job of jobs) {
    try {
      if (await expect(context, job, variantOptions(own, job.variant))) left.push(job);
    } catch (error) {
      fail(job, error);
    }
  }
  while (left.length > 0 && !signal.aborted) left = await makeMost(context, left, written, { store, fail }, { signal, as, own });
  if (command.html && written.length > 0) context.report.markup(toHtml(written, command));
}

/** Makes the results of `left` until one fails. Resolves to those that are still to be made. */
async function makeMost(context, left, written, { store, fail }, { signal, as, own }) {
  const { command, progress, report } = context;
  // The width is in the names by default, and the template has it.
  const name = fileName(left[0].input.name) ?? "image";
  const entries = left.map(({ variant }) => variantOptions(own, variant)).map(({ settings, engine, ...entry }) => ({ ...entry, name }));
  const made = new Set();
  const onProgress = (state) => progress.update(left.find((job) => !made.has(job)) ?? left[0], state);
  try {
    const input = await openInput(left[0].input);
    for await (const result of variants(input, entries, { signal, as, onProgress, onlyIfSmaller: command.onlyIfSmaller })) {
      const job = left[result.index];
      made.add(job);
      progress.finish(job);
      const { path, skip } = await store(context, job, result);
      if (skip) report.unchanged(job.input, { path, skip });
      else report.done(job.input, path, result);
      if (skip !== "duplicate" && typeof path === "string") written.push({ ...result, index: job.index, path });
    }
    const larger = left.filter((job) => !made.has(job));
    for (const job of larger) {
      progress.finish(job);
      report.unchanged(job.input, { skip: "larger" });
    }
    return [];
  } catch (error) {
    const failed = left[error?.details?.variant];
    const rest = left.filter((job) => !made.has(job));
    if (failed && !made.has(failed)) {
      fail(failed, error);
      return rest.filter((job) => job !== failed);
    }
    rest.forEach((job) => fail(job, error));
    return [];
  }
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text) => String(text).replace(/[&<>"]/g, (character) => ESCAPES[character]);

/** The lines of a `<picture>` with URLs relative to --out. */
function toHtml(written, { out = "." }) {
  const url = ({ path }) => relative(out, path).split(/[\\/]/).map(encodeURIComponent).join("/");
  const { sources, img } = pictureSources(written, url);
  const tag = (name, attributes) => `<${name} ${Object.entries(attributes).map(([key, value]) => `${key}="${escape(value)}"`).join(" ")}>`;
  const image = tag("img", { src: img.src, srcset: img.srcset, sizes: "100vw", width: img.width, height: img.height, alt: "" });
  const lines = sources.map(({ type, srcset }) => tag("source", { type, srcset, sizes: "100vw" }));
  return ["<picture>", ...[...lines, image].map((line) => `  ${line}`), "</picture>"];
}
