// Files as one ZIP file, stored without compression because they are compressed already.
import { downloadZip } from "./vendor/client-zip.js";

/** @param {{ name: string, input: Blob, lastModified: number }[]} entries whose names differ. */
export const zip = (entries) => downloadZip(entries).blob();
