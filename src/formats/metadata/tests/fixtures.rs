//! Images with all kinds of metadata, put together by hand.

use std::io::Cursor;

use filepress_webp::{Layout, Picture, Settings};
use filepress_wire::MediaType;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPDecoder;
use image::{DynamicImage, ImageDecoder, ImageEncoder, RgbImage, RgbaImage};
use miniz_oxide::deflate::compress_to_vec_zlib;
use moxcms::ColorProfile;
use mozjpeg_rs::{Encoder, Preset};

use crate::metadata::Metadata;

pub(crate) const SIDE: u32 = 24;

pub(crate) const TYPES: [MediaType; 3] = [MediaType::Jpeg, MediaType::Png, MediaType::Webp];

fn pixels() -> RgbImage {
    RgbImage::from_fn(SIDE, SIDE, |x, y| image::Rgb([(x * 10) as u8, (y * 9) as u8, (x * y) as u8]))
}

fn rgba() -> RgbaImage {
    RgbaImage::from_fn(SIDE, SIDE, |x, y| image::Rgba([(x * 10) as u8, (y * 9) as u8, 7, (x * 8) as u8]))
}

/// An image of each type without any metadata.
pub(crate) fn plain(media: MediaType) -> Vec<u8> {
    match media {
        MediaType::Jpeg => jpeg(Preset::ProgressiveBalanced),
        MediaType::Png => {
            let mut png = Vec::new();
            PngEncoder::new(&mut png)
                .write_image(&pixels(), SIDE, SIDE, image::ExtendedColorType::Rgb8)
                .unwrap();
            png
        }
        MediaType::Webp => {
            let pixels = pixels();
            let picture = Picture::new(SIDE, SIDE, Layout::Rgb, &pixels).unwrap();
            filepress_webp::encode(&picture, Settings::default()).unwrap()
        }
        other => unreachable!("no fixture for {other:?}"),
    }
}

/// Restart markers and several scans, as the preset has them.
pub(crate) fn jpeg(preset: Preset) -> Vec<u8> {
    Encoder::new(preset).restart_interval(2).encode_rgb(&pixels(), SIDE, SIDE).unwrap()
}

pub(crate) fn lossless_webp(alpha: bool) -> Vec<u8> {
    let mut webp = Vec::new();
    let (data, color) = match alpha {
        true => (rgba().into_raw(), rusty_webp::ColorType::Rgba8),
        false => (pixels().into_raw(), rusty_webp::ColorType::Rgb8),
    };
    rusty_webp::WebPEncoder::new(&mut webp).encode(&data, SIDE, SIDE, color).unwrap();
    webp
}

/// Pixels, decoded by a library that knows nothing of this crate.
pub(crate) fn decode(file: &[u8], media: MediaType) -> DynamicImage {
    match media {
        MediaType::Jpeg => {
            // mozjpeg-rs leaves bytes before a marker where progressive scans have restarts.
            let decoded = libjpeg_turbo_rs::decompress_lenient(file).unwrap();
            RgbImage::from_raw(SIDE, SIDE, decoded.data).unwrap().into()
        }
        MediaType::Webp => DynamicImage::from_decoder(WebPDecoder::new(Cursor::new(file)).unwrap()).unwrap(),
        _ => image::load_from_memory(file).unwrap(),
    }
}

/// The metadata, as a library sees it that knows nothing of this crate.
pub(crate) fn seen(file: &[u8], media: MediaType) -> Metadata {
    if media == MediaType::Jpeg {
        let decoded = libjpeg_turbo_rs::decompress_lenient(file).unwrap();
        return Metadata {
            icc: decoded.icc_profile,
            exif: decoded.exif_data,
            xmp: decoded.xmp_data,
            iptc: decoded.iptc_data,
            other: false,
            ..Metadata::default()
        };
    }
    let cursor = Cursor::new(file);
    let mut decoder: Box<dyn ImageDecoder> = match media {
        MediaType::Webp => Box::new(WebPDecoder::new(cursor).unwrap()),
        _ => Box::new(image::codecs::png::PngDecoder::new(cursor).unwrap()),
    };
    Metadata {
        icc: decoder.icc_profile().unwrap(),
        exif: decoder.exif_metadata().unwrap(),
        xmp: decoder.xmp_metadata().unwrap(),
        iptc: None,
        other: false,
        ..Metadata::default()
    }
}

