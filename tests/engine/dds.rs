//! DDS: round trips of every pixel format, decoding of all block formats, damaged files.

use dds::header::Header;
use dds::{ColorFormat, Encoder, Format, ImageView, Size};
use filepress::ErrorCode;
use image::{DynamicImage, GrayImage, ImageBuffer, Rgba};
use serde_json::{Value, json};

use super::support::{bytes_of, difference, photo, png, read, run, translucent};

/// What the engine makes of a file, as PNG.
fn shown(file: &[u8]) -> DynamicImage {
    let output = run(file, json!({ "to": "png" })).expect("a readable DDS");
    read(bytes_of(&output, file), "image/png")
}

/// What the engine writes.
fn written(picture: &[u8], mut options: Value) -> Vec<u8> {
    options["to"] = json!("dds");
    run(picture, options).expect("a DDS").bytes.expect("another type is new bytes")
}

/// A file of the crate's own encoder.
fn coded(picture: &DynamicImage, format: Format) -> Vec<u8> {
    let size = Size::new(picture.width(), picture.height());
    let header = Header::new_image(size.width, size.height, format);
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, format, &header).expect("a format that can be written");
    let pixels = picture.to_rgba8();
    let view = ImageView::new(&pixels, size, ColorFormat::RGBA_U8).expect("all pixels");
    encoder.write_surface(view).expect("pixels");
    encoder.finish().expect("one surface");
    file
}

fn grays(width: u32, height: u32) -> GrayImage {
    DynamicImage::from(photo(width, height)).to_luma8()
}

#[test]
fn every_pixel_format_survives_a_round_trip() {
    let deep = ImageBuffer::from_fn(33, 17, |x, y| {
        Rgba([(x * 1_985) as u16, (y * 3_855) as u16, (x * y * 117) as u16, (65_535 - x * 7) as u16])
    });
    let deep_gray = ImageBuffer::from_fn(33, 17, |x, y| image::Luma([(x * 1_985 + y) as u16]));
    let pictures: [(&str, DynamicImage, usize); 5] = [
        ("gray", grays(33, 17).into(), 1),
        ("opaque", DynamicImage::from(photo(33, 17)).to_rgb8().into(), 3),
        ("translucent", translucent(33, 17).into(), 4),
        ("deep gray", DynamicImage::ImageLuma16(deep_gray), 2),
        ("deep", DynamicImage::ImageRgba16(deep), 8),
    ];
    for (name, picture, bytes_per_pixel) in pictures {
        let file = written(&png(picture.clone()), json!({}));
        let header = file.len() - 33 * 17 * bytes_per_pixel;
        assert!(header == 128 || header == 148, "{name}: a header of {header} bytes");
        let back = shown(&file);
        assert_eq!(back.to_rgba16(), picture.to_rgba16(), "{name}");
    }
}

#[test]
fn quality_chooses_the_blocks() {
    let decibel = |a: &DynamicImage, b: &DynamicImage| {
        let (a, b) = (a.to_rgb8(), b.to_rgb8());
        let squares = a.iter().zip(b.iter()).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum::<f64>();
        10.0 * (255.0_f64.powi(2) * a.len() as f64 / squares).log10()
    };
    let colors = DynamicImage::from(photo(64, 64));
    let clear = DynamicImage::from(translucent(64, 64));
    let gray = DynamicImage::from(grays(64, 64));
    let cases = [
        (&colors, 60, b"DXT1".as_slice(), 2_048, 30.0),
        (&colors, 90, b"DX10".as_slice(), 4_096, 37.0),
        (&clear, 60, b"DXT5".as_slice(), 4_096, 0.0),
        (&clear, 90, b"DX10".as_slice(), 4_096, 0.0),
        (&gray, 60, b"BC4U".as_slice(), 2_048, 40.0),
    ];
    for (picture, quality, code, size, least) in cases {
        let file = written(&png(picture.clone()), json!({ "quality": quality }));
        assert_eq!(&file[84..88], code, "at {quality}");
        assert_eq!(file.len() - if code == b"DX10" { 148 } else { 128 }, size, "at {quality}");
        let back = shown(&file);
        assert!(decibel(picture, &back) >= least, "at {quality}: {:.1} dB", decibel(picture, &back));
        let alpha = |picture: &DynamicImage| -> DynamicImage {
            let rgba = picture.to_rgba8();
            GrayImage::from_fn(64, 64, |x, y| image::Luma([rgba.get_pixel(x, y).0[3]])).into()
        };
        assert!(difference(&alpha(picture), &alpha(&back)) < 1.5, "alpha at {quality}");
    }
}

