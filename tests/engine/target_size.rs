//! `targetSize`: results of a given size.

use filepress::error::Detail;
use filepress::image::Output;
use filepress::{ErrorCode, ErrorKind};
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use serde_json::json;

use super::animation_support::{Dice, frames, gif};
use super::corpus;
use super::seed::seed;
use super::support::{CORE_TYPES, bytes_of, coded, difference, photo, png, read, run, translucent};

/// The types whose number of bytes a quality decides.
const LOSSY: [&str; 4] = ["jpeg", "webp", "png", "avif"];

/// Soft shapes and fine grain, as a camera sees them.
pub(super) fn scene(width: u32, height: u32) -> RgbaImage {
    let mut grains = noise(width, height);
    for (x, y, pixel) in grains.enumerate_pixels_mut() {
        let grain = f64::from(pixel.0[1] >> 4) - 7.5;
        let (u, v) = (f64::from(x) / f64::from(width), f64::from(y) / f64::from(height));
        let hill = 0.55 + 0.1 * (u * 9.0).sin() + 0.05 * (u * 23.0 + 1.0).sin();
        let texture = ((u * 70.0 + (v * 31.0).sin() * 3.0).sin() * (v * 90.0).cos()) * 18.0;
        let [r, g, b] = match v < hill {
            true => [110.0 + 80.0 * v, 150.0 + 60.0 * v, 215.0 - 20.0 * u],
            false => [70.0 + 40.0 * u + texture, 95.0 - 50.0 * v + texture * 1.3, 45.0 + texture * 0.6],
        };
        *pixel = Rgba([r + grain, g + grain, b + grain, 255.0].map(|value| value.clamp(0.0, 255.0) as u8));
    }
    grains
}

/// Flat areas with sharp edges, and a few gradients.
pub(super) fn drawing(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        let (dx, dy) = (i64::from(x) - i64::from(width / 2), i64::from(y) - i64::from(height / 3));
        let ring = (dx * dx + dy * dy) / 900 % 5;
        match (ring, (x / 24 + y / 18) % 3) {
            (0, _) => Rgba([20, 30, 40, 255]),
            (1, 0) => Rgba([(x * 255 / width) as u8, 80, 160, 255]),
            (2, 1) => Rgba([240, (y * 255 / height) as u8, 20, 255]),
            (_, 2) => Rgba([250, 250, 245, 255]),
            _ => Rgba([60, 170, 90, 255]),
        }
    })
}

/// Nothing that could be foretold.
pub(super) fn noise(width: u32, height: u32) -> RgbaImage {
    let mut state = seed(1) as u32;
    RgbaImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, r, g, b] = state.to_le_bytes();
        Rgba([r, g, b, 255])
    })
}

/// Many colors, none of which is a surprise.
pub(super) fn gradient(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        let third = ((x + y) * 127 / (width + height)) as u8 + 60;
        Rgba([(x * 255 / width) as u8, (y * 255 / height) as u8, third, 255])
    })
}

fn size(output: &Output, input: &[u8]) -> usize {
    bytes_of(output, input).len()
}

fn warns(output: &Output, code: &str) -> bool {
    output.report.warnings.iter().any(|warning| warning.code == code)
}

/// Codes the picture to shares of its bytes at the highest quality; tells how much of each target was filled.
fn filled(name: &str, picture: impl Into<DynamicImage>, to: &str) -> Vec<f64> {
    let input = png(picture);
    let highest = run(&input, json!({ "to": to, "quality": 100 })).expect("a result");
    let highest = size(&highest, &input);
    [15, 30, 70]
        .map(|share| {
            let target = highest * share / 100;
            let output = run(&input, json!({ "to": to, "targetSize": target }))
                .unwrap_or_else(|error| panic!("{name} to {to} in {target}: {error}"));
            let size = size(&output, &input);
            assert!(size <= target, "{name} to {to}: {size} > {target}");
            size as f64 / target as f64
        })
        .to_vec()
}

