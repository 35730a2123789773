// The operator's page in Chromium: logging in, the queue, the storage, tasks and keys, by mouse and keyboard, with axe-core.
// FILEPRESS_SCREENSHOTS names a folder for pictures of it.
import { strict as assert } from "node:assert";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { violations } from "../package/support/accessibility.mjs";
import { launchChromium, openPage } from "../package/support/chromium.mjs";
import { freePort } from "../package/support/free-port.mjs";
import { startService } from "../../scripts/service.mjs";

const address = `127.0.0.1:${await freePort()}`;
// Nothing runs tasks, so that they stay as they are.
const service = await startService({ args: ["--admin-listen", address, "--image-workers", "0", "--heavy-workers", "0"] });
after(service.stop);
const adminKey = await service.createKey("--scopes", "admin", "--name", "<b>operator</b>");
const browser = await launchChromium();
after(() => browser.close());

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
for (let count = 0; count < 23; count++)
  await service.client.createTask(await service.client.upload(pixel), { format: { output: "image/webp" } });

/** The page, before anyone has logged in. */
async function visit(options) {
  const { page, complaints } = await openPage(browser, `http://${address}/`, options, (page) =>
    page.addInitScript(() => {
      globalThis.violations = [];
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => violations.push(`${violatedDirective} ${blockedURI}`));
    }),
  );
  return { page, complaints };
}

async function logIn(page, key = adminKey) {
  await page.getByLabel("API key with the scope").fill(key);
  await page.keyboard.press("Enter");
}

const rows = (page, list) => page.locator(`#${list} tr`);
const count = async (page, list, expected) => {
  await page.waitForFunction(([list, expected]) => document.querySelectorAll(`#${list} tr`).length === expected, [list, expected]);
};

async function picture(page, name) {
  const folder = process.env.FILEPRESS_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

test("the page shows what there is, in either color scheme and any width", async () => {
  const { page, complaints } = await visit({ viewport: { width: 1280, height: 900 } });
  await page.locator("#login").waitFor();
  assert.equal(await page.locator("#overview").isVisible(), false);
  await logIn(page);
  await count(page, "tasks", 20);
  await page.getByRole("button", { name: "More tasks" }).click();
  await count(page, "tasks", 23);
  assert.equal(await page.getByRole("button", { name: "More tasks" }).isVisible(), false);
  assert.match(await page.locator("#queue").textContent(), /image23 waiting, 0 running/);
  assert.match(await page.locator("#storage").textContent(), /files23, 1\.6 kB, in the folder.*free disk[\d.]+ [kMGT]B/);
  await count(page, "keys", 2);
  // What users have written is text.
  assert.match(await rows(page, "keys").first().textContent(), /<b>operator<\/b>/);
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 360]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing is wider than the page");
      assert.deepEqual(await violations(page, 10), [], `${colorScheme} ${width}`);
      await picture(page, `admin-${colorScheme}-${width}`);
    }
  }
  assert.deepEqual([complaints, await page.evaluate(() => globalThis.violations)], [[], []]);
  await page.close();
});

test("tasks are canceled and selected by their status", async () => {
  const { page, complaints } = await visit();
  await logIn(page);
  await count(page, "tasks", 20);
  const first = rows(page, "tasks").first();
  const id = await first.locator("code").textContent();
  await first.getByRole("button", { name: `Cancel task ${id}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "No" }).click();
  assert.equal((await service.client.call("GET", `/v1/tasks/${id}`)).body.data.attributes.status, "PENDING");
  await first.getByRole("button", { name: `Cancel task ${id}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.locator("#tasks").getByText("The operator canceled the task.").waitFor();
  assert.equal((await service.client.call("GET", `/v1/tasks/${id}`)).body.data.attributes.status, "FAILED");
  await page.getByLabel("Status").selectOption("FAILED");
  await count(page, "tasks", 1);
  assert.equal(await rows(page, "tasks").getByRole("button").count(), 0);
  await page.getByLabel("Status").selectOption("COMPLETED");
  await count(page, "tasks", 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("keys are created, shown once and revoked", async () => {
  const { page, complaints } = await visit();
  await logIn(page);
  await count(page, "keys", 2);
  await page.getByLabel("E-mail address of the user").fill("two@example.com");
  await page.getByLabel("Name").fill("shop");
  await page.getByLabel("Valid for days").fill("30");
  await page.getByLabel("tasks:read").check();
  await page.getByRole("button", { name: "Create key" }).click();
  await count(page, "keys", 3);
  const secret = await page.locator("#secret").textContent();
  assert.match(await rows(page, "keys").first().textContent(), /two@example\.comshoptasks:read.*until \d{4}-/);
  const use = (path) => fetch(new URL(path, service.url), { headers: { authorization: `Bearer ${secret}` } });
  assert.deepEqual([(await use("/v1/tasks")).status, (await use("/v1/files")).status], [200, 403]);
  await picture(page, "admin-new-key");
  await rows(page, "keys").first().getByRole("button", { name: /^Revoke key fp_.* of two@example\.com$/ }).click();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await rows(page, "keys").first().getByText("revoked").waitFor();
  assert.equal((await use("/v1/tasks")).status, 401);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a key without the scope shows nothing, and a key does not outlive its tab", async () => {
  const { page } = await visit();
  await logIn(page, service.key);
  await page.getByRole("alert").getByText("This request needs a key with the scope admin.").waitFor();
  assert.equal(await page.locator("#overview").isVisible(), false);
  assert.deepEqual(await violations(page, 10), []);
  await picture(page, "admin-refused");
  await logIn(page);
  await count(page, "tasks", 20);
  await page.reload();
  await count(page, "tasks", 20);
  await page.getByRole("button", { name: "Log out" }).click();
  assert.equal(await page.locator("#tasks tr").count(), 0);
  assert.equal(await page.evaluate(() => sessionStorage.length + localStorage.length + document.cookie.length), 0);
  await page.reload();
  await page.locator("#login").waitFor();
  await page.close();
});

test("a page of another origin can neither frame nor call it", async () => {
  const { page } = await openPage(browser, `${service.url}/healthz`);
  const outcome = await page.evaluate(
    async ([url, key]) => {
      try {
        return (await fetch(`${url}/v1/admin/status`, { headers: { authorization: `Bearer ${key}` } })).status;
      } catch (error) {
        return error.name;
      }
    },
    [`http://${address}`, adminKey],
  );
  assert.equal(outcome, "TypeError");
  const { headers } = await fetch(`http://${address}/`);
  assert.match(headers.get("content-security-policy"), /frame-ancestors 'none'/);
  await page.close();
});