#[test]
fn sizes_that_are_not_multiples_of_a_block_keep_their_edges() {
    for (width, height) in [(1, 1), (2, 3), (5, 4), (7, 9), (4, 1), (13, 6)] {
        let picture = DynamicImage::from(image::RgbImage::from_fn(width, height, |x, _| {
            image::Rgb(if x + 1 == width { [255, 130, 0] } else { [0, 0, 90] })
        }));
        for quality in [50, 90] {
            let back = shown(&written(&png(picture.clone()), json!({ "quality": quality })));
            assert!(difference(&picture, &back) < 3.0, "{width} × {height} at {quality}");
        }
    }
}

#[test]
fn every_block_format_is_decoded() {
    // What a format cannot hold at all is left out of the picture: alpha, blue, colors.
    let colors = DynamicImage::from(photo(40, 24));
    let two = DynamicImage::from(image::RgbImage::from_fn(40, 24, |x, y| {
        let [r, g, ..] = photo(40, 24).get_pixel(x, y).0;
        image::Rgb([r, g, 0])
    }));
    let gray = DynamicImage::from(grays(40, 24));
    for (format, picture, most) in [
        (Format::BC1_UNORM, &colors, 8.0),
        (Format::BC2_UNORM, &colors, 8.0),
        (Format::BC3_UNORM, &colors, 8.0),
        (Format::BC4_UNORM, &gray, 2.0),
        (Format::BC5_UNORM, &two, 2.0),
        (Format::BC7_UNORM, &colors, 3.0),
        (Format::R8G8B8A8_UNORM, &colors, 0.0),
        (Format::B5G6R5_UNORM, &colors, 3.0),
        (Format::R10G10B10A2_UNORM, &colors, 0.3),
    ] {
        let back = shown(&coded(picture, format));
        assert!(difference(picture, &back) <= most, "{format:?}: {:.2}", difference(picture, &back));
    }
}

#[test]
fn a_handmade_block_has_the_specified_colors() {
    let mut file = Vec::new();
    Header::new_image(4, 4, Format::BC1_UNORM).write(&mut file).expect("a header");
    // Red, blue, and two thirds of the way: a row each (BC1, four-color mode).
    file.extend([0x00, 0xf8, 0x1f, 0x00, 0b0000_0000, 0b0101_0101, 0b1010_1010, 0b1111_1111]);
    let picture = shown(&file).to_rgb8();
    let row = |y| picture.get_pixel(1, y).0;
    assert_eq!((row(0), row(1), row(2), row(3)), ([255, 0, 0], [0, 0, 255], [170, 0, 85], [85, 0, 170]));
}

#[test]
fn inspect_reports_the_header() {
    let inspect = |bytes: &[u8]| {
        let seen = filepress::image::inspect(bytes, filepress_wire::MediaType::Dds, &Default::default());
        serde_json::to_value(seen.expect("a header")).expect("plain")
    };
    let seen = inspect(&coded(&photo(40, 24).into(), Format::R8G8B8A8_UNORM));
    assert_eq!((&seen["width"], &seen["height"], &seen["bitDepth"]), (&json!(40), &json!(24), &json!(8)));
    let gray = written(&png(grays(8, 8)), json!({}));
    assert_eq!(inspect(&gray)["frames"], json!(1));
    // DDS_HEADER of 4 × 4 pixels in DXT1, with dwCaps2 for a cube map of the faces that are named.
    let cube = |faces: u32| {
        let mut words = [0_u32; 32];
        (words[0], words[1], words[2], words[3], words[4]) = (0x2053_4444, 124, 0x1007, 4, 4);
        (words[19], words[20], words[21], words[27]) = (32, 4, 0x3154_5844, 0x1008);
        words[28] = 0x200 | faces;
        words.map(u32::to_le_bytes).concat()
    };
    assert_eq!(inspect(&cube(0xfc00))["frames"], json!(6));
    assert_eq!(inspect(&cube(0))["frames"], json!(1), "a cube without a face");
}