fn assert_well_filled(shares: &[f64], least_cases: usize) {
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(
        shares.len() >= least_cases && mean >= 0.9,
        "{} cases, mean {mean:.3}: {shares:.2?}",
        shares.len()
    );
}

/// A picture of some width and height.
type Draw = fn(u32, u32) -> RgbaImage;

#[test]
fn generated_pictures_fill_and_never_exceed_their_target() {
    let mut shares = Vec::new();
    for to in LOSSY {
        // The encoder of AVIF takes many times as long.
        let scale = if to == "avif" { 2 } else { 1 };
        let pictures: [(&str, Draw, u32, u32); 6] = [
            ("photo", photo, 240, 180),
            ("scene", scene, 288, 192),
            ("drawing", drawing, 270, 180),
            ("noise", noise, 96, 128),
            ("gradient", gradient, 320, 200),
            ("translucent", translucent, 240, 180),
        ];
        for (name, picture, width, height) in pictures {
            shares.extend(filled(name, picture(width / scale, height / scale), to));
        }
    }
    assert_well_filled(&shares, 72);
}

#[test]
#[ignore = "needs the corpus: make test-corpus CORPUS=…"]
fn pictures_of_the_corpus_fill_and_never_exceed_their_target() {
    let mut shares = Vec::new();
    let names = ["demo-large-photo.jpg", "demo-device-screen.png", "example.png"];
    for name in names {
        let bytes = std::fs::read(corpus::folder().join(name)).expect("a picture of the corpus");
        let small =
            run(&bytes, json!({ "to": "png", "effort": 0, "resize": { "maxWidth": 240, "maxHeight": 240 } }));
        let small = read(bytes_of(&small.expect("a result"), &bytes), "image/png");
        for to in LOSSY.into_iter().filter(|to| *to != "avif") {
            shares.extend(filled(name, small.clone(), to));
        }
    }
    assert_well_filled(&shares, 27);
    corpus::assert_walked("pictures_of_the_corpus_fill_and_never_exceed_their_target", names.len());
}

#[test]
fn an_unreachable_target_reports_the_smallest_size() {
    let input = png(scene(200, 150));
    for options in [
        json!({ "to": "jpeg", "targetSize": 60 }),
        json!({ "to": "webp", "targetSize": 300, "resize": { "width": 200 } }),
        json!({ "to": "png", "targetSize": 5_000, "lossless": true }),
        json!({ "to": "bmp", "targetSize": 1 }),
        json!({ "to": "gif", "targetSize": 10 }),
    ] {
        let target = options["targetSize"].as_f64().expect("a number");
        let error = run(&input, options.clone()).expect_err("an error");
        assert_eq!(
            (error.code(), error.kind()),
            (ErrorCode::TargetUnreachable, ErrorKind::Limits),
            "{options}"
        );
        let detail = |name| match error.details().get(name) {
            Some(Detail::Number(number)) => *number,
            other => panic!("{name}: {other:?}"),
        };
        assert!(detail("smallest") > target && detail("limit") == target, "{options}: {error}");
        // What it came to can be asked for.
        let reached = json!(detail("smallest"));
        let mut options = options;
        options["targetSize"] = reached;
        assert!(run(&input, options.clone()).is_ok(), "{options}");
    }
}

#[test]
fn an_exact_size_is_not_reduced() {
    let input = png(scene(200, 150));
    let options = json!({ "to": "webp", "targetSize": 800, "resize": { "width": 160 } });
    let output = run(&input, options).expect("a result");
    assert_eq!((output.report.width, output.report.height), (160, 120));
    assert!(output.report.quality.is_some_and(|quality| quality < 40), "{:?}", output.report.quality);
    assert!(!warns(&output, "resized_to_fit"));
}

