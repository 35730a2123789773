// The texts of the demo page: one file for each language, with the same keys; the page speaks the first language of the browser
// that it has, in its direction.
import { strict as assert } from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { after, test } from "node:test";
import { importBuilt } from "../../scripts/built.mjs";
import { serve } from "../../scripts/serve.mjs";
import { photoFile, visit } from "./support/visitor.mjs";

const www = new URL("../../www/", import.meta.url);
const languages = readdirSync(new URL("text/", www)).map((name) => name.replace(".js", ""));
const catalogs = new Map();
for (const language of languages) catalogs.set(language, (await import(new URL(`text/${language}.js`, www))).CATALOG);
const site = await serve();
after(() => site.close());

/** Keys of a catalog as paths, with the types of their values. */
function keys(texts, prefix = "") {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "object" ? keys(value, `${prefix}${key}.`) : [`${prefix}${key} ${typeof value}`],
  );
}

const texts = (language) => keys({ ...catalogs.get(language), formats: {} }).sort();

test("every language has the texts that English has", () => {
  assert.deepEqual(languages.sort(), ["ar", "de", "en"]);
  const expected = texts("en");
  assert.ok(expected.length > 150);
  for (const language of ["ar", "de"]) assert.deepEqual(texts(language), expected, language);
});

test("formats that cannot be read have names in each language; the English ones are the package's", () => {
  const named = (language) => Object.keys(catalogs.get(language).formats);
  assert.deepEqual(named("en"), []);
  assert.deepEqual(named("ar"), named("de"));
  assert.ok(named("de").length > 20);
  const sniff = new URL("../../wire/src/sniff/", import.meta.url);
  const source = readdirSync(sniff).map((name) => readFileSync(new URL(name, sniff), "utf8")).join("");
  for (const name of named("de")) assert.ok(source.includes(`"${name}"`), `the package has no format of the name ${name}`);
});

test("every text is used, and none stands anywhere else", () => {
  const html = readFileSync(new URL("index.html", www), "utf8");
  const scripts = readdirSync(www, { recursive: true }).filter((name) => name.endsWith(".js") && !name.startsWith("text"));
  const source = scripts.map((name) => readFileSync(new URL(name.replaceAll("\\", "/"), www), "utf8")).join("\n");
  const { page, ...others } = catalogs.get("en");
  for (const key of Object.keys(page))
    assert.ok(html.includes(`"${key}"`) || new RegExp(`\\b${key}\\b`).test(source), `page.${key} is not used`);
  for (const [section, texts] of Object.entries(others).filter(([, value]) => typeof value === "object" && !Array.isArray(value)))
    for (const key of Object.keys(texts).filter((key) => section !== "phases" && section !== "keys"))
      assert.match(source, new RegExp(`\\b${key}\\b`), `${section}.${key} is not used`);
  // Elements with a text are empty, and attributes that are read have none.
  assert.deepEqual(html.match(/<\w+[^>]*data-text="\w+"[^>]*>[^<]+/g), null);
  assert.deepEqual(html.match(/ (?:aria-label|alt|title)="[^"]+"/g), null);
});

test("as many formats are said to be read as there are", async () => {
  const { formats } = await importBuilt();
  const words = { en: "ten", de: "zehn", ar: "عشر" };
  const read = (await formats()).filter(({ engine, read }) => engine === "local" && read);
  assert.equal(read.length, 17);
  for (const [language, { page }] of catalogs) {
    const [named] = page.dropTypes.split(words[language]);
    assert.ok(named !== page.dropTypes, language);
    assert.equal(named.match(/[A-Z]\w+/g).length, read.length - 10, language);
  }
});

test("in Arabic, previous and next point the other way", async (context) => {
  const visitor = await visit({ origin: site, locale: "ar-EG" });
  context.after(visitor.close);
  await visitor.page.waitForFunction(() => document.documentElement.dir === "rtl");
  const scales = () => ["file-prev", "file-next", "page-prev", "page-next"].map((id) => getComputedStyle(document.querySelector(`#${id} .icon`)).scale);
  assert.deepEqual(await visitor.page.evaluate(scales), Array(4).fill("-1 1"));
  assert.match(catalogs.get("ar").keys["← →"], /التالي \(←\) والسابق \(→\)/);
});

test("one vocabulary: no other words for format, compress, audio, server, can’t and notes", () => {
  const words = readFileSync(new URL("text/en.js", www), "utf8").match(/(["`])(?:(?!\1).)*\1/gs).join("\n");
  assert.doesNotMatch(words, /\b(?:press(?:ed|es)?|sound|service|cannot|can not|remark|type)\b/i);
});

for (const [locale, language] of [
  ["de-AT", "de"],
  ["ar-EG", "ar"],
  ["fr-FR", "en"],
]) {
  test(`a browser in ${locale} gets the page in ${language}`, async (context) => {
    const visitor = await visit({ origin: site, locale });
    context.after(visitor.close);
    const { page } = visitor;
    const texts = catalogs.get(language);
    await page.waitForFunction((lang) => document.documentElement.lang === lang, language);
    assert.equal(await page.textContent("#pledge-words"), texts.page.pledge);
    assert.equal(await page.title(), texts.page.title);
    assert.equal(await page.getAttribute("#drop", "aria-label"), texts.page.addFiles);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).direction), texts.direction);
    await visitor.add([await photoFile("photo.jpg"), { name: "empty.png", mimeType: "image/png", buffer: Buffer.alloc(0) }]);
    await visitor.settled();
    assert.equal(await visitor.text("empty.png", "status"), texts.errors.empty);
    const [start] = texts.card.byDevice("|").split("|");
    assert.ok((await visitor.text("photo.jpg", "status")).startsWith(start));
    assert.equal(await visitor.card("photo.jpg").locator(".save").getAttribute("aria-label"), texts.card.save("photo.jpg"));
    const separator = language === "de" ? "," : ".";
    assert.ok((await visitor.text("photo.jpg", "sizes")).includes(separator));
    assert.deepEqual(visitor.complaints, []);
  });
}
