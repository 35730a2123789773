// A page with the Uppy of docs/plugins.md, which makes thumbnails too. `thumbnails` collects the name and type of each file
// that gets one, and `logs` what Uppy logs.
import ThumbnailGenerator from "@uppy/thumbnail-generator";
import uppy from "./uppy.js";

uppy.use(ThumbnailGenerator, { thumbnailWidth: 100 });

window.uppy = uppy;
window.logs = [];
window.thumbnails = [];
uppy.setOptions({ logger: { debug: () => {}, warn: (...args) => logs.push(String(args.at(-1))), error: (...args) => logs.push(String(args.at(-1))) } });
uppy.on("thumbnail:generated", ({ name, type }) => thumbnails.push(`${name} ${type}`));