/// An image of each type that says everything its type can: a profile, a place, a device, names, a preview.
pub(crate) fn talkative(media: MediaType) -> Vec<u8> {
    let (icc, exif, xmp) = (display_p3(), exif(Endian::Little, 6), xmp(6));
    match media {
        MediaType::Jpeg => {
            let (first, second) = icc.split_at(icc.len() / 2);
            let segments = [
                segment(0xE0, &[b"JFIF\0\x01\x02\x01\0\x48\0\x48\x01\x01", b"rgb"]),
                segment(0xE1, &[b"Exif\0\0", &exif]),
                segment(0xFE, &[b"a comment"]),
                segment(0xE2, &[b"ICC_PROFILE\0\x02\x02", second]),
                segment(0xE1, &[b"http://ns.adobe.com/xap/1.0/\0", &xmp]),
                segment(0xE2, &[b"ICC_PROFILE\0\x01\x02", first]),
                segment(0xED, &[b"Photoshop 3.0\0", &photoshop()]),
                segment(
                    0xE1,
                    &[b"http://ns.adobe.com/xmp/extension/\0", &[b'0'; 32], b"\0\0\0\x08\0\0\0\0extended"],
                ),
                segment(0xEC, &[b"Ducky"]),
            ];
            jpeg_with(&jpeg(Preset::BaselineBalanced), &segments.concat())
        }
        MediaType::Png => {
            let folded = compress_to_vec_zlib(&icc, 6);
            let chunks = [
                chunk(b"iCCP", &[b"P3\0\0", &folded]),
                chunk(b"iTXt", &[b"XML:com.adobe.xmp\0\x01\0en\0\0", &compress_to_vec_zlib(&xmp, 6)]),
                chunk(b"tEXt", &[b"Comment\0a comment"]),
                chunk(b"tIME", &[&[7, 232, 1, 1, 0, 0, 0]]),
                chunk(b"pHYs", &[&[0, 0, 11, 19, 0, 0, 11, 19, 1]]),
            ];
            png_with(&plain(media), &chunks.concat(), &chunk(b"eXIf", &[&exif]))
        }
        MediaType::Webp => webp_of(&[
            (b"VP8X", &[0x2C, 0, 0, 0, SIDE as u8 - 1, 0, 0, SIDE as u8 - 1, 0, 0]),
            (b"ICCP", &icc),
            webp_image(&plain(media)),
            (b"EXIF", &[b"Exif\0\0", exif.as_slice()].concat()),
            (b"XMP ", &xmp),
            (b"note", b"a comment"),
        ]),
        other => unreachable!("no fixture for {other:?}"),
    }
}

pub(crate) fn display_p3() -> Vec<u8> {
    dateless(ColorProfile::new_display_p3())
}

pub(crate) fn srgb() -> Vec<u8> {
    dateless(ColorProfile::new_srgb())
}

/// The same bytes each time.
fn dateless(profile: ColorProfile) -> Vec<u8> {
    let mut icc = profile.encode().unwrap();
    icc[24..36].fill(1);
    icc
}

pub(crate) fn xmp(orientation: u8) -> Vec<u8> {
    format!(
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><rdf:Description tiff:Orientation=\"{orientation}\" \
         exif:GPSLatitude=\"48,51.5N\"/></rdf:RDF></x:xmpmeta>"
    )
    .into_bytes()
}

pub(crate) const IPTC: &[u8] = b"\x1C\x02\x50\x00\x04Jane";

/// A resource of another number with a name, then the records, which have an odd length.
fn photoshop() -> Vec<u8> {
    [b"8BIM\x04\x0A\x03abc\0\0\0\x01\x01\0".as_slice(), b"8BIM\x04\x04\0\0\0\0\0\x09", IPTC, b"\0"].concat()
}

