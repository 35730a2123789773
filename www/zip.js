// All results as one ZIP file, stored without compression because the files are compressed already.
import { downloadZip } from "./vendor/client-zip.js";

/** @param {{ name: string, input: Blob, lastModified: number }[]} entries; duplicate names get a number. */
export function zip(entries) {
  return downloadZip(distinct(entries)).blob();
}

function distinct(entries) {
  const taken = new Set();
  return entries.map((entry) => {
    const [, stem, extension] = /^(.*?)(\.[^.]*)?$/s.exec(entry.name);
    let { name } = entry;
    // Some file systems ignore case.
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${extension ?? ""}`;
    taken.add(name.toLowerCase());
    return { ...entry, name };
  });
}
