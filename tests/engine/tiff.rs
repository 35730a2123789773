//! TIFF compared with the `tiff` crate: all sample formats, pages, metadata, hostile files.

use std::io::Cursor;
use std::sync::OnceLock;

use filepress::image::inspect;
use filepress::limits::Limits;
use filepress::{ErrorCode, ErrorKind};
use filepress_wire::MediaType;
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, ImageBuffer, Luma, LumaA, Rgb, Rgba, RgbaImage};
use serde_json::json;
use tiff::decoder::{Decoder, DecodingResult};
use tiff::encoder::colortype::{self, ColorType};
use tiff::encoder::{Compression, DeflateLevel, Predictor, TiffEncoder, TiffValue};
use tiff::tags::Tag;

use super::seed::seed;
use super::support::{bytes_of, difference, holds, photo, png, run, translucent};

const COMPRESSIONS: [Compression; 4] = [
    Compression::Uncompressed,
    Compression::Lzw,
    Compression::Deflate(DeflateLevel::Fast),
    Compression::Packbits,
];

/// A page as the reference encoder writes it, in strips of `rows`, with more fields.
fn reference<C: ColorType>(
    (width, height): (u32, u32),
    samples: &[C::Inner],
    compression: Compression,
    rows: u32,
    fields: &[(u16, &[u16])],
) -> Vec<u8>
where
    [C::Inner]: TiffValue,
{
    let mut out = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut out).expect("a header").with_compression(compression);
    let predicts = matches!(compression, Compression::Lzw | Compression::Deflate(_));
    if predicts && C::BITS_PER_SAMPLE[0] <= 16 {
        encoder = encoder.with_predictor(Predictor::Horizontal);
    }
    let mut page = encoder.new_image::<C>(width, height).expect("a page");
    page.rows_per_strip(rows).expect("strips");
    for &(tag, numbers) in fields {
        page.encoder().write_tag(Tag::from_u16_exhaustive(tag), numbers).expect("a field");
    }
    page.write_data(samples).expect("pixels");
    out.into_inner()
}

/// What the engine reads, by way of a PNG.
fn read(tiff: &[u8]) -> DynamicImage {
    let output = run(tiff, json!({ "to": "png", "effort": 0 })).unwrap_or_else(|error| panic!("{error}"));
    image::load_from_memory(bytes_of(&output, tiff)).expect("a PNG")
}

/// What the engine writes of a picture.
fn written(picture: &DynamicImage) -> Vec<u8> {
    let input = png(picture.clone());
    bytes_of(&run(&input, json!({ "to": "tiff" })).expect("a TIFF"), &input).to_vec()
}

fn deep(width: u32, height: u32) -> ImageBuffer<Rgba<u16>, Vec<u16>> {
    ImageBuffer::from_fn(width, height, |x, y| {
        Rgba([(x * 1031) as u16, (y * 1553) as u16, (x * y * 7) as u16, 65_535 - (x * 300) as u16])
    })
}

#[test]
fn every_compression_and_depth_of_the_reference_encoder_is_decoded() {
    let rgb = DynamicImage::from(photo(61, 43)).to_rgb8();
    let rgba = translucent(61, 43);
    let gray = DynamicImage::from(photo(61, 43)).to_luma8();
    let wide = DynamicImage::from(deep(61, 43)).to_rgb16();
    let size = (61, 43);
    let mut files = 0;
    for compression in COMPRESSIONS {
        for rows in [1, 7, 43] {
            let tiff = reference::<colortype::RGB8>(size, &rgb, compression, rows, &[]);
            assert_eq!(read(&tiff).to_rgb8(), rgb);
            let tiff = reference::<colortype::RGBA8>(size, &rgba, compression, rows, &[]);
            assert_eq!(read(&tiff).to_rgba8(), rgba);
            let tiff = reference::<colortype::Gray8>(size, &gray, compression, rows, &[]);
            assert_eq!(read(&tiff), gray.clone().into());
            let tiff = reference::<colortype::RGB16>(size, &wide, compression, rows, &[]);
            assert_eq!(read(&tiff), wide.clone().into());
            let floats: Vec<f32> = wide.iter().map(|&sample| f32::from(sample) / 65_535.0).collect();
            let tiff = reference::<colortype::RGB32Float>(size, &floats, compression, rows, &[]);
            assert_eq!(read(&tiff), wide.clone().into());
            files += 5;
        }
    }
    assert_eq!(files, 60);
}

