// All results as one ZIP file. It is stored without compression, since that is what the files have already.
import { downloadZip } from "./vendor/client-zip.js";

/** @param {{ name: string, input: Blob, lastModified: number }[]} entries; names that meet again are counted. */
export function zip(entries) {
  return downloadZip(distinct(entries)).blob();
}

function distinct(entries) {
  const taken = new Set();
  return entries.map((entry) => {
    const [, stem, extension] = /^(.*?)(\.[^.]*)?$/s.exec(entry.name);
    let { name } = entry;
    // File systems that know no difference of case have to hold both.
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${extension ?? ""}`;
    taken.add(name.toLowerCase());
    return { ...entry, name };
  });
}
