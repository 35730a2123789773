//! Colors do not shift: profiles are kept, applied or refused, deep pixels stay deep, and alpha is composited over a
//! background. Expected values are computed here.

use filepress::image::{Output, inspect};
use filepress_wire::MediaType;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ImageBuffer, ImageEncoder, Luma, LumaA, Rgb, RgbImage, Rgba};
use moxcms::ColorProfile;
use serde_json::json;

use super::cmyk::{self, Ink};
use super::delta_e::{self, encoded, linear};
use super::metadata_leaks::chunk;
use super::support::{bytes_of, coded, difference, photo, png, read, run, translucent};

/// Steps of each channel, and where it stands among others that all change.
fn ramp(width: u32, height: u32) -> ImageBuffer<Rgb<u16>, Vec<u16>> {
    ImageBuffer::from_fn(width, height, |x, y| {
        let step = |at: u32, of: u32| (at * 65_535 / (of - 1)) as u16;
        Rgb([step(x, width), step(y, height), step((x * 3 + y * 5) % width, width)])
    })
}

fn png_with(image: &DynamicImage, icc: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = PngEncoder::new(&mut out);
    encoder.set_icc_profile(icc.to_vec()).expect("PNG carries profiles");
    image.write_with_encoder(encoder).expect("a PNG");
    out
}

fn warns(output: &Output, code: &str) -> bool {
    output.report.warnings.iter().any(|warning| warning.code == code)
}

/// A color of another space in sRGB, all 0 to 1: to light, by a matrix, and back.
fn through(matrix: [[f64; 3]; 3], light: fn(f64) -> f64, color: [f64; 3]) -> [f64; 3] {
    let [r, g, b] = color.map(light);
    matrix.map(|row| encoded(row[0] * r + row[1] * g + row[2] * b))
}

/// From the primaries of Display P3 and Adobe RGB (1998) to those of sRGB, all under D65.
const P3: [[f64; 3]; 3] =
    [[1.224_94, -0.224_94, 0.0], [-0.042_06, 1.042_06, 0.0], [-0.019_64, -0.078_64, 1.098_27]];
const ADOBE: [[f64; 3]; 3] = [[1.398_36, -0.398_36, 0.0], [0.0, 1.0, 0.0], [0.0, -0.042_93, 1.042_93]];

fn adobe_light(level: f64) -> f64 {
    level.powf(563.0 / 256.0)
}

fn p3(color: [f64; 3]) -> [f64; 3] {
    through(P3, linear, color)
}

fn adobe(color: [f64; 3]) -> [f64; 3] {
    through(ADOBE, adobe_light, color)
}

#[test]
fn eight_bit_pixels_are_converted_if_the_output_has_no_profile() {
    type Convert = fn([f64; 3]) -> [f64; 3];
    let wide: [(ColorProfile, Convert); 2] =
        [(ColorProfile::new_display_p3(), p3), (ColorProfile::new_adobe_rgb(), adobe)];
    for (profile, expected) in wide {
        let picture = DynamicImage::from(ramp(40, 40)).to_rgb8();
        let input = png_with(&picture.clone().into(), &profile.encode().expect("a profile"));
        for to in ["image/bmp", "image/qoi", "image/x-tga"] {
            let output = run(&input, json!({ "to": to })).expect("a result");
            assert!(warns(&output, "color_converted"), "{to}");
            let found = read(bytes_of(&output, &input), to).to_rgb8();
            for (from, to) in picture.pixels().zip(found.pixels()) {
                let expected = expected(from.0.map(|level| f64::from(level) / 255.0));
                for (found, expected) in to.0.iter().zip(expected) {
                    assert!((f64::from(*found) - expected * 255.0).abs() < 1.1, "{from:?}: {to:?}");
                }
            }
        }
        for to in ["image/png", "image/jpeg", "image/webp"] {
            let output = run(&input, json!({ "to": to })).expect("a result");
            assert!(!warns(&output, "color_converted"), "{to}");
            let media = MediaType::from_mime(to).expect("a type");
            let found = inspect(bytes_of(&output, &input), media, &Default::default()).expect("readable");
            assert!(found.has_icc_profile, "{to}");
        }
    }
}