#[derive(Clone, Copy)]
pub(crate) enum Endian {
    Little,
    Big,
}

/// Maker, orientation, artist, copyright, a GPS directory with a position, and a preview.
pub(crate) fn exif(endian: Endian, orientation: u16) -> Vec<u8> {
    exif_with(endian, &(0x0112, 3, 1, u32::from(orientation)))
}

/// The same with any field in place of the orientation: tag, kind, count and value.
pub(crate) fn exif_with(endian: Endian, field: &(u16, u16, u32, u32)) -> Vec<u8> {
    let short = |value: u16| match endian {
        Endian::Little => value.to_le_bytes(),
        Endian::Big => value.to_be_bytes(),
    };
    let long = |value: u32| match endian {
        Endian::Little => value.to_le_bytes(),
        Endian::Big => value.to_be_bytes(),
    };
    let behind: [&[u8]; 4] =
        [b"Maker of cameras\0", b"Jane Doe\0", b"(c) Doe  \0", b"GPS: 48.85N 2.35E; preview"];
    let start = 8 + 2 + 5 * 12 + 4;
    let offset = |index: usize| start + behind[..index].iter().map(|part| part.len()).sum::<usize>() as u32;
    let fields = [
        (0x010F, 2, behind[0].len() as u32, offset(0)),
        *field,
        (0x013B, 2, behind[1].len() as u32, offset(1)),
        (0x8298, 2, behind[2].len() as u32, offset(2)),
        (0x8825, 4, 1, offset(3)),
    ];
    let mut exif = match endian {
        Endian::Little => b"II*\0".to_vec(),
        Endian::Big => b"MM\0*".to_vec(),
    };
    exif.extend(long(8));
    exif.extend(short(fields.len() as u16));
    for (tag, kind, count, value) in fields {
        exif.extend([short(tag), short(kind)].concat());
        exif.extend(long(count));
        // A short value stands in the first half of its four bytes.
        match (kind, count) {
            (3, 1) => exif.extend([short(value as u16), short(0)].concat()),
            _ => exif.extend(long(value)),
        }
    }
    exif.extend(long(0));
    exif.extend(behind.concat());
    exif
}

pub(crate) fn segment(marker: u8, parts: &[&[u8]]) -> Vec<u8> {
    let payload = parts.concat();
    [&[0xFF, marker], (payload.len() as u16 + 2).to_be_bytes().as_slice(), &payload].concat()
}

/// Segments in place of those of the encoder: straight after the first marker, and before the quantization tables.
pub(crate) fn jpeg_with(jpeg: &[u8], segments: &[u8]) -> Vec<u8> {
    let tables = jpeg.windows(2).position(|pair| pair == [0xFF, 0xDB]).unwrap();
    [&jpeg[..2], segments, &jpeg[tables..]].concat()
}

pub(crate) fn chunk(kind: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let covered = [&kind[..], &parts.concat()].concat();
    let length = (covered.len() as u32 - 4).to_be_bytes();
    [&length, covered.as_slice(), &crc32fast::hash(&covered).to_be_bytes()].concat()
}

/// Chunks after the header, and others before the end.
pub(crate) fn png_with(png: &[u8], early: &[u8], late: &[u8]) -> Vec<u8> {
    let end = png.len() - 12;
    [&png[..33], early, &png[33..end], late, &png[end..]].concat()
}

/// The one chunk of a simple file.
pub(crate) fn webp_image(webp: &[u8]) -> (&[u8; 4], &[u8]) {
    let length = u32::from_le_bytes(*webp[16..].first_chunk().unwrap()) as usize;
    (webp[12..].first_chunk().unwrap(), &webp[20..20 + length])
}

pub(crate) fn webp_of(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (kind, data) in chunks {
        body.extend_from_slice(*kind);
        body.extend((data.len() as u32).to_le_bytes());
        body.extend_from_slice(data);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    [b"RIFF", (body.len() as u32).to_le_bytes().as_slice(), &body].concat()
}