#[test]
fn cube_maps_and_volumes_are_kept_or_have_a_warning() {
    let mut cube = Vec::new();
    let header = Header::new_cube_map(4, 4, Format::R8G8B8A8_UNORM);
    let mut encoder = Encoder::new(&mut cube, Format::R8G8B8A8_UNORM, &header).expect("a header");
    for face in 0..6_u8 {
        let pixels = [face * 40, 0, 0, 255].repeat(16);
        let view = ImageView::new(&pixels, Size::new(4, 4), ColorFormat::RGBA_U8).expect("all pixels");
        encoder.write_surface(view).expect("a face");
    }
    encoder.finish().expect("six faces");

    let kept = run(&cube, json!({})).expect("a result");
    assert!(kept.bytes.is_none() && kept.report.kept_original);
    let one = run(&cube, json!({ "to": "png" })).expect("a result");
    assert!(one.report.warnings.iter().any(|warning| warning.code == "pages_dropped"));
    assert_eq!(read(bytes_of(&one, &cube), "image/png").to_rgb8().get_pixel(0, 0).0, [0, 0, 0]);
    let blocks = run(&cube, json!({ "quality": 50 })).expect("a result");
    assert!(blocks.report.warnings.iter().any(|warning| warning.code == "pages_dropped"));

    let picture = photo(8, 8);
    let mut copies = Vec::new();
    let header = Header::new_image(8, 8, Format::R8G8B8A8_UNORM).with_mipmaps();
    let mut encoder = Encoder::new(&mut copies, Format::R8G8B8A8_UNORM, &header).expect("a header");
    encoder.mipmaps.generate = true;
    let view = ImageView::new(&picture, Size::new(8, 8), ColorFormat::RGBA_U8).expect("all pixels");
    encoder.write_surface(view).expect("pixels");
    encoder.finish().expect("all copies");
    assert!(run(&copies, json!({})).expect("a result").bytes.is_none(), "smaller copies stay");
    let target = copies.len() - 1;
    let fits = run(&copies, json!({ "targetSize": target })).expect("a result");
    assert!(!fits.report.kept_original && bytes_of(&fits, &copies).len() <= target);
}

#[test]
fn damaged_files_give_an_error_or_a_picture() {
    let files = [
        coded(&photo(20, 12).into(), Format::BC1_UNORM),
        coded(&photo(20, 12).into(), Format::BC7_UNORM),
        coded(&photo(20, 12).into(), Format::R8G8B8A8_UNORM),
    ];
    let mut refused = 0;
    for file in &files {
        for cut in 0..file.len().min(200) {
            let at = cut * file.len() / 200;
            let error = run(&file[..at.max(8)], json!({ "to": "png" })).expect_err("cut off");
            assert_eq!(error.code(), ErrorCode::Corrupt, "cut at {at}");
        }
        for flip in 0..400 {
            let mut damaged = file.clone();
            // The header, mostly.
            let at = 4 + flip * 7 % damaged.len().min(180).saturating_sub(4);
            damaged[at] ^= 1 << (flip % 8);
            let limits = json!({ "to": "png", "limits": { "maxPixels": 4_000_000 } });
            refused +=
                usize::from(super::support::run_as(&damaged, Some("image/vnd.ms-dds"), limits).is_err());
        }
    }
    assert!(refused > 100, "{refused} of 1200 refused");
    let mut unknown = files[0].clone();
    unknown[84..88].copy_from_slice(b"ZZZZ");
    if unknown[128..].len() > 20 {
        unknown[148..].fill(0);
    }
    assert_eq!(
        run(&unknown, json!({ "to": "png" })).expect_err("no such format").code(),
        ErrorCode::UnsupportedType
    );
}

#[test]
fn a_header_alone_allocates_nothing() {
    let mut file = Vec::new();
    Header::new_image(60_000, 60_000, Format::BC7_UNORM).write(&mut file).expect("a header");
    let refused = |limits: Value| {
        run(&file, json!({ "to": "png", "limits": limits })).expect_err("no pixels behind it").code()
    };
    assert_eq!(refused(json!({})), ErrorCode::TooManyPixels);
    let open = json!({ "maxPixels": 1e15 as u64, "maxMemoryBytes": 1e15 as u64 });
    assert_eq!(refused(open), ErrorCode::Corrupt);
}