#[test]
fn deep_pixels_stay_deep_when_they_are_converted() {
    let picture = ramp(64, 64);
    let profile = ColorProfile::new_display_p3().encode().expect("a profile");
    let input = png_with(&picture.clone().into(), &profile);
    for to in ["image/x-portable-anymap", "image/x-farbfeld"] {
        let output = run(&input, json!({ "to": to })).expect("a result");
        assert!(warns(&output, "color_converted"), "{to}");
        let found = read(bytes_of(&output, &input), to);
        assert_eq!(found.color().bytes_per_pixel() / found.color().channel_count(), 2, "{to}");
        let mut levels = std::collections::BTreeSet::new();
        for (from, to) in picture.pixels().zip(found.to_rgb16().pixels()) {
            let expected = p3(from.0.map(|level| f64::from(level) / 65_535.0));
            for (found, expected) in to.0.iter().zip(expected) {
                // As light: near black, a level of 16 bits is less than profiles can say.
                let off = linear(f64::from(*found) / 65_535.0) - linear(expected);
                assert!(off.abs() < 0.000_2, "{from:?}: {to:?}");
                levels.insert(found % 257);
            }
        }
        assert!(levels.len() > 200, "{} lower halves", levels.len());
    }
}

#[test]
fn gray_stays_gray_when_it_is_converted() {
    let profile = ColorProfile::new_gray_with_gamma(1.8).encode().expect("a profile");
    let deep = ImageBuffer::from_fn(256, 2, |x, y| Luma([(x * 257 - y * x / 2) as u16]));
    let shallow = ImageBuffer::from_fn(256, 2, |x, _| Luma([x as u8]));
    let expected = |level: f64| encoded(level.powf(1.8));

    let input = png_with(&deep.clone().into(), &profile);
    let output = run(&input, json!({ "to": "pnm" })).expect("a result");
    let found = bytes_of(&output, &input);
    assert!(warns(&output, "color_converted") && found.starts_with(b"P5\n256 2\n65535\n"));
    for (from, to) in deep.pixels().zip(read(found, "image/x-portable-anymap").to_luma16().pixels()) {
        let expected = expected(f64::from(from.0[0]) / 65_535.0) * 65_535.0;
        assert!((f64::from(to.0[0]) - expected).abs() < 40.0, "{from:?}: {to:?}, not {expected}");
    }

    let input = png_with(&shallow.clone().into(), &profile);
    for (to, lossless) in [("image/x-portable-anymap", None), ("image/webp", Some(true))] {
        let output = run(&input, json!({ "to": to, "lossless": lossless })).expect("a result");
        let found = read(bytes_of(&output, &input), to).to_rgb8();
        for (from, to) in shallow.pixels().zip(found.pixels()) {
            let expected = expected(f64::from(from.0[0]) / 255.0) * 255.0;
            assert!(to.0.iter().all(|level| (f64::from(*level) - expected).abs() < 1.1), "{from:?}: {to:?}");
        }
    }
    let kept = run(&input, json!({ "to": "png", "resize": { "width": 128 } })).expect("a result");
    let found = inspect(bytes_of(&kept, &input), MediaType::Png, &Default::default()).expect("readable");
    assert!(found.has_icc_profile && found.color_space == "gray");
}

/// Inks that go through all levels, each at its own pace.
fn patches() -> Vec<Ink> {
    let mut patches: Vec<Ink> =
        (0..=255).map(|at: u32| [37, 59, 83, 101].map(|pace| (at * pace % 256) as u8)).collect();
    // Light and dark, where each ink is alone or all come together.
    for at in 0..4 {
        patches.extend([64, 128, 192, 255].map(|level| {
            let mut ink = [0; 4];
            ink[at] = level;
            ink
        }));
    }
    patches.extend([[0; 4], [255; 4], [0, 0, 0, 40], [20, 15, 15, 0]]);
    patches
}

/// The color of each block of a JPEG of [`inks`], from its middle.
fn blocks(image: &RgbImage, count: usize) -> Vec<[u8; 3]> {
    let place = |at: u32| (at % 16 * 8 + 4, at / 16 * 8 + 4);
    (0..count as u32).map(place).map(|(x, y)| image.get_pixel(x, y).0).collect()
}

