// A visitor of the page with a live service that allows the page's origin.
import { serve } from "../../../scripts/serve.mjs";
import { startService } from "../../../scripts/service.mjs";
import { close as closeFilms } from "./films.mjs";
import { visit } from "./visitor.mjs";

/** As `visit`, with `service`; `host` is how the page names it, `uploads()` how many files it was sent. */
export async function visitServed() {
  const site = await serve();
  const service = await startService({ args: ["--cors-origins", new URL(site.url).origin] });
  const visitor = await visit({ origin: site, hash: `#${new URLSearchParams({ service: service.url, key: service.key })}` });
  const uploads = async () => (await service.client.call("GET", "/v1/files")).body.data.length;
  const close = async () => {
    await visitor.close();
    await Promise.all([site.close(), service.stop(), closeFilms()]);
  };
  return { ...visitor, service, host: new URL(service.url).host, uploads, close };
}

/** Agrees to the question before files are sent. */
export async function agree(page) {
  await page.locator("dialog#consent").waitFor();
  await page.locator('dialog#consent button[value="yes"]').click();
}