#[test]
fn integer_and_float_samples_of_every_size_scale_to_white() {
    let size = (3, 1);
    let none = Compression::Uncompressed;
    let expected =
        DynamicImage::from(ImageBuffer::<Luma<u16>, _>::from_vec(3, 1, vec![0, 32_768, 65_535]).expect("3"));
    let files = [
        reference::<colortype::Gray32>(size, &[0, 1 << 31, u32::MAX], none, 1, &[]),
        reference::<colortype::Gray64>(size, &[0, 1 << 63, u64::MAX], none, 1, &[]),
        reference::<colortype::Gray32Float>(size, &[-3.0, 0.500_01, f32::INFINITY], none, 1, &[]),
        reference::<colortype::Gray64Float>(size, &[f64::NAN, 0.500_01, 7.0], none, 1, &[]),
        reference::<colortype::GrayI16>(size, &[i16::MIN, 0, i16::MAX], none, 1, &[]),
        reference::<colortype::GrayI32>(size, &[i32::MIN, 0, i32::MAX], none, 1, &[]),
    ];
    for (index, tiff) in files.iter().enumerate() {
        assert_eq!(read(tiff), expected, "file {index}");
    }
}

#[test]
fn cmyk_is_converted_by_the_fixed_formula() {
    let inks = [0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 51, 102, 153, 51];
    let tiff = reference::<colortype::CMYK8>((6, 1), &inks, Compression::Lzw, 1, &[]);
    let header = inspect(&tiff, MediaType::Tiff, &Limits::default()).expect("a header");
    assert_eq!((header.color_space, header.bit_depth), ("cmyk", 8));
    let light: Vec<_> = read(&tiff).to_rgb8().pixels().map(|pixel| pixel.0).collect();
    assert_eq!(
        light,
        [[255, 255, 255], [0, 255, 255], [255, 0, 255], [255, 255, 0], [0, 0, 0], [163, 122, 82]]
    );
}

#[test]
fn associated_alpha_is_unpremultiplied() {
    let plain = RgbaImage::from_fn(16, 4, |x, y| Rgba([(x * 17) as u8, (y * 80) as u8, 200, (x * 17) as u8]));
    let multiplied: Vec<u8> = plain
        .pixels()
        .flat_map(|&Rgba([r, g, b, a])| {
            let times = |color: u8| ((u32::from(color) * u32::from(a) + 127) / 255) as u8;
            [times(r), times(g), times(b), a]
        })
        .collect();
    let tiff =
        reference::<colortype::RGBA8>((16, 4), &multiplied, Compression::Uncompressed, 4, &[(338, &[1])]);
    for (read, plain) in read(&tiff).to_rgba8().pixels().zip(plain.pixels()) {
        assert_eq!(read.0[3], plain.0[3]);
        // What alpha leaves of 255 levels.
        let allowed = 128 / plain.0[3].max(1) + 1;
        let off = read.0.iter().zip(&plain.0).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        assert!(plain.0[3] == 0 || off <= allowed, "{read:?} for {plain:?}");
    }
}

#[test]
fn the_reference_decoder_reads_our_output() {
    let wide = deep(50, 37);
    let pictures = [
        DynamicImage::from(photo(50, 37)).to_luma8().into(),
        DynamicImage::from(translucent(50, 37)).to_luma_alpha8().into(),
        DynamicImage::from(photo(50, 37)).to_rgb8().into(),
        DynamicImage::from(translucent(50, 37)),
        DynamicImage::from(DynamicImage::from(wide.clone()).to_luma16()),
        DynamicImage::from(ImageBuffer::from_fn(50, 37, |x, y| {
            LumaA([(x * 999) as u16, (y * 1234 + 1) as u16])
        })),
        DynamicImage::from(DynamicImage::from(wide.clone()).to_rgb16()),
        DynamicImage::from(wide),
    ];
    for picture in pictures {
        for effort in [0, 4, 9] {
            let input = png(picture.clone());
            let output = run(&input, json!({ "to": "tiff", "effort": effort })).expect("a TIFF");
            let mut decoder = Decoder::new(Cursor::new(bytes_of(&output, &input))).expect("a TIFF");
            assert_eq!(decoder.dimensions().expect("a size"), (50, 37));
            let kind = picture.color();
            match decoder.read_image().expect("pixels") {
                DecodingResult::U8(samples) => assert_eq!(samples, picture.as_bytes(), "{kind:?}"),
                DecodingResult::U16(samples) => {
                    let expected: Vec<u16> = match &picture {
                        DynamicImage::ImageLuma16(p) => p.to_vec(),
                        DynamicImage::ImageLumaA16(p) => p.to_vec(),
                        DynamicImage::ImageRgb16(p) => p.to_vec(),
                        DynamicImage::ImageRgba16(p) => p.to_vec(),
                        other => panic!("{:?} became 16 bits", other.color()),
                    };
                    assert_eq!(samples, expected, "{kind:?}");
                }
                other => panic!("{kind:?} became {other:?}"),
            }
        }
    }
}