#[test]
fn cmyk_is_converted_by_its_profile() {
    let (patches, icc) = (patches(), cmyk::profile());
    let expected = patches.iter().map(|ink| {
        cmyk::on_screen(ink.map(|ink| f64::from(ink) / 255.0)).map(|level| (level * 255.0).round() as u8)
    });
    let expected: Vec<[u8; 3]> = expected.collect();
    for transform in [Some(0), Some(2), None] {
        let input = cmyk::jpeg(&patches, transform, Some(&icc));
        let found = inspect(&input, MediaType::Jpeg, &Default::default()).expect("readable");
        assert_eq!((found.color_space, found.has_icc_profile), ("cmyk", true));
        for to in ["png", "bmp", "webp"] {
            let lossless = (to == "webp").then_some(true);
            let output = run(&input, json!({ "to": to, "lossless": lossless })).expect("a result");
            assert!(warns(&output, "color_converted"), "{to}");
            let image = read(bytes_of(&output, &input), &format!("image/{to}")).to_rgb8();
            let found = blocks(&image, patches.len());
            let off = delta_e::mean(found.into_iter().zip(expected.iter().copied()));
            assert!(off < 1.0, "{transform:?} to {to}: mean difference {off}");
            let media = MediaType::from_extension(to).expect("a type");
            let output = inspect(bytes_of(&output, &input), media, &Default::default()).expect("readable");
            assert!(!output.has_icc_profile, "{to}: a profile of inks says nothing about these pixels");
        }
    }
}