#[test]
fn dimensions_shrink_if_no_acceptable_quality_fits() {
    let input = png(scene(240, 160));
    for to in ["jpeg", "webp", "png", "gif"] {
        let poor = run(&input, json!({ "to": to, "quality": 5 })).expect("a result");
        let target = bytes_of(&poor, &input).len();
        let output = run(&input, json!({ "to": to, "targetSize": target })).expect("a result");
        let (width, height) = (output.report.width, output.report.height);
        assert!(width < 240 && width.abs_diff(height * 3 / 2) <= 1, "{to}: {width} × {height}");
        assert!(output.report.quality.is_some_and(|quality| quality >= 10), "{to}");
        assert!(warns(&output, "resized_to_fit"), "{to}");
    }
}

#[test]
fn lossless_formats_only_shrink_in_dimensions() {
    let input = png(scene(240, 160));
    for mime in CORE_TYPES.into_iter().filter(|mime| !["image/jpeg", "image/x-icon"].contains(mime)) {
        let output = run(&input, json!({ "to": mime, "targetSize": 20_000 })).expect("a result");
        let size = size(&output, &input);
        assert!((18_000..=20_000).contains(&size), "{mime}: {size}");
    }
}

#[test]
fn lossless_never_becomes_lossy() {
    let picture = DynamicImage::from(translucent(120, 90));
    let input = png(picture.clone());
    for to in ["png", "webp"] {
        let options = json!({ "to": to, "lossless": true, "targetSize": 100_000 });
        let output = run(&input, options).expect("a result");
        let mime = output.report.media.as_str();
        assert_eq!(difference(&read(bytes_of(&output, &input), mime), &picture), 0.0, "{to}");
        let error =
            run(&input, json!({ "to": to, "lossless": true, "targetSize": 1_000 })).expect_err("an error");
        assert_eq!(error.code(), ErrorCode::TargetUnreachable);
    }
}

#[test]
fn a_png_stays_lossless_if_that_fits() {
    let picture = DynamicImage::from(gradient(200, 100));
    let input = coded(picture.clone(), ImageFormat::Bmp);
    let output = run(&input, json!({ "to": "png", "targetSize": 20_000 })).expect("a result");
    assert_eq!(difference(&read(bytes_of(&output, &input), "image/png"), &picture), 0.0);
    assert_eq!(output.report.quality, None);
}

#[test]
fn inputs_that_fit_are_returned_unchanged() {
    let source = png(scene(200, 150));
    let jpeg = run(&source, json!({ "to": "jpeg", "quality": 70 })).expect("a result").bytes.expect("bytes");
    let output = run(&jpeg, json!({ "targetSize": jpeg.len() })).expect("a result");
    assert!(output.report.kept_original && output.bytes.is_none());
    let output = run(&jpeg, json!({ "targetSize": jpeg.len() - 1 })).expect("a result");
    assert!(!output.report.kept_original && size(&output, &jpeg) < jpeg.len());
}

/// The file that a search hands back is the one that its quality makes without a search.
fn assert_plain(name: &str, input: &[u8], searched: &Output, mut options: serde_json::Value) {
    let Some(quality) = searched.report.quality else { panic!("{name}: no quality") };
    let options = options.as_object_mut().expect("an object");
    for searching in ["targetSize", "minScore"] {
        options.remove(searching);
    }
    options.insert("quality".into(), json!(quality));
    options
        .insert("resize".into(), json!({ "width": searched.report.width, "height": searched.report.height }));
    let plain = run(input, json!(options)).expect("a result");
    assert!(plain.bytes == searched.bytes, "{name}: other bytes than {options:?} makes");
}

