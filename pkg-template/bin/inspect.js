// The commands that only print information: `inspect` and `formats`.
import { formats, inspect } from "filepress";
import { findInputs, openInput } from "./inputs.js";
import { writeJson, writeLine } from "./print.js";
import { toUserMessage } from "./messages.js";

/** Prints the properties of images. Resolves to whether all files were read. */
export async function inspectAll({ inputs: texts, json }) {
  const types = await formats();
  const extensions = types.filter(({ read }) => read).flatMap(({ extensions }) => extensions);
  const { inputs } = await findInputs(texts, { extensions: new Set(extensions.map((extension) => `.${extension}`)) });
  let failed = 0;
  for (const input of inputs) {
    try {
      const facts = await inspect(await openInput(input));
      if (json) writeJson(process.stdout, { input: input.path, ...facts });
      else writeLine(process.stdout, summarize(input, facts));
    } catch (error) {
      const { name, code } = error;
      const message = toUserMessage(error, types);
      failed += 1;
      if (json) writeJson(process.stdout, { input: input.path, error: { name, code, message } });
      else writeLine(process.stderr, `filepress: ${input.shown}: ${message} (${code})`);
    }
  }
  return failed === 0;
}

function summarize({ shown }, { type, width, height, frames, hasAlpha, bitDepth, colorSpace, orientation, hasIccProfile, hasGainMap, hasGps, quality }) {
  const facts = [`${width} × ${height}`, `${bitDepth} bits`, colorSpace];
  if (frames > 1) facts.push(`${frames} frames`);
  if (hasAlpha) facts.push("alpha");
  if (orientation !== 1) facts.push(`orientation ${orientation}`);
  if (hasIccProfile) facts.push("color profile");
  if (hasGainMap) facts.push("HDR gain map");
  if (hasGps) facts.push("location");
  if (quality !== undefined) facts.push(`quality about ${quality}`);
  return `${shown}: ${type}, ${facts.join(", ")}`;
}

/** Prints all formats, and what can be done with each. */
export async function listFormats({ json }) {
  for (const format of await formats()) {
    const { type, name, extensions, read, write, engine } = format;
    const support = engine === "local" ? [read && "read", write && "write"].filter(Boolean).join(", ") : "by a server";
    if (json) writeJson(process.stdout, format);
    else writeLine(process.stdout, `${type.padEnd(26)} ${name.padEnd(24)} ${support.padEnd(11)} ${extensions.join(" ")}`);
  }
}
