// The page's Content-Security-Policy and network requests while all of its features are used.
import { strict as assert } from "node:assert";
import { after, test } from "node:test";
import { sample } from "../package/support/samples.mjs";
import * as films from "./support/films.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const visitor = await visit();
const { page, site, complaints, card, settled, download, add, compare, closeComparison } = visitor;
after(() => Promise.all([visitor.close(), films.close()]));

test("the policy allows no script but the page's own, in the page and in the header", async () => {
  const meta = await page.locator('meta[http-equiv="content-security-policy"]').getAttribute("content");
  const header = (await fetch(site.url)).headers.get("content-security-policy");
  assert.ok(header.startsWith(meta));
  const policy = new Map(meta.split("; ").map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1).join(" ")]));
  assert.equal(policy.get("default-src"), "'none'");
  assert.equal(policy.get("script-src"), "'self' 'wasm-unsafe-eval'");
  assert.doesNotMatch(meta, /unsafe-inline|'unsafe-eval'|blob:[^;]*worker|data:/);
});

test("everything in use at once breaks no rule", async () => {
  await add([
    await photoFile("photo.jpg"),
    { name: "drawn.svg", mimeType: "image/svg+xml", buffer: Buffer.from(await sample("drawn.svg", [320, 200])) },
    await films.webFilm("clip.webm"),
  ]);
  await settled();
  await card("clip.webm").locator(".thumb canvas").waitFor();
  await page.selectOption("#image-to", "image/avif");
  await page.waitForFunction(() => document.querySelector(".card .save").download === "photo.avif");
  await settled();
  await compare("photo.jpg");
  await page.waitForFunction(() => /^\d/.test(document.querySelector("#facts-after div:last-child dd")?.textContent ?? ""));
  await closeComparison();
  await download(page.locator("#zip"));
  assert.deepEqual(await page.evaluate(() => violations), []);
  assert.deepEqual(complaints, []);
});

test("nothing but the page's own files was asked for", async () => {
  const addresses = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  assert.ok(addresses.length > 20);
  assert.deepEqual(
    addresses.filter((address) => !address.startsWith(site.url) && !address.startsWith("blob:")),
    [],
  );
});

test("eval, markup with scripts and pictures from elsewhere are refused", async () => {
  // As scripts of the page: what is evaluated over the debugger's own channel would be exempt.
  const outcome = await page.evaluate(async () => {
    // The policy of the page and that of the header both say so.
    const refused = new Set();
    const broken = new Promise((resolve) =>
      addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        refused.add(effectiveDirective);
        if (refused.size === 4) resolve();
      }),
    );
    setTimeout(() => {
      try {
        new Function("globalThis.evaluated = true")();
      } catch {}
    });
    document.body.append(Object.assign(document.createElement("script"), { textContent: "globalThis.evaluated = true" }));
    document.body.append(Object.assign(new Image(), { src: "https://example.invalid/a.png" }));
    fetch("http://example.invalid/").catch(() => {});
    await Promise.race([broken, new Promise((resolve) => setTimeout(resolve, 60_000))]);
    return { refused: [...refused].sort(), evaluated: globalThis.evaluated };
  });
  assert.equal(outcome.evaluated, undefined);
  assert.deepEqual(outcome.refused, ["connect-src", "img-src", "script-src", "script-src-elem"]);
});