#[test]
fn a_search_gives_the_bytes_of_its_quality() {
    // Of clipped samples, JPEG makes something else at each quality.
    let white = RgbaImage::from_fn(200, 150, |x, y| match (x / 9 + y / 7) % 3 {
        0 => Rgba([255, 255, 255, 255]),
        1 => Rgba([x as u8, 40, 255, 255]),
        _ => Rgba([255, y as u8, 90, 255]),
    });
    let pictures = [
        ("scene", scene(203, 150)),
        ("noise", noise(90, 61)),
        ("white", white),
        ("translucent", translucent(120, 90)),
    ];
    let (mut full, mut scaled, mut avif, mut qualities) = (0, 0, 0, Vec::new());
    for (name, picture) in pictures {
        let size = (picture.width(), picture.height());
        let input = png(picture);
        for (to, effort) in [
            ("jpeg", 0),
            ("jpeg", 3),
            ("jpeg", 5),
            ("jpeg", 9),
            ("webp", 2),
            ("webp", 5),
            ("webp", 9),
            ("avif", 1),
        ] {
            let highest =
                run(&input, json!({ "to": to, "effort": effort, "quality": 100 })).expect("a result");
            let highest = self::size(&highest, &input);
            for share in [85, 60, 30, 6] {
                // AVIF takes many times as long.
                if to == "avif" && !matches!((name, share), ("noise", 30 | 85) | ("translucent", 30)) {
                    continue;
                }
                let options = json!({ "to": to, "effort": effort, "targetSize": highest * share / 100 });
                let Ok(output) = run(&input, options.clone()) else { continue };
                assert_plain(&format!("{name} to {to} at {effort}, {share} %"), &input, &output, options);
                match (output.report.width, output.report.height) == size {
                    true => full += 1,
                    false => scaled += 1,
                }
                avif += usize::from(to == "avif");
                qualities.extend(output.report.quality);
            }
            if effort == 5 {
                let options = json!({ "to": to, "effort": effort, "quality": "auto", "minScore": 70 });
                let output = run(&input, options.clone()).expect("a result");
                assert_plain(&format!("{name} to {to} by score"), &input, &output, options);
            }
        }
    }
    assert!(full >= 60 && scaled >= 10, "{full} at full size, {scaled} scaled");
    assert_eq!(avif, 3);
    // With all of the chroma, and with a quarter of it.
    let sharp = qualities.iter().filter(|quality| **quality >= 90).count();
    assert!(sharp >= 10 && qualities.len() - sharp >= 40, "{qualities:?}");
}

#[test]
fn a_given_quality_is_the_upper_bound() {
    let input = png(scene(200, 150));
    for to in ["jpeg", "webp", "gif"] {
        let options = json!({ "to": to, "quality": 45, "targetSize": 1_000_000 });
        let output = run(&input, options).expect("a result");
        assert_eq!(output.report.quality, Some(45), "{to}");
        let plain = run(&input, json!({ "to": to, "quality": 45 })).expect("a result");
        assert_eq!(output.bytes, plain.bytes, "{to}");
    }
}

#[test]
fn metadata_counts_toward_the_target() {
    let input = png(scene(160, 120));
    let mut jpeg =
        run(&input, json!({ "to": "jpeg", "quality": 95 })).expect("a result").bytes.expect("bytes");
    let comment = vec![b'x'; 3_000];
    // EXIF with nothing but a copyright notice of 3,000 bytes.
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x82\x98\0\x02".to_vec();
    exif.extend((comment.len() as u32).to_be_bytes());
    exif.extend(26_u32.to_be_bytes());
    exif.extend([0; 4]);
    exif.extend(comment);
    let length = (exif.len() as u16 + 2).to_be_bytes();
    jpeg.splice(2..2, [&[0xFF, 0xE1], length.as_slice(), &exif].concat());
    let output = run(&jpeg, json!({ "targetSize": 6_000 })).expect("a result");
    let size = size(&output, &jpeg);
    assert!(size <= 6_000 && size > 5_400, "{size}");
    assert!(bytes_of(&output, &jpeg).windows(100).any(|bytes| bytes == [b'x'; 100]), "the notice is there");
}

#[test]
fn animations_stay_animated() {
    let mut parts = Dice::seeded(3).parts((48, 36), 6, false);
    parts.iter_mut().for_each(|part| part.blends = true);
    let input = gif((48, 36), &parts, Some(0));
    for (to, most) in [("gif", input.len() / 2), ("webp", input.len() / 3)] {
        let output = run(&input, json!({ "to": to, "targetSize": most })).expect("a result");
        let size = size(&output, &input);
        assert!(size <= most, "{to}: {size} > {most}");
        assert!(frames(bytes_of(&output, &input)).len() > 1, "{to} moves");
    }
}
