// The plug-ins that work where files are uploaded, with the libraries that they are for, behind Vite's development server.
import { after } from "node:test";
import { launchChromium } from "../package/support/chromium.mjs";
import { openProject } from "./support/project.mjs";
import { writeExamples } from "./support/examples.mjs";
import { testFilePond } from "./support/uploads/filepond.mjs";
import { testReact } from "./support/uploads/react.mjs";
import { testUppy } from "./support/uploads/uppy.mjs";
import { testTypes } from "./support/uploads/types.mjs";

const project = openProject("uploads");
writeExamples(project, "uploads");
const browser = await launchChromium();
after(() => browser.close());
const server = await project.serve("dev", "--port", "0", "--host", "127.0.0.1");
after(server.close);

testTypes(project);
testReact(browser, server.url);
testUppy(browser, server.url);
testFilePond(browser, server.url);