#[test]
fn pixels_take_no_more_bits_than_they_need() {
    let fact = |tiff: &[u8], tag| {
        Decoder::new(Cursor::new(tiff)).expect("a TIFF").get_tag_u32(tag).expect("a number")
    };
    let bilevel =
        DynamicImage::from(GrayImage::from_fn(99, 40, |x, y| Luma([if x * y % 7 < 3 { 0 } else { 255 }])));
    let sixteen = DynamicImage::from(GrayImage::from_fn(99, 40, |x, y| Luma([(x * y % 16 * 17) as u8])));
    for (picture, bits) in [(bilevel, 1), (sixteen, 4)] {
        let tiff = written(&picture);
        assert_eq!(fact(&tiff, Tag::BitsPerSample), bits);
        assert_eq!(read(&tiff), picture, "{bits} bits");
    }
    for (count, bits) in [(7, 4), (200, 8)] {
        let colors = ImageBuffer::from_fn(120, 90, |x, y| {
            let index = ((x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 16) % count * 40_503;
            Rgb([(index >> 3) as u8, (index >> 5) as u8, (index >> 8) as u8])
        });
        let picture = DynamicImage::from(colors);
        let tiff = written(&picture);
        assert_eq!(fact(&tiff, Tag::PhotometricInterpretation), 3, "a palette of {count}");
        assert_eq!(fact(&tiff, Tag::BitsPerSample), bits);
        assert_eq!(read(&tiff), picture, "{count} colors");
    }
    // Sixteen bits that say no more than eight.
    let narrow = DynamicImage::from(photo(30, 20)).to_rgb8();
    assert_eq!(written(&DynamicImage::from(narrow.clone()).to_rgb16().into()), written(&narrow.into()));
}

#[test]
fn effort_9_is_smaller_than_the_reference_encoder() {
    let rgb = DynamicImage::from(photo(400, 300)).to_rgb8();
    let tiff =
        reference::<colortype::RGB8>((400, 300), &rgb, Compression::Deflate(DeflateLevel::Best), 300, &[]);
    let output = run(&tiff, json!({ "effort": 9 })).expect("a TIFF");
    let made = bytes_of(&output, &tiff);
    assert!(made.len() < tiff.len(), "{} of {} bytes", made.len(), tiff.len());
    assert_eq!(read(made).to_rgb8(), rgb);
}

#[test]
fn the_eight_orientations_are_applied() {
    let rgb = DynamicImage::from(photo(48, 32)).to_rgb8();
    for orientation in 1..=8_u8 {
        let tiff = reference::<colortype::RGB8>(
            (48, 32),
            &rgb,
            Compression::Lzw,
            8,
            &[(274, &[orientation.into()])],
        );
        let mut upright = DynamicImage::from(rgb.clone());
        upright.apply_orientation(Orientation::from_exif(orientation).expect("1 to 8"));
        assert_eq!(read(&tiff).to_rgb8(), upright.to_rgb8(), "orientation {orientation}");
        let header = inspect(&tiff, MediaType::Tiff, &Limits::default()).expect("a header");
        assert_eq!((header.width, header.height), (upright.width(), upright.height()));
        assert_eq!(header.orientation, orientation);
        // Coded again, and handed back as it is: upright either way, once.
        for options in [json!({ "resize": { "width": upright.width() } }), json!({ "effort": 0 })] {
            let output = run(&tiff, options).expect("a TIFF");
            assert_eq!(
                read(bytes_of(&output, &tiff)).to_rgb8(),
                upright.to_rgb8(),
                "orientation {orientation}"
            );
        }
    }
}

const SECRETS: [&[u8]; 8] = [
    b"Secretmaker",
    b"Model-of-a-spy",
    b"described in private",
    b"N52-GPS-SECRET",
    b"lens owner hidden",
    b"maker-note-bytes",
    b"xmp:private",
    b"iptc-private-caption",
];
const ARTIST: &[u8] = b"Jane Doe";
const COPYRIGHT: &[u8] = b"(c) Doe 2024";

/// Made once: it tells the time of its making.
fn icc() -> Vec<u8> {
    static PROFILE: OnceLock<Vec<u8>> = OnceLock::new();
    PROFILE.get_or_init(|| moxcms::ColorProfile::new_display_p3().encode().expect("a profile")).clone()
}

/// A TIFF that tells all that a camera knows.
fn talkative() -> Vec<u8> {
    let (width, height) = (64, 48);
    let samples: Vec<u8> = (0..width * height * 3).map(|at| (at / 9) as u8).collect();
    let mut out = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut out).expect("a header");
    let mut gps = encoder.extra_directory().expect("a directory");
    gps.write_tag(Tag::Unknown(1), "N").expect("a field");
    gps.write_tag(Tag::Unknown(29), "N52-GPS-SECRET").expect("a field");
    let gps = gps.finish_with_offsets().expect("a directory").offset;
    let mut exif = encoder.extra_directory().expect("a directory");
    exif.write_tag(Tag::Unknown(0xA430), "lens owner hidden").expect("a field");
    exif.write_tag(Tag::Unknown(0x927C), b"maker-note-bytes".as_slice()).expect("a field");
    let exif = exif.finish_with_offsets().expect("a directory").offset;
    let mut page = encoder.new_image::<colortype::RGB8>(width, height).expect("a page");
    let fields = page.encoder();
    fields.write_tag(Tag::Unknown(270), "described in private").expect("a field");
    fields.write_tag(Tag::Unknown(271), "Secretmaker").expect("a field");
    fields.write_tag(Tag::Unknown(272), "Model-of-a-spy").expect("a field");
    fields.write_tag(Tag::Unknown(315), "Jane Doe").expect("a field");
    fields.write_tag(Tag::Unknown(33_432), "(c) Doe 2024").expect("a field");
    fields.write_tag(Tag::Unknown(700), b"<x:xmpmeta>xmp:private</x:xmpmeta>".as_slice()).expect("a field");
    fields
        .write_tag(Tag::Unknown(33_723), b"\x1C\x02\x78\0\x14iptc-private-caption".as_slice())
        .expect("a field");
    fields.write_tag(Tag::Unknown(34_675), icc().as_slice()).expect("a field");
    fields.write_tag(Tag::Unknown(34_665), exif).expect("a field");
    fields.write_tag(Tag::Unknown(34_853), gps).expect("a field");
    page.write_data(&samples).expect("pixels");
    out.into_inner()
}

