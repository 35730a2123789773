import { compressFile } from "./compress-file.js";

window.compressFile = compressFile;
