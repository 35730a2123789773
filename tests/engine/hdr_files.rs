//! HDR photos as cameras store them, a JPEG with a gain map: written, taken apart, and rendered by the formulas of their formats.

use image::{DynamicImage, GrayImage, ImageBuffer, Luma, Rgb, RgbImage};
use serde_json::json;

use super::support::{png, read, run};

pub(super) const HDRGM: &str = "http://ns.adobe.com/hdr-gain-map/1.0/";
pub(super) const ISO: &[u8] = b"urn:iso:std:iso:ts:21496:-1\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
/// What a photographer would not publish, in the XMP of both pictures.
pub(super) const SECRET: &str = "home of the photographer";

/// How a map is described.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// By XMP alone.
    UltraHdr,
    /// By the segments of ISO 21496-1 alone.
    Iso,
    /// By both.
    Both,
    /// By Apple's XMP, with the headroom in the maker note of EXIF.
    Apple,
    /// By Apple's XMP, with the headroom in it.
    AppleNewer,
}

pub(super) const KINDS: [Kind; 5] = [Kind::UltraHdr, Kind::Iso, Kind::Both, Kind::Apple, Kind::AppleNewer];

/// The description of a map in the numbers of ISO 21496-1, in stops where it has stops.
const GAIN: (f64, f64) = (-0.5, 2.0);
const GAMMA: f64 = 1.5;
const OFFSET: f64 = 1.0 / 64.0;
/// The maker note of Apple's file, `HDRHeadroom` and `HDRGain`, and the headroom that follows: 2 ^ (3 - 70 × 0.005).
const MAKER_NOTE: (u32, u32) = (1_010_000, 5_000);
const APPLE_HEADROOM: f64 = 6.276_673;

impl Kind {
    pub(super) fn is_apple(self) -> bool {
        matches!(self, Self::Apple | Self::AppleNewer)
    }

    pub(super) fn has_xmp(self) -> bool {
        matches!(self, Self::UltraHdr | Self::Both)
    }

    pub(super) fn has_iso(self) -> bool {
        matches!(self, Self::Iso | Self::Both)
    }

    /// The segments of the map.
    fn of_map(self) -> Vec<Vec<u8>> {
        let mut segments = Vec::new();
        if self.has_xmp() {
            let (least, most) = GAIN;
            segments.push(xmp(&format!(
                "xmlns:hdrgm='{HDRGM}' hdrgm:Version='1.0' hdrgm:GainMapMin='{least}' hdrgm:GainMapMax='{most}' \
                 hdrgm:Gamma='{GAMMA}' hdrgm:OffsetSDR='{OFFSET}' hdrgm:OffsetHDR='{OFFSET}' hdrgm:HDRCapacityMin='0' \
                 hdrgm:HDRCapacityMax='{most}' hdrgm:BaseRenditionIsHDR='False'>"
            )));
        }
        if self.has_iso() {
            segments.push(segment(0xE2, &[ISO, &iso_description()]));
        }
        if self.is_apple() {
            let headroom = match self {
                Self::AppleNewer => format!("HDRGainMap:HDRGainMapHeadroom='{APPLE_HEADROOM}'"),
                _ => String::new(),
            };
            segments.push(xmp(&format!(
                "xmlns:apdi='http://ns.apple.com/pixeldatainfo/1.0/' \
                 xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/' HDRGainMap:HDRGainMapVersion='131072' {headroom}>\
                 <apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>"
            )));
        }
        segments
    }

    /// The segments of the picture, before the index.
    fn of_picture(self, orientation: u8, map_length: usize) -> Vec<Vec<u8>> {
        let mut segments = vec![exif(orientation, self == Self::Apple)];
        segments.push(match self.has_xmp() {
            true => xmp(&format!(
                "xmlns:hdrgm='{HDRGM}' xmlns:C='http://ns.google.com/photos/1.0/container/' \
                 xmlns:I='http://ns.google.com/photos/1.0/container/item/' hdrgm:Version='1.0'><C:Directory><rdf:Seq>\
                 <rdf:li rdf:parseType='Resource'><C:Item I:Semantic='Primary' I:Mime='image/jpeg'/></rdf:li>\
                 <rdf:li rdf:parseType='Resource'><C:Item I:Semantic='GainMap' I:Mime='image/jpeg' I:Length='{map_length}'/>\
                 </rdf:li></rdf:Seq></C:Directory>"
            )),
            false => xmp(">"),
        });
        if self.has_iso() {
            segments.push(segment(0xE2, &[ISO, &[0; 4]]));
        }
        segments
    }
}