#[test]
fn metadata_policies_apply_to_kept_and_encoded_files() {
    let tiff = talkative();
    // Where the file is small enough already, it is handed back.
    for (target, kept) in [(Some(100_000), true), (None, false)] {
        assert!(SECRETS.iter().all(|secret| holds(&tiff, secret)), "the fixture tells everything");
        let make = |policy: &str| {
            let output = run(&tiff, json!({ "metadata": policy, "targetSize": target })).expect("a TIFF");
            let bytes = bytes_of(&output, &tiff).to_vec();
            assert_eq!(read(&bytes).to_rgb8(), read(&tiff).to_rgb8(), "{policy}");
            (bytes, output.report.kept_original)
        };
        for policy in ["safe", "strip"] {
            let (bytes, was_kept) = make(policy);
            assert_eq!(was_kept, kept, "{policy}");
            for secret in SECRETS {
                assert!(!holds(&bytes, secret), "{policy} leaves {}", String::from_utf8_lossy(secret));
            }
            assert_eq!(holds(&bytes, ARTIST), policy == "safe");
            assert_eq!(holds(&bytes, COPYRIGHT), policy == "safe");
            assert!(holds(&bytes, &icc()), "{policy} keeps the colors");
        }
        let (bytes, _) = make("keep");
        for secret in SECRETS.iter().chain([&ARTIST, &COPYRIGHT]) {
            assert!(holds(&bytes, secret), "keep drops {}", String::from_utf8_lossy(secret));
        }
        let seen = exif::Reader::new().read_from_container(&mut Cursor::new(&bytes)).expect("EXIF");
        let gps = seen.fields().filter(|field| field.tag.context() == exif::Context::Gps).count();
        assert_eq!(gps, 2, "the place stays among the fields of GPS");
        assert!(seen.get_field(exif::Tag::MakerNote, exif::In::PRIMARY).is_some());
    }
}

#[test]
fn metadata_converts_between_tiff_and_other_formats() {
    let tiff = talkative();
    for to in ["png", "jpeg", "webp"] {
        let away = run(&tiff, json!({ "to": to, "metadata": "keep" })).expect("a file");
        let away = bytes_of(&away, &tiff).to_vec();
        let back = run(&away, json!({ "to": "tiff", "metadata": "keep" })).expect("a TIFF");
        let back = bytes_of(&back, &away);
        let exif_secrets = &SECRETS[..6];
        for secret in exif_secrets.iter().chain([&SECRETS[6], &ARTIST, &COPYRIGHT]) {
            assert!(holds(back, secret), "{to} loses {}", String::from_utf8_lossy(secret));
        }
        assert!(holds(back, &icc()), "{to} loses the profile");
        let safe = run(&away, json!({ "to": "tiff" })).expect("a TIFF");
        for secret in SECRETS {
            assert!(!holds(bytes_of(&safe, &away), secret), "{to}: {}", String::from_utf8_lossy(secret));
        }
    }
}

