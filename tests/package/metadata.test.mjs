// Metadata under each policy, read by sharp.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import sharp from "sharp";
import { createConsumer } from "./support/consumer.mjs";
import { readExif, TAGS } from "./support/exif.mjs";
import { withXmp } from "./support/formats/png.mjs";
import { photo } from "./support/pictures.mjs";
import { toSharp } from "./support/samples.mjs";

const { compress, convert } = await createConsumer().import();

const exif = {
  IFD0: { Artist: "Ada Example", Copyright: "CC BY 4.0", Make: "Spycam", Model: "X1" },
  IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100", GPSLongitudeRef: "W", GPSLongitude: "0/1 7/1 4366/100" },
};
const xmp = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Secret garden</dc:title></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const described = (profile) => toSharp(photo(120, 80)).removeAlpha().withExif(exif).withIccProfile(profile);
const inputs = {
  jpeg: await described("p3").withXmp(xmp).jpeg({ quality: 95 }).toBuffer(),
  png: withXmp(await described("p3").png().toBuffer(), xmp),
  webp: await described("p3").withXmp(xmp).webp({ quality: 95 }).toBuffer(),
};

/** { tags, icc, xmp } of a result, and its raw bytes as text. */
async function read(result) {
  const bytes = Buffer.from(await result.bytes());
  const { exif, icc, xmp } = await sharp(bytes).metadata();
  return { tags: exif ? readExif(exif) : new Map(), icc, xmp, text: bytes.toString("latin1") };
}

test("the inputs carry what the tests look for", async () => {
  for (const [type, bytes] of Object.entries(inputs)) {
    const { exif, icc, xmp } = await sharp(bytes).metadata();
    const tags = readExif(exif);
    for (const tag of ["artist", "copyright", "make", "model", "gps"]) assert.ok(tags.has(TAGS[tag]), `${type}: ${tag}`);
    assert.ok(icc && xmp, type);
  }
});

for (const from of Object.keys(inputs)) {
  for (const to of Object.keys(inputs)) {
    test(`${from} to ${to}: safe by default keeps author, copyright and profile, and tells no place and no device`, async () => {
      const { tags, icc, xmp, text } = await read(await convert(inputs[from], to));
      assert.deepEqual([tags.get(TAGS.artist), tags.get(TAGS.copyright)], ["Ada Example", "CC BY 4.0"]);
      for (const tag of ["make", "model", "gps"]) assert.equal(tags.has(TAGS[tag]), false, tag);
      assert.ok(icc.equals((await sharp(inputs[from]).metadata()).icc));
      assert.equal(xmp, undefined);
      assert.doesNotMatch(text, /Spycam|Secret garden/);
    });

    test(`${from} to ${to}: keep keeps all of it`, async () => {
      const { tags, icc, xmp } = await read(await convert(inputs[from], to, { metadata: "keep" }));
      for (const tag of ["artist", "copyright", "make", "model", "gps"]) assert.ok(tags.has(TAGS[tag]), tag);
      assert.ok(icc);
      assert.match(xmp.toString(), /Secret garden/);
    });

    test(`${from} to ${to}: strip leaves the profile alone`, async () => {
      const { tags, icc, xmp, text } = await read(await convert(inputs[from], to, { metadata: "strip" }));
      assert.deepEqual([tags.size, xmp], [0, undefined]);
      assert.ok(icc);
      assert.doesNotMatch(text, /Ada Example|Spycam|Secret garden/);
    });
  }
}

test("strip drops a profile that only says sRGB", async () => {
  const input = await described("srgb").jpeg().toBuffer();
  assert.ok((await sharp(input).metadata()).icc);
  assert.equal((await read(await compress(input, { metadata: "strip" }))).icc, undefined);
});

test("what is kept or recoded without new pixels loses the place as well", async () => {
  for (const options of [{ lossless: true }, { quality: 100 }]) {
    const { tags, text } = await read(await compress(inputs.jpeg, options));
    assert.equal(tags.has(TAGS.gps), false);
    assert.doesNotMatch(text, /Spycam|Secret garden/);
  }
  const tiny = await toSharp(photo(120, 80)).removeAlpha().withExif(exif).jpeg({ quality: 5 }).toBuffer();
  const result = await compress(tiny, { quality: 100 });
  assert.equal(result.keptOriginal, true);
  const { tags } = await read(result);
  assert.deepEqual([tags.has(TAGS.gps), tags.get(TAGS.artist)], [false, "Ada Example"]);
  assert.ok(result.outputSize < tiny.length);
});

test("a type that cannot carry what was to be kept says so", async () => {
  const codes = ({ warnings }) => warnings.map(({ code }) => code);
  assert.ok(codes(await convert(inputs.jpeg, "bmp", { metadata: "keep" })).includes("metadata_dropped"));
  assert.ok(codes(await convert(inputs.jpeg, "bmp")).includes("color_converted"));
  assert.deepEqual(codes(await convert(inputs.jpeg, "png")), []);
});