/// The binary description of ISO 21496-1, annex C: versions, flags, headrooms, and of the one channel minimum, maximum, gamma and offsets.
pub(super) fn iso_description() -> Vec<u8> {
    let ratio =
        |value: f64| [((value * 1000.0).round() as i32).to_be_bytes(), 1000_u32.to_be_bytes()].concat();
    let offset = [1_i32.to_be_bytes(), 64_i32.to_be_bytes()].concat();
    let numbers =
        [ratio(0.0), ratio(GAIN.1), ratio(GAIN.0), ratio(GAIN.1), ratio(GAMMA), offset.clone(), offset];
    // Of the flags, the second says that the gain is in the color space of the base picture.
    [&[0, 0, 0, 0, 0x40][..], &numbers.concat()].concat()
}

/// A photo of this kind: a picture of the size, as it is stored, and a map of a quarter of its sides.
pub(super) fn hdr_photo(kind: Kind, (width, height): (u32, u32), orientation: u8) -> Vec<u8> {
    let share = |at: u32, of: u32| (f64::from(at) + 0.5) / f64::from(of);
    let picture = RgbImage::from_fn(width, height, |x, y| {
        let (x, y) = (share(x, width), share(y, height));
        let wave = |phase: f64| (140.0 + 60.0 * (6.0 * x + 4.0 * y + phase).sin()) as u8;
        Rgb([wave(0.0), wave(0.7), wave(1.9)])
    });
    let map = GrayImage::from_fn(width / 4, height / 4, |x, y| {
        let (x, y) = (share(x, width / 4), share(y, height / 4));
        Luma([(255.0 * (0.5 + 0.3 * (5.0 * x).sin() + 0.2 * (9.0 * y + 2.0 * x).cos())) as u8])
    });
    of_pictures(kind, orientation, &jpeg(picture), &jpeg(map))
}

/// A file of this kind with these pictures, which are plain JPEGs.
pub(super) fn of_pictures(kind: Kind, orientation: u8, picture: &[u8], map: &[u8]) -> Vec<u8> {
    let map = with_segments(map, &kind.of_map());
    multi_picture(picture, &kind.of_picture(orientation, map.len()), &map)
}

/// A plain JPEG.
pub(super) fn jpeg(pixels: impl Into<DynamicImage>) -> Vec<u8> {
    let output = run(&png(pixels), json!({ "to": "jpeg", "quality": 95 })).expect("a JPEG");
    output.bytes.expect("a new file")
}

pub(super) fn segment(marker: u8, parts: &[&[u8]]) -> Vec<u8> {
    let payload = parts.concat();
    let length = u16::try_from(payload.len() + 2).expect("a short segment").to_be_bytes();
    [&[0xFF, marker][..], &length, &payload].concat()
}

/// A packet with these attributes and elements, `>` between them.
pub(super) fn xmp(properties: &str) -> Vec<u8> {
    let packet = format!(
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
         <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/' dc:source='{SECRET}' {properties}\
         </rdf:Description></rdf:RDF></x:xmpmeta>"
    );
    segment(0xE1, &[XMP, packet.as_bytes()])
}