/// A document whose pages differ in shape; the second lies on its side.
pub(super) fn document() -> (Vec<u8>, Vec<DynamicImage>) {
    let mut pages: Vec<DynamicImage> =
        [(60, 40), (48, 32), (20, 50)].map(|(width, height)| photo(width, height).into()).into();
    let mut out = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut out).expect("a header");
    for (index, page) in pages.iter().enumerate() {
        let mut coded = encoder.new_image::<colortype::RGB8>(page.width(), page.height()).expect("a page");
        if index == 1 {
            coded.encoder().write_tag(Tag::Orientation, 6_u16).expect("a field");
        }
        coded.write_data(&page.to_rgb8()).expect("pixels");
    }
    pages[1].apply_orientation(Orientation::Rotate90);
    (out.into_inner(), pages)
}

pub(super) fn pages(tiff: &[u8]) -> Vec<DynamicImage> {
    let mut decoder = Decoder::new(Cursor::new(tiff)).expect("a TIFF");
    let mut pages = Vec::new();
    loop {
        let (width, height) = decoder.dimensions().expect("a size");
        let DecodingResult::U8(samples) = decoder.read_image().expect("pixels") else { panic!("8 bits") };
        pages.push(image::RgbImage::from_raw(width, height, samples).expect("RGB").into());
        if !decoder.more_images() {
            return pages;
        }
        decoder.next_image().expect("a page");
    }
}

#[test]
fn every_page_goes_through_the_pipeline() {
    let (tiff, originals) = document();
    let header = inspect(&tiff, MediaType::Tiff, &Limits::default()).expect("a header");
    assert_eq!(header.frames, 3);
    let output = run(&tiff, json!({ "metadata": "strip" })).expect("a TIFF");
    assert!(!output.report.kept_original && output.report.warnings.is_empty());
    let made = pages(bytes_of(&output, &tiff));
    assert_eq!(made.len(), 3);
    for (made, original) in made.iter().zip(&originals) {
        assert_eq!(difference(made, original), 0.0);
    }
    let output = run(&tiff, json!({ "resize": { "maxWidth": 30, "maxHeight": 30 } })).expect("a TIFF");
    let sizes: Vec<_> =
        pages(bytes_of(&output, &tiff)).iter().map(|page| (page.width(), page.height())).collect();
    assert_eq!(sizes, [(30, 20), (20, 30), (12, 30)]);
    assert_eq!((output.report.width, output.report.height), (30, 20));
    let output = run(&tiff, json!({ "to": "png" })).expect("a PNG");
    assert_eq!(
        output.report.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(),
        ["pages_dropped"]
    );
}

#[test]
fn pages_in_different_colors_become_srgb() {
    let page = DynamicImage::from(photo(40, 30)).to_rgb8();
    let mut out = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut out).expect("a header");
    for profile in [Some(icc()), None] {
        let mut coded = encoder.new_image::<colortype::RGB8>(40, 30).expect("a page");
        if let Some(profile) = profile {
            coded.encoder().write_tag(Tag::Unknown(34_675), profile.as_slice()).expect("a field");
        }
        coded.write_data(&page).expect("pixels");
    }
    let tiff = out.into_inner();
    let output = run(&tiff, json!({ "resize": { "width": 40, "height": 30 }, "metadata": "keep" }));
    // Nothing but fewer bytes is asked for, so that the size decides between both.
    let output = output.expect("a TIFF");
    let made = pages(bytes_of(&output, &tiff));
    let kept = difference(&made[0], &page.clone().into());
    assert!(
        kept > 1.0 && !holds(bytes_of(&output, &tiff), b"acsp"),
        "the first page was turned into sRGB: {kept}"
    );
    assert_eq!(difference(&made[1], &page.into()), 0.0);
    assert_eq!(
        output.report.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(),
        ["color_converted"]
    );
    // Handed back as they are, each page keeps what it had.
    let output = run(&tiff, json!({ "targetSize": 1_000_000 })).expect("a TIFF");
    assert!(output.report.kept_original && holds(bytes_of(&output, &tiff), &icc()));
}

