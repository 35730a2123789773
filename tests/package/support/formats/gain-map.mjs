// JPEGs with an HDR gain map, as cameras write them: Ultra HDR (XMP) and ISO 21496-1, with a multi-picture index (CIPA DC-007).

const HDRGM = "http://ns.adobe.com/hdr-gain-map/1.0/";
const ISO = "urn:iso:std:iso:ts:21496:-1\0";
const XMP = "http://ns.adobe.com/xap/1.0/\0";
/** Of the description of the map, in stops: the least and the most gain. */
const GAIN = [-0.5, 2];
const GAMMA = 1.5;
const OFFSET = 1 / 64;

function segment(marker, ...parts) {
  const payload = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

const packet = (properties) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`;

const description = `xmlns:hdrgm="${HDRGM}" hdrgm:Version="1.0" hdrgm:BaseRenditionIsHDR="False" hdrgm:GainMapMin="${GAIN[0]}" hdrgm:GainMapMax="${GAIN[1]}" hdrgm:Gamma="${GAMMA}" hdrgm:OffsetSDR="${OFFSET}" hdrgm:OffsetHDR="${OFFSET}" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="${GAIN[1]}">`;

const directory = (length) =>
  `xmlns:hdrgm="${HDRGM}" xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/" hdrgm:Version="1.0"><Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="${length}"/></rdf:li></rdf:Seq></Container:Directory>`;

/** The binary description of ISO 21496-1, annex C: headrooms, then minimum, maximum, gamma and offsets of the one channel, as fractions. */
function isoDescription() {
  const fraction = (value) => [Math.round(value * 64), 64];
  const numbers = [0, GAIN[1], GAIN[0], GAIN[1], GAMMA, OFFSET, OFFSET].flatMap(fraction);
  const bytes = Buffer.alloc(5 + numbers.length * 4);
  bytes[4] = 0x40;
  numbers.forEach((number, index) => bytes.writeInt32BE(number, 5 + index * 4));
  return bytes;
}

const after = (jpeg, segments) => Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/** A picture with a gain map, both JPEGs, described by `xmp`, `iso` or both. */
export function withGainMap(picture, gainMap, { xmp = false, iso = false }) {
  const map = after(gainMap, [...(xmp ? [segment(0xe1, XMP, packet(description))] : []), ...(iso ? [segment(0xe2, ISO, isoDescription())] : [])]);
  const before = [...(xmp ? [segment(0xe1, XMP, packet(directory(map.length)))] : []), ...(iso ? [segment(0xe2, ISO, Buffer.alloc(4))] : [])];
  const index = Buffer.alloc(82);
  index.write("MM\0\x2a\0\0\0\x08\0\x03", 0, "latin1");
  index.write("\xb0\0\0\x07\0\0\0\x040100\xb0\x01\0\x04\0\0\0\x01\0\0\0\x02\xb0\x02\0\x07\0\0\0\x20\0\0\0\x32", 10, "latin1");
  const head = 2 + Buffer.concat(before).length;
  const size = picture.length + head - 2 + 8 + index.length;
  index.writeUInt32BE(0x030000, 50);
  index.writeUInt32BE(size, 54);
  index.writeUInt32BE(map.length, 70);
  index.writeUInt32BE(size - head - 8, 74);
  return Buffer.concat([after(picture, [...before, segment(0xe2, "MPF\0", index)]), map]);
}
