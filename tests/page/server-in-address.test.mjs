// A server named in the fragment of the page's address: it is accepted, or refused by a message that does not contain
// its key.
import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import { visit } from "./support/visitor.mjs";

const KEY = "secret-of-the-service";
const visitor = await visit();
const { page, site, complaints } = visitor;
after(() => visitor.close());

/** Follows a link to the page with this fragment, in the tab that shows it already. */
async function follow(entries) {
  const fragment = new URLSearchParams(entries);
  await page.evaluate((hash) => (location.hash = hash), `#${fragment}`);
  await page.waitForFunction(() => location.hash === "");
}
const note = () => page.locator("#note");
const pledge = () => page.textContent("#pledge-words");
const everything = async () => {
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
  return (await page.content()) + page.url() + kept;
};

before(() => follow({ service: "https://files.example.com/base/", key: KEY }));

test("an address that can be used is taken, and the address bar is clean", async () => {
  assert.match(await pledge(), /files\.example\.com/);
  assert.equal(await note().isVisible(), false);
  assert.equal(page.url(), site.url);
  await page.click("#pledge");
  await page.click("#privacy-server");
  assert.equal(await page.inputValue("#service-address"), "https://files.example.com/base");
  assert.equal(await page.inputValue("#service-key"), "");
  await page.keyboard.press("Escape");
});

for (const [what, address, words] of [
  ["plain HTTP to another machine", "http://files.example.net", /must start with https:\/\/ \(http:\/\/ only for this machine/],
  ["another scheme", "ftp://files.example.net", /must start with https:\/\//],
  ["a script", "javascript:alert(1)", /must start with https:\/\//],
  ["what is no address", "files.example.net", /not a web address/],
  ["a loopback address that the policy cannot name", "http://[::1]:8443", /can’t connect to this address/],
  ["a password in it", `https://someone:${KEY}@files.example.net`, /without a user name or password/],
  ["the version in it", "https://files.example.net/v1", /without \/v1/],
]) {
  test(`${what} is refused in words, in the address bar and in the form, and all stays as it was`, async () => {
    await follow({ service: address, key: `other-${KEY}` });
    await note().waitFor();
    assert.match(await note().textContent(), /^The server in this page’s address is not used\. /);
    assert.match(await note().textContent(), words);
    assert.match(await pledge(), /files\.example\.com/);
    const shown = await everything();
    assert.ok(!shown.includes(`other-${KEY}`) && !shown.includes("someone"));
    assert.equal(page.url(), site.url);
    await page.click("#pledge");
    await page.click("#privacy-server");
    await page.fill("#service-address", address);
    await page.keyboard.press("Enter");
    assert.match(await page.textContent("#service-error"), words);
    assert.equal(await page.getAttribute("#service-address", "aria-invalid"), "true");
    await page.keyboard.press("Escape");
  });
}

test("a key that cannot be one is refused, and not shown", async () => {
  await follow({ service: "https://files.example.net", key: "not a key" });
  assert.match(await note().textContent(), /A key has only ASCII characters/);
  assert.ok(!(await everything()).includes("not a key"));
});

test("a key alone is taken off the address bar", async () => {
  await follow({ key: KEY });
  assert.equal(page.url(), site.url);
});

test("a page that came by HTTPS says that it can reach no other machine by HTTP", async () => {
  const origin = "https://page.example.net/";
  const context = await visitor.browser.newContext({ serviceWorkers: "block" });
  await context.route(`${origin}**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const response = await fetch(site.url + pathname.slice(1));
    const names = ["content-type", "content-security-policy"];
    const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
    await route.fulfill({ headers, body: Buffer.from(await response.arrayBuffer()) });
  });
  const secure = await context.newPage();
  await secure.goto(`${origin}#service=http://files.example.net&key=${KEY}`);
  await secure.locator("#note").waitFor();
  assert.match(await secure.textContent("#note"), /A page that was loaded by https:\/\/ can’t connect to http:\/\//);
  assert.equal(await secure.textContent("#pledge-words"), "Everything stays on this device");
  assert.equal(secure.url(), origin);
  assert.ok(!(await secure.content()).includes(KEY));
  await context.close();
});

test("where the browser keeps nothing for the page, the server is known until the tab is closed", async () => {
  const context = await visitor.browser.newContext({ serviceWorkers: "block" });
  await context.addInitScript(() =>
    Object.defineProperty(globalThis, "sessionStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    }),
  );
  const closed = await context.newPage();
  await closed.goto(`${site.url}#service=https://files.example.com`);
  await closed.waitForFunction(() => document.getElementById("pledge-words").textContent.includes("files.example.com"));
  await context.close();
});

test("the console had nothing to complain about", () => assert.deepEqual(complaints, []));