#[test]
fn bigtiff_is_read_and_written_as_tiff() {
    let rgb = DynamicImage::from(photo(61, 43)).to_rgb8();
    let mut out = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new_big(&mut out).expect("a header").with_compression(Compression::Lzw);
    let mut page = encoder.new_image::<colortype::RGB8>(61, 43).expect("a page");
    page.encoder().write_tag(Tag::Unknown(33_432), "(c) Doe 2024").expect("a field");
    page.encoder().write_tag(Tag::Unknown(271), "Secretmaker").expect("a field");
    page.write_data(&rgb).expect("pixels");
    let tiff = out.into_inner();
    assert_eq!(read(&tiff).to_rgb8(), rgb);
    let output = run(&tiff, json!({ "targetSize": 1_000_000 })).expect("a TIFF");
    let bytes = bytes_of(&output, &tiff);
    assert!(output.report.kept_original && bytes.starts_with(b"II\x2A\0"));
    assert!(holds(bytes, COPYRIGHT) && !holds(bytes, b"Secretmaker"));
    let DecodingResult::U8(samples) =
        Decoder::new(Cursor::new(bytes)).expect("a TIFF").read_image().expect("pixels")
    else {
        panic!("8 bits")
    };
    assert_eq!(samples, rgb.into_raw());
}

#[test]
fn the_limits_apply_to_all_pages_together() {
    let (tiff, _) = document();
    let total = 60 * 40 + 48 * 32 + 20 * 50;
    let call = |pixels: u32| run(&tiff, json!({ "limits": { "maxPixels": pixels } }));
    assert!(call(total).is_ok());
    assert_eq!(call(total - 1).expect_err("too many").code(), ErrorCode::TooManyPixels);
}

