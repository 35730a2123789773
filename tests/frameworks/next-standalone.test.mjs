// The standalone server of Next.js with webpack, which contains only the files that a tracer lists.
import { after, test } from "node:test";
import { checkPage, checkServer } from "../consumers/support/check.mjs";
import { openProject } from "../consumers/support/project.mjs";
import { launchChromium } from "../package/support/chromium.mjs";
import { freePort } from "../package/support/free-port.mjs";

// The server takes its port from the environment alone.
Object.assign(process.env, { HOSTNAME: "127.0.0.1", PORT: `${await freePort()}` });

const project = openProject("next", "lib");
project.write("next.config.js", 'export default { output: "standalone", serverExternalPackages: ["filepress"] };\n');
const browser = await launchChromium();
after(() => browser.close());

test("next build --webpack, standalone", async (context) => {
  project.run("standalone");
  const server = await project.serve("server");
  context.after(server.close);
  await context.test("a page", () => checkPage(project, browser, server.url));
  await context.test("a route handler", () => checkServer(project, `${server.url}/compress-file`));
});
