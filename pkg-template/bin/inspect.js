// The commands that make nothing: `inspect` and `formats`.
import { formats, inspect } from "filepress";
import { findInputs, openInput } from "./inputs.js";
import { writeJson, writeLine } from "./print.js";
import { toUserMessage } from "./messages.js";

/** Whether all files could be told. */
export async function inspectAll({ inputs: texts, json }) {
  const types = await formats();
  const extensions = types.filter(({ read }) => read).flatMap(({ extensions }) => extensions);
  const { inputs } = await findInputs(texts, new Set(extensions.map((extension) => `.${extension}`)));
  let failed = 0;
  for (const input of inputs) {
    try {
      const facts = await inspect(await openInput(input));
      if (json) writeJson(process.stdout, { input: input.path, ...facts });
      else writeLine(process.stdout, described(input, facts));
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

function described({ shown }, { type, width, height, frames, hasAlpha, bitDepth, colorSpace, orientation, hasIccProfile }) {
  const facts = [`${width} × ${height}`, `${bitDepth} bits`, colorSpace];
  if (frames > 1) facts.push(`${frames} frames`);
  if (hasAlpha) facts.push("alpha");
  if (orientation !== 1) facts.push(`orientation ${orientation}`);
  if (hasIccProfile) facts.push("color profile");
  return `${shown}: ${type}, ${facts.join(", ")}`;
}

export async function listFormats({ json }) {
  for (const format of await formats()) {
    const { type, name, extensions, read, write, engine } = format;
    const here = engine === "local" ? [read && "read", write && "written"].filter(Boolean).join(" and ") : "by a service";
    if (json) writeJson(process.stdout, format);
    else writeLine(process.stdout, `${type.padEnd(26)} ${name.padEnd(24)} ${here.padEnd(17)} ${extensions.join(" ")}`);
  }
}