/// Fields of a little-endian file, each with a kind, a count and four bytes.
fn raw(fields: &[(u16, u16, u32, u32)], behind: &[u8]) -> Vec<u8> {
    let mut out = b"II\x2A\0\x08\0\0\0".to_vec();
    out.extend((fields.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in fields {
        out.extend(tag.to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend(count.to_le_bytes());
        out.extend(value.to_le_bytes());
    }
    out.extend([0; 4]);
    out.extend(behind);
    out
}

#[test]
fn subsampled_ycbcr_is_decoded() {
    // Two groups of 2 × 2 pixels: four lumas, then both chromas.
    let data = [16, 90, 160, 235, 128, 128, 76, 76, 76, 76, 85, 255];
    let fields = [
        (256, 3, 1, 4),
        (257, 3, 1, 2),
        (258, 3, 1, 8),
        (259, 3, 1, 1),
        (262, 3, 1, 6),
        (273, 4, 1, 8 + 2 + 10 * 12 + 4),
        (277, 3, 1, 3),
        (278, 3, 1, 2),
        (279, 4, 1, 12),
        (530, 3, 2, 2 | 2 << 16),
    ];
    let picture = read(&raw(&fields, &data)).to_rgb8();
    let row = |y| (0..4).map(|x| picture.get_pixel(x, y).0).collect::<Vec<_>>();
    assert_eq!(row(0), [[16, 16, 16], [90, 90, 90], [254, 0, 0], [254, 0, 0]]);
    assert_eq!(row(1), [[160, 160, 160], [235, 235, 235], [254, 0, 0], [254, 0, 0]]);
}

#[test]
fn cielab_is_decoded() {
    // White, mid gray, and a red of sRGB in Lab of D50.
    let data = [255, 0, 0, 136, 0, 0, 138, 81, 70];
    let fields = [
        (256, 3, 1, 3),
        (257, 3, 1, 1),
        (258, 3, 1, 8),
        (259, 3, 1, 1),
        (262, 3, 1, 8),
        (273, 4, 1, 8 + 2 + 8 * 12 + 4),
        (277, 3, 1, 3),
        (279, 4, 1, 9),
    ];
    let colors: Vec<_> = read(&raw(&fields, &data)).to_rgb8().pixels().map(|pixel| pixel.0).collect();
    for (color, expected) in colors.iter().zip([[255, 255, 255], [127, 127, 127], [254, 1, 2]]) {
        let off = color.iter().zip(&expected).map(|(a, b): (&u8, &u8)| a.abs_diff(*b)).max().unwrap_or(0);
        assert!(off <= 2, "{color:?} for {expected:?}");
    }
}

#[test]
fn unsupported_variants_are_named() {
    let fields = |compression, photometric, bits| {
        raw(
            &[
                (256, 3, 1, 4),
                (257, 3, 1, 2),
                (258, 3, 1, bits),
                (259, 3, 1, compression),
                (262, 3, 1, photometric),
                (273, 4, 1, 110),
                (279, 4, 1, 8),
            ],
            &[0; 16],
        )
    };
    for (compression, photometric, bits, name) in [
        (3, 0, 1, "Group 3"),
        (6, 6, 8, "old kind of JPEG"),
        (50_000, 1, 8, "Zstandard"),
        (50_001, 1, 8, "WebP"),
        (34_925, 1, 8, "LZMA"),
        (1, 32_803, 8, "sensor"),
        (1, 32_845, 16, "LogLuv"),
        (1, 1, 24, "24 bits"),
        (1, 4, 1, "mask"),
    ] {
        let error = run(&fields(compression, photometric, bits), json!({ "to": "png" })).expect_err(name);
        assert_eq!(error.code(), ErrorCode::UnsupportedType, "{error}");
        assert!(error.message().contains(name), "{error}");
    }
}

#[test]
fn headers_above_the_limits_are_refused_before_allocation() {
    let size = |width, height, rows, tile: Option<u32>| {
        let mut fields = vec![
            (256, 4, 1, width),
            (257, 4, 1, height),
            (258, 3, 1, 8),
            (259, 3, 1, 1),
            (262, 3, 1, 1),
            (273, 4, 1, 8),
            (278, 4, 1, rows),
            (279, 4, 1, 8),
        ];
        if let Some(tile) = tile {
            fields.retain(|field| ![273, 278, 279].contains(&field.0));
            fields.extend([(322, 4, 1, tile), (323, 4, 1, tile), (324, 4, 1, 8), (325, 4, 1, 8)]);
        }
        run(&raw(&fields, &[0; 64]), json!({ "to": "png" })).expect_err("too much").code()
    };
    assert_eq!(size(65_000, 65_000, 65_000, None), ErrorCode::TooManyPixels);
    assert_eq!(size(u32::MAX, u32::MAX, u32::MAX, None), ErrorCode::TooManyPixels);
    assert_eq!(size(8, 8, 8, Some(1 << 30)), ErrorCode::TooMuchMemory);
    assert_eq!(size(4000, 4000, 1, None), ErrorCode::Corrupt);
    // A directory that is its own successor.
    let mut circle = raw(&[(256, 3, 1, 4), (257, 3, 1, 2), (262, 3, 1, 1)], &[]);
    let link = circle.len() - 4;
    circle[link] = 8;
    let error = run(&circle, json!({ "to": "png" })).expect_err("a circle");
    assert!(error.message().contains("circle"), "{error}");
}

/// A page of one chunk, a JPEG, that says to have this size.
/// A page of gray strips of one row, all of which begin at the start of the file, and end with it as no length is said.
fn overlapping(rows: u32, compression: u32) -> Vec<u8> {
    let behind = 8 + 2 + 12 * 8 + 4;
    let offsets: Vec<u8> = (0..rows).flat_map(|_| 0_u32.to_le_bytes()).collect();
    raw(
        &[
            (256, 4, 1, 1),
            (257, 4, 1, rows),
            (258, 3, 1, 8),
            (259, 3, 1, compression),
            (262, 3, 1, 1),
            (266, 3, 1, 2),
            (273, 4, rows, behind),
            (278, 4, 1, 1),
        ],
        &offsets,
    )
}

#[test]
fn strips_that_overlap_are_not_copied_again_and_again() {
    // Not compressed, a row takes a byte of each; PackBits may need all.
    assert_eq!(read(&overlapping(20_000, 1)).to_luma8().height(), 20_000);
    let error = run(&overlapping(20_000, 32_773), json!({ "to": "png" })).expect_err("strips overlap");
    assert_eq!(error.code(), ErrorCode::Corrupt, "{error}");
}

fn page_of(jpeg: &[u8], width: u32, height: u32) -> Vec<u8> {
    let fields = [
        (256, 3, 1, width),
        (257, 3, 1, height),
        (258, 3, 1, 8),
        (259, 3, 1, 7),
        (262, 3, 1, 6),
        (273, 4, 1, 8 + 2 + 8 * 12 + 4),
        (277, 3, 1, 3),
        (279, 4, 1, jpeg.len() as u32),
    ];
    raw(&fields, jpeg)
}

#[test]
fn a_jpeg_that_is_larger_than_its_page_is_refused() {
    let jpeg = run(&png(photo(300, 200)), json!({ "to": "jpeg" })).expect("a JPEG").bytes.expect("bytes");
    let error = run(&page_of(&jpeg, 3, 2), json!({ "to": "png" })).expect_err("too large");
    assert_eq!(error.code(), ErrorCode::Corrupt, "{error}");
    let picture = read(&page_of(&jpeg, 300, 200));
    let reference = super::support::read(&jpeg, "image/jpeg");
    assert!(difference(&picture, &reference) < 1.0, "{}", difference(&picture, &reference));
}

#[test]
fn the_coefficients_of_progressive_chunks_count_as_memory() {
    let jpeg = run(&png(photo(300, 200)), json!({ "to": "jpeg", "quality": 95 }))
        .expect("a JPEG")
        .bytes
        .expect("bytes");
    assert!(jpeg.windows(2).any(|pair| pair == [0xFF, 0xC2]), "a progressive chunk");
    let page = page_of(&jpeg, 300, 200);
    let within = |bytes: u32| {
        let limits = json!({ "maxMemoryBytes": bytes + page.len() as u32 });
        run(&page, json!({ "to": "png", "resize": { "width": 1 }, "limits": limits }))
            .err()
            .map(|error| error.code())
    };
    assert_eq!(within(13 * 300 * 200), None);
    assert_eq!(within(10 * 300 * 200), Some(ErrorCode::TooMuchMemory));
}

#[test]
fn damaged_files_give_an_error_or_a_picture() {
    let survives =
        |bytes: &[u8]| match run(bytes, json!({ "to": "qoi", "limits": { "maxPixels": 1_000_000 } })) {
            Ok(_) => true,
            Err(error) => {
                assert_ne!(error.kind(), ErrorKind::Internal, "{error}");
                false
            }
        };
    let rgb = DynamicImage::from(photo(31, 23)).to_rgb8();
    let mut samples: Vec<Vec<u8>> = COMPRESSIONS
        .map(|compression| reference::<colortype::RGB8>((31, 23), &rgb, compression, 5, &[(274, &[6])]))
        .into();
    samples.push(reference::<colortype::CMYK16>((11, 9), &[4000; 396], Compression::Lzw, 4, &[]));
    samples.push(document().0);
    samples.push(talkative());
    samples.push(written(&DynamicImage::from(photo(31, 23))));
    samples
        .push(written(&GrayImage::from_fn(40, 30, |x, _| Luma([if x % 3 == 0 { 0 } else { 255 }])).into()));
    for bytes in &samples {
        assert!(survives(bytes));
        let (mut cuts, mut flips) = (0, 0);
        for at in (0..bytes.len()).step_by((bytes.len() / 150).max(1)) {
            // The last four bytes say that there is no other page.
            let survived = survives(&bytes[..at]);
            assert!(!survived || bytes.len() - at <= 4, "{at} of {} bytes gave a picture", bytes.len());
            cuts += 1;
            for mask in [0xFF, 0x01, 0x80] {
                let mut broken = bytes.clone();
                broken[at] ^= mask;
                survives(&broken);
                flips += 1;
            }
        }
        // Directories say more than pixels do: all of their bytes.
        for at in (bytes.len() - bytes.len().min(200)..bytes.len()).chain(0..8) {
            for mask in [0x01, 0x10, 0xFF] {
                let mut broken = bytes.clone();
                broken[at] ^= mask;
                survives(&broken);
                flips += 1;
            }
        }
        assert!(cuts >= 100 && flips >= 300, "{cuts} cuts, {flips} flips");
    }
}

/// Gray pages that point at one strip of noise, uncompressed.
fn sharing(pages: usize, side: u32) -> Vec<u8> {
    const DIRECTORY: usize = 2 + 9 * 12 + 4;
    let strip = 8 + (pages * DIRECTORY) as u32;
    let mut out = b"II\x2A\0\x08\0\0\0".to_vec();
    for page in 1..=pages {
        out.extend(9_u16.to_le_bytes());
        for (tag, value) in [
            (256, side),
            (257, side),
            (258, 8),
            (259, 1),
            (262, 1),
            (273, strip),
            (277, 1),
            (278, side),
            (279, side * side),
        ] {
            out.extend([u16::to_le_bytes(tag), u16::to_le_bytes(4), [1, 0], [0, 0]].concat());
            out.extend(u32::to_le_bytes(value));
        }
        let next = if page == pages { 0 } else { 8 + (page * DIRECTORY) as u32 };
        out.extend(next.to_le_bytes());
    }
    let mut state = seed(1) as u32;
    out.extend((0..side * side).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    }));
    out
}

#[test]
fn pages_keep_sharing_their_pixels() {
    for (pages, side) in [(2, 300), (60, 200)] {
        let input = sharing(pages, side);
        let output = run(&input, json!({})).expect("a TIFF");
        let length = bytes_of(&output, &input).len();
        assert!(
            output.report.kept_original && length <= input.len(),
            "{pages} pages: {length} of {}",
            input.len()
        );
    }
    // Made anew, each page has its own.
    let input = sharing(60, 200);
    let output = run(&input, json!({ "resize": { "width": 150 } })).expect("a TIFF");
    let length = output.bytes.expect("bytes").len();
    assert!(length > 20 * 150 * 150, "{length}");
    let within = json!({ "resize": { "width": 150 }, "limits": { "maxMemoryBytes": 1_000_000 } });
    let Err(error) = run(&input, within) else { panic!("more than the memory was taken") };
    assert_eq!(error.code(), ErrorCode::TooMuchMemory, "{error}");
}