/// EXIF with an orientation, and Apple's maker note.
fn exif(orientation: u8, has_note: bool) -> Vec<u8> {
    let field = |tag: u16, kind: u16, count: usize, value: [u8; 4]| {
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &(count as u32).to_be_bytes(), &value].concat()
    };
    let offset = |at: usize| (at as u32).to_be_bytes();
    // A prefix, a version and a byte order; two fields; no further directory; and the values of the fields.
    let (headroom, gain) = MAKER_NOTE;
    let note = [
        &b"Apple iOS\0\0\x01MM\0\x02"[..],
        &field(0x21, 10, 1, offset(44)),
        &field(0x30, 10, 1, offset(52)),
        &[0; 4],
        &headroom.to_be_bytes(),
        &1_000_000_u32.to_be_bytes(),
        &gain.to_be_bytes(),
        &1_000_000_u32.to_be_bytes(),
    ]
    .concat();
    let note = if has_note { note } else { b"Other\0".to_vec() };
    let first = [field(0x0112, 3, 1, [0, orientation, 0, 0]), field(0x8769, 4, 1, offset(38))].concat();
    let second = field(0x927C, 7, note.len(), offset(56));
    let structure =
        [&b"MM\0\x2A\0\0\0\x08\0\x02"[..], &first, &[0; 4], &[0, 1], &second, &[0; 4], &note].concat();
    segment(0xE1, &[b"Exif\0\0", &structure])
}

pub(super) fn with_segments(jpeg: &[u8], segments: &[Vec<u8>]) -> Vec<u8> {
    [&jpeg[..2], &segments.concat(), &jpeg[2..]].concat()
}

/// A picture with these segments, an index of two pictures, and a second picture.
pub(super) fn multi_picture(plain: &[u8], segments: &[Vec<u8>], second: &[u8]) -> Vec<u8> {
    let head = 2 + segments.concat().len();
    let size = plain.len() + segments.concat().len() + 90;
    let number = |value: usize| u32::try_from(value).expect("a small file").to_le_bytes();
    let index = [
        &b"MPF\0II\x2A\0\x08\0\0\0\x03\0"[..],
        b"\x00\xB0\x07\0\x04\0\0\x000100",
        b"\x01\xB0\x04\0\x01\0\0\0\x02\0\0\0",
        b"\x02\xB0\x07\0\x20\0\0\0\x32\0\0\0",
        &[0; 4],
        &[0, 0, 3, 0],
        &number(size),
        &[0; 12],
        &number(second.len()),
        &number(size - head - 8),
        &[0; 4],
    ];
    let index = segment(0xE2, &index);
    assert_eq!(index.len(), 90);
    let all = [segments.to_vec(), vec![index]].concat();
    [with_segments(plain, &all), second.to_vec()].concat()
}

/// The second picture of a file, by the index of the first: in files of ours, and those of the engine.
pub(super) fn second_picture(file: &[u8]) -> &[u8] {
    let at = file.windows(4).position(|window| window == b"MPF\0").expect("an index") + 4;
    let is_big = &file[at..at + 4] == b"MM\0\x2A";
    assert!(is_big || &file[at..at + 4] == b"II\x2A\0");
    let number = |offset: usize| {
        let bytes = *file[at + offset..].first_chunk().expect("a whole index");
        (if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }) as usize
    };
    let [first, size, offset] = [number(54), number(70), number(74)];
    assert_eq!((first, first + size), (at + offset, file.len()), "the pictures are the whole file");
    &file[first..]
}

/// The entropy-coded data of a JPEG from its first scan on.
pub(super) fn scans(jpeg: &[u8]) -> &[u8] {
    &jpeg[jpeg.windows(2).position(|pair| pair == [0xFF, 0xDA]).expect("a scan")..]
}

/// Light in multiples of white, of pixels in rows.
#[derive(Clone)]
pub(super) struct Light {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<[f64; 3]>,
}

impl Light {
    fn from_fn(width: usize, height: usize, at: impl Fn(usize, usize) -> [f64; 3]) -> Self {
        let pixels = (0..width * height).map(|index| at(index % width, index / width)).collect();
        Self { width, height, pixels }
    }

    pub(super) fn at(&self, x: usize, y: usize) -> [f64; 3] {
        self.pixels[y * self.width + x]
    }

    pub(super) fn part(&self, [left, top, width, height]: [usize; 4]) -> Self {
        Self::from_fn(width, height, |x, y| self.at(left + x, top + y))
    }

