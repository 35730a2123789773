import { init } from "filepress";
import { compressFile } from "./compress-file.js";

init({ workers: "filepress/" });
window.compressFile = compressFile;