#[test]
fn cmyk_without_a_usable_profile_is_converted_by_the_formula() {
    let patches = patches();
    let through = |ink: u8, black: u8| f64::from(!ink) * f64::from(!black) / 255.0;
    let icc = cmyk::profile();
    let rgb = ColorProfile::new_srgb().encode().expect("a profile");
    let mut other_space = icc.clone();
    other_space[20..24].copy_from_slice(b"LUV ");
    let mut no_table = icc.clone();
    no_table[132..136].copy_from_slice(b"A2BX");
    for icc in [None, Some(&icc[..5_000]), Some(&other_space), Some(&no_table), Some(&rgb)] {
        for transform in [Some(0), Some(2), None] {
            let input = cmyk::jpeg(&patches, transform, icc);
            let output = run(&input, json!({ "to": "png" })).expect("a result");
            assert!(!warns(&output, "color_converted"));
            let image = read(bytes_of(&output, &input), "image/png").to_rgb8();
            for (ink, found) in patches.iter().zip(blocks(&image, patches.len())) {
                for (at, level) in found.into_iter().enumerate() {
                    let off = f64::from(level) - through(ink[at], ink[3]);
                    assert!(off.abs() < 2.1, "{transform:?}, {ink:?}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn kept_cmyk_keeps_its_profile() {
    let input = cmyk::jpeg(&patches(), Some(0), Some(&cmyk::profile()));
    let output = run(&input, json!({ "lossless": true })).expect("a result");
    let found = inspect(bytes_of(&output, &input), MediaType::Jpeg, &Default::default()).expect("readable");
    assert_eq!((found.color_space, found.has_icc_profile), ("cmyk", true));
}

#[test]
fn hostile_cmyk_profiles_never_panic() {
    let (patches, icc) = (patches(), cmyk::profile());
    let mut treated = 0;
    for at in (0..240).chain((240..icc.len()).step_by(9_973)) {
        for value in [0, 0xFF] {
            let mut damaged = icc.clone();
            damaged[at] = value;
            let input = cmyk::jpeg(&patches[..16], Some(2), Some(&damaged));
            run(&input, json!({ "to": "bmp" })).expect("a picture, by the profile or by the formula");
            treated += 1;
        }
    }
    assert!(treated > 480, "{treated} profiles");
}

/// What a palette or shades of gray with alpha look like on a background, in steps of 8 bit.
fn over(color: u8, under: u8, alpha: u8) -> f64 {
    let share = f64::from(alpha) / 255.0;
    f64::from(color) * share + f64::from(under) * (1.0 - share)
}

#[test]
fn palette_and_gray_with_alpha_keep_their_color_type() {
    let palette = palette_png([0, 1, 2, 3, 3, 2, 1, 0, 0, 0, 2, 2, 1, 1, 3, 3]);
    let gray = ImageBuffer::from_fn(16, 16, |x, y| LumaA([(x * 17) as u8, (y * 17) as u8]));
    for input in [palette, png(DynamicImage::from(gray))] {
        let expected = read(&input, "image/png");
        assert!(expected.color().has_alpha());
        for (to, lossless) in [("image/webp", Some(true)), ("image/png", None), ("image/qoi", None)] {
            let options = json!({ "to": to, "lossless": lossless, "resize": { "width": expected.width() } });
            let output = run(&input, options).expect("a result");
            let found = read(bytes_of(&output, &input), to);
            for (found, expected) in found.to_rgba8().pixels().zip(expected.to_rgba8().pixels()) {
                // The color of what is clear shows nowhere.
                assert!(
                    found == expected || (found.0[3], expected.0[3]) == (0, 0),
                    "{to}: {found:?} {expected:?}"
                );
            }
        }
        let background = json!({ "to": "pnm", "background": "#204060" });
        let output = run(&input, background).expect("a result");
        assert!(warns(&output, "alpha_flattened"));
        let found = read(bytes_of(&output, &input), "image/x-portable-anymap").to_rgb8();
        for (found, from) in found.pixels().zip(expected.to_rgba8().pixels()) {
            for (at, under) in [0x20, 0x40, 0x60].into_iter().enumerate() {
                let expected = over(from.0[at], under, from.0[3]);
                assert!((f64::from(found.0[at]) - expected).abs() <= 0.51, "{from:?}: {found:?}");
            }
        }
    }
}

/// A PNG of 4 × 4 pixels with a palette of four colors, two of which are not opaque.
fn palette_png(indices: [u8; 16]) -> Vec<u8> {
    let rows: Vec<u8> = indices.chunks(4).flat_map(|row| [&[0], row].concat()).collect();
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [
        (b"IHDR", b"\0\0\0\x04\0\0\0\x04\x08\x03\0\0\0".to_vec()),
        (b"PLTE", vec![250, 10, 20, 30, 240, 40, 50, 60, 230, 200, 200, 200]),
        (b"tRNS", vec![0, 100, 255, 255]),
        (b"IDAT", miniz_oxide::deflate::compress_to_vec_zlib(&rows, 6)),
        (b"IEND", Vec::new()),
    ] {
        out.extend(chunk(kind, &data));
    }
    out
}

/// Only the bits of the depth count (PNG, third edition, 11.3.1.1).
#[test]
fn a_transparent_gray_with_bits_above_its_depth_is_transparent() {
    for (depth, key, pixel) in [(1, 3, 0x80), (1, 0xFF, 0x80), (2, 0x0E, 0x80), (4, 0xF5, 0x50), (4, 5, 0x50)]
    {
        let mut input = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, data) in [
            (b"IHDR", vec![0, 0, 0, 1, 0, 0, 0, 1, depth, 0, 0, 0, 0]),
            (b"tRNS", vec![0, key]),
            (b"IDAT", miniz_oxide::deflate::compress_to_vec_zlib(&[0, pixel], 6)),
            (b"IEND", Vec::new()),
        ] {
            input.extend(chunk(kind, &data));
        }
        let output = run(&input, json!({ "to": "qoi" })).expect("a result");
        let found = read(bytes_of(&output, &input), "image/qoi").to_rgba8();
        assert_eq!(found.get_pixel(0, 0).0[3], 0, "depth {depth}, key {key}");
    }
}

#[test]
fn deep_pixels_stay_deep_over_a_background() {
    let color = ImageBuffer::from_fn(64, 64, |x, y| {
        Rgba([(x * 1_021) as u16, (y * 1_019) as u16, (x * y * 16) as u16, (y * 1_040) as u16])
    });
    let gray = ImageBuffer::from_fn(64, 64, |x, y| LumaA([(x * 1_021) as u16, (y * 1_040) as u16]));
    for (image, background, under, magic) in [
        (DynamicImage::from(color.clone()), "#123456", [0x12, 0x34, 0x56], b"P6"),
        (DynamicImage::from(gray.clone()), "#123456", [0x12, 0x34, 0x56], b"P6"),
        (DynamicImage::from(gray), "#777", [0x77; 3], b"P5"),
        (DynamicImage::from(color), "white", [0xFF; 3], b"P6"),
    ] {
        let input = png(image.clone());
        let output = run(&input, json!({ "to": "pnm", "background": background })).expect("a result");
        let found = bytes_of(&output, &input);
        assert!(found.starts_with(magic), "{background}");
        let found = read(found, "image/x-portable-anymap");
        for (found, from) in found.to_rgb16().pixels().zip(image.to_rgba16().pixels()) {
            for (at, under) in under.into_iter().enumerate() {
                let share = f64::from(from.0[3]) / 65_535.0;
                let expected = f64::from(from.0[at]) * share + f64::from(under * 257_u16) * (1.0 - share);
                assert!((f64::from(found.0[at]) - expected).abs() <= 0.51, "{from:?}: {found:?}");
            }
        }
    }
}

#[test]
fn transparency_never_turns_black() {
    let input = png(translucent(48, 32));
    for to in ["jpeg", "pnm"] {
        let output =
            run(&input, json!({ "to": to, "quality": (to == "jpeg").then_some(95) })).expect("a result");
        let mime = MediaType::from_extension(if to == "pnm" { "ppm" } else { to }).expect("a type").as_str();
        let found = read(bytes_of(&output, &input), mime);
        assert!(warns(&output, "alpha_flattened"), "{to}");
        let clear = found.crop_imm(0, 0, 16, 32);
        let white = DynamicImage::from(RgbImage::from_pixel(16, 32, Rgb([255; 3])));
        assert!(difference(&clear, &white) < 2.0, "{to}");
    }
}

#[test]
fn a_bmp_with_a_profile_is_converted() {
    let picture = photo(20, 20);
    let plain = coded(DynamicImage::from(picture).to_rgb8(), image::ImageFormat::Bmp);
    let pixels = &plain[plain.len() - 20 * 20 * 3..];
    let icc = ColorProfile::new_display_p3().encode().expect("a profile");
    let mut bmp = b"BM".to_vec();
    let lengths = [138 + pixels.len() + icc.len(), 0, 138, 124, 20, 20];
    bmp.extend(lengths.iter().flat_map(|number| (*number as u32).to_le_bytes()));
    bmp.extend([1, 0, 24, 0]);
    bmp.resize(14 + 56, 0);
    bmp.extend_from_slice(b"DEBM");
    bmp.resize(14 + 112, 0);
    bmp.extend([124 + pixels.len(), icc.len(), 0].iter().flat_map(|number| (*number as u32).to_le_bytes()));
    bmp.extend_from_slice(pixels);
    bmp.extend_from_slice(&icc);

    let kept = run(&bmp, json!({ "to": "png" })).expect("a result");
    assert!(
        inspect(bytes_of(&kept, &bmp), MediaType::Png, &Default::default()).expect("a PNG").has_icc_profile
    );
    let converted = run(&bmp, json!({ "to": "qoi" })).expect("a result");
    assert!(warns(&converted, "color_converted"));
}

#[test]
fn a_lossless_encoding_of_8_bits_says_that_the_depth_was_reduced() {
    let deep = png(ramp(64, 48));
    let light = run(&deep, json!({ "to": "exr" })).expect("light").bytes.expect("another type");
    for (to, lossless, expected) in [
        ("webp", true, true),
        ("webp", false, false),
        ("bmp", false, true),
        ("tga", false, true),
        ("qoi", false, true),
        ("ico", false, true),
        ("jpeg", false, false),
        ("avif", false, false),
        ("png", true, false),
        ("tiff", false, false),
        ("pnm", false, false),
        ("farbfeld", false, false),
        ("exr", false, false),
        ("dds", true, false),
    ] {
        let resize = json!({ "width": 32 });
        let options = json!({ "to": to, "lossless": lossless, "resize": resize, "effort": 1 });
        for (input, name) in [(&deep, "16 bits"), (&light, "light")] {
            let output = run(input, options.clone()).expect("a result");
            assert_eq!(warns(&output, "depth_reduced"), expected, "{name} to {to}, lossless {lossless}");
        }
        let shallow = run(&png(photo(64, 48)), options).expect("a result");
        assert!(!warns(&shallow, "depth_reduced"), "8 bits to {to}");
    }
}

#[test]
fn colors_that_a_png_declares_behind_its_pixels_have_no_effect() {
    let plain = png(photo(40, 30));
    let profile = ColorProfile::new_display_p3().encode().expect("a profile");
    let profiled = png_with(&DynamicImage::from(photo(40, 30)), &profile);
    let from = profiled.windows(4).position(|kind| kind == b"iCCP").expect("a profile") - 4;
    let length = u32::from_be_bytes(profiled[from..from + 4].try_into().expect("four bytes")) as usize;
    let behind = |chunk: &[u8]| [&plain[..plain.len() - 12], chunk, &plain[plain.len() - 12..]].concat();
    let inputs = [
        behind(&profiled[from..from + 12 + length]),
        behind(&chunk(b"gAMA", &100_000u32.to_be_bytes())),
        behind(&chunk(b"cICP", &[12, 13, 0, 1])),
    ];
    for to in ["bmp", "png", "jpeg"] {
        let expected = run(&plain, json!({ "to": to })).expect("a result");
        for input in &inputs {
            let output = run(input, json!({ "to": to })).expect("a result");
            assert!(bytes_of(&output, input) == bytes_of(&expected, &plain), "{to}");
        }
    }
}