    pub(super) fn turned_right(&self) -> Self {
        Self::from_fn(self.height, self.width, |x, y| self.at(y, self.height - 1 - x))
    }

    pub(super) fn mirrored(&self) -> Self {
        Self::from_fn(self.width, self.height, |x, y| self.at(self.width - 1 - x, y))
    }

    /// Of half the width and height.
    pub(super) fn halved(&self) -> Self {
        Self::from_fn(self.width / 2, self.height / 2, |x, y| {
            let four =
                [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| self.at(2 * x + right, 2 * y + down));
            [0, 1, 2].map(|channel| four.iter().map(|pixel| pixel[channel]).sum::<f64>() / 4.0)
        })
    }

    /// The mean difference, as a share of the mean light.
    pub(super) fn difference(&self, other: &Self) -> f64 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let sum = |pixels: &mut dyn Iterator<Item = f64>| pixels.sum::<f64>();
        let pairs = self.pixels.as_flattened().iter().zip(other.pixels.as_flattened());
        sum(&mut pairs.map(|(one, other)| (one - other).abs()))
            / sum(&mut self.pixels.as_flattened().iter().copied())
    }
}

/// The HDR picture that a file of this kind shows: by ISO 21496-1, 6.3, with the whole gain; of Apple's by Apple's formula.
pub(super) fn rendered(kind: Kind, file: &[u8]) -> Light {
    rendered_of(kind, file, second_picture(file))
}

/// The same of a picture and its map.
pub(super) fn rendered_of(kind: Kind, picture: &[u8], map: &[u8]) -> Light {
    let (picture, map) = (read(picture, "image/jpeg"), read(map, "image/jpeg"));
    applied(&picture, &map, |base, gain| match kind.is_apple() {
        true => base * (1.0 + (APPLE_HEADROOM - 1.0) * linear_bt709(gain)),
        false => {
            let stops = GAIN.0 + (GAIN.1 - GAIN.0) * gain.powf(1.0 / GAMMA);
            (base + OFFSET) * stops.exp2() - OFFSET
        }
    })
}

/// The light of a picture and its map: `light` gets a linear sample of the picture, and the sample of the map there, both 0 to 1.
pub(super) fn applied(picture: &DynamicImage, map: &DynamicImage, light: impl Fn(f64, f64) -> f64) -> Light {
    let (picture, map) = (picture.to_rgb16(), map.to_luma16());
    let share = |at: usize, of: u32| (at as f64 + 0.5) / f64::from(of);
    Light::from_fn(picture.width() as usize, picture.height() as usize, |x, y| {
        let gain = interpolated(&map, share(x, picture.width()), share(y, picture.height()));
        let stored = picture.get_pixel(x as u32, y as u32).0;
        stored.map(|sample| light(linear(f64::from(sample) / 65_535.0), gain))
    })
}

/// The sample of a map at a place in shares of its sides, 0 to 1.
fn interpolated(map: &ImageBuffer<Luma<u16>, Vec<u16>>, x: f64, y: f64) -> f64 {
    let at = |share: f64, length: u32| {
        let at = (share * f64::from(length) - 0.5).clamp(0.0, f64::from(length - 1));
        (at as u32, (at as u32 + 1).min(length - 1), at.fract())
    };
    let ((left, right, across), (top, bottom, down)) = (at(x, map.width()), at(y, map.height()));
    let sample = |x, y| f64::from(map.get_pixel(x, y).0[0]) / 65_535.0;
    let row = |y| sample(left, y) * (1.0 - across) + sample(right, y) * across;
    row(top) * (1.0 - down) + row(bottom) * down
}

/// The transfer function of sRGB (IEC 61966-2-1).
fn linear(sample: f64) -> f64 {
    if sample <= 0.040_45 { sample / 12.92 } else { ((sample + 0.055) / 1.055).powf(2.4) }
}

/// The transfer function of BT.709, which Apple's maps are coded with.
fn linear_bt709(sample: f64) -> f64 {
    if sample < 0.081 { sample / 4.5 } else { ((sample + 0.099) / 1.099).powf(1.0 / 0.45) }
}
