// Saves all results: as a download, which is one ZIP file unless there is a single result, or into a folder that the visitor picks. Folders that files came in stay as they are.
import { resultName } from "./result-name.js";

/** Entries of finished items: { path, input, lastModified }. Equal paths get a number. */
function entriesOf(items) {
  const entries = items.map((item) => {
    // Programs that share files may name them as they like: no path leads out of the folder that it is written to.
    const folder = item.path.split("/").slice(0, -1).filter((name) => !["", ".", ".."].includes(name));
    return { path: [...folder, resultName(item)].join("/"), input: item.result.blob, lastModified: item.file.lastModified };
  });
  return distinct(entries);
}

/** Downloads a single result as it is, several as a ZIP file that is named by what is in it. */
export async function downloadAll(items) {
  const entries = entriesOf(items);
  const [blob, download] = entries.length === 1 ? [entries[0].input, resultName(items[0])] : await zipped(entries);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download });
  link.click();
  // By then the download has read the blob.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function zipped(entries) {
  const { zip } = await import("./zip.js");
  return [await zip(entries.map(({ path, ...entry }) => ({ ...entry, name: path }))), `${titleOf(entries)}.zip`];
}

/** Whether this browser lets a page write into a folder. */
export const canSaveFolder = "showDirectoryPicker" in globalThis;

/** Writes the results into a folder that the visitor picks. Nothing there is overwritten. Resolves to how many were written. */
export async function saveFolder(items) {
  const entries = entriesOf(items);
  const root = await showDirectoryPicker({ id: "filepress", mode: "readwrite" });
  for (const { path, input } of entries) {
    const parts = path.split("/");
    let folder = root;
    for (const name of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true });
    await write(folder, await freeName(folder, parts.at(-1)), input);
  }
  return items.length;
}

async function write(folder, name, blob) {
  const handle = await folder.getFileHandle(name, { create: true });
  try {
    const stream = await handle.createWritable();
    await stream.write(blob);
    await stream.close();
  } catch (error) {
    // No empty file stays behind.
    await folder.removeEntry(name).catch(() => {});
    throw error;
  }
}

/** The folder that all came in, or how many of which format: as in "holiday", "filepress-20-webp". */
function titleOf(entries) {
  const folders = new Set(entries.map(({ path }) => (path.includes("/") ? path.split("/")[0] : "")));
  const [folder] = folders;
  if (folders.size === 1 && folder) return folder;
  const extensions = new Set(entries.map(({ path }) => path.split(".").at(-1)));
  return `filepress-${entries.length}-${extensions.size === 1 ? [...extensions][0] : "files"}`;
}

async function freeName(folder, name) {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : numbered(name, number);
    const taken = await folder.getFileHandle(tried).then(() => true, () => false);
    if (!taken) return tried;
  }
}

function distinct(entries) {
  const taken = new Set();
  return entries.map((entry) => {
    let { path } = entry;
    // Some file systems ignore case.
    for (let number = 2; taken.has(path.toLowerCase()); number++) path = numbered(entry.path, number);
    taken.add(path.toLowerCase());
    return { ...entry, path };
  });
}

function numbered(path, number) {
  const [, stem, extension] = /^(.*?)(\.[^./]*)?$/s.exec(path);
  return `${stem} (${number})${extension ?? ""}`;
}
