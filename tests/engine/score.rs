//! `quality: "auto"`: results of a given score, measured by the reference crate.

use filepress::ErrorCode;
use filepress::image::Output;
use image::{DynamicImage, RgbaImage};
use serde_json::{Value, json};
use ssimulacra2::{LinearRgb, compute_frame_ssimulacra2};

use super::animation_support::{Part, apng, frames};
use super::support::{bytes_of, difference, photo, png, read, run, translucent};
use super::target_size::{drawing, gradient, noise, scene};

/// The types whose quality is found by a score.
const SCORED: [&str; 4] = ["jpeg", "webp", "png", "avif"];

/// The score of a result, over black and over white where there is alpha; the lower counts.
pub(super) fn score(picture: &RgbaImage, coded: &[u8]) -> f64 {
    let decoded = run(coded, json!({ "to": "png", "effort": 0 })).expect("our own file");
    let decoded = read(bytes_of(&decoded, coded), "image/png").to_rgba8();
    let scores = [0, 255].map(|background| {
        let (reference, decoded) = (light(picture, background), light(&decoded, background));
        compute_frame_ssimulacra2(reference, decoded).expect("pictures of one size")
    });
    scores[0].min(scores[1])
}

fn light(picture: &RgbaImage, background: u8) -> LinearRgb {
    let pixels = picture.pixels().map(|pixel| {
        let [r, g, b, alpha] = pixel.0.map(f64::from);
        [r, g, b].map(|sample| {
            let over = (sample * alpha + f64::from(background) * (255.0 - alpha)) / 255.0;
            let stored = over.round() / 255.0;
            if stored <= 0.040_45 {
                stored as f32 / 12.92
            } else {
                ((stored + 0.055) / 1.055).powf(2.4) as f32
            }
        })
    });
    LinearRgb::new(pixels.collect(), picture.width() as usize, picture.height() as usize).expect("pixels")
}

fn automatic(input: &[u8], to: &str, more: Value) -> Output {
    let mut options = json!({ "to": to, "quality": "auto" });
    options.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    run(input, options).unwrap_or_else(|error| panic!("{to}: {error}"))
}

#[test]
fn the_score_is_reached_by_the_lowest_quality() {
    let mut searched = 0;
    for (name, picture) in [
        ("photo", photo(160, 120)),
        ("scene", scene(192, 128)),
        ("drawing", drawing(180, 120)),
        ("gradient", gradient(160, 100)),
        ("translucent", translucent(120, 90)),
    ] {
        let input = png(picture.clone());
        for to in SCORED {
            let output = automatic(&input, to, json!({}));
            let bytes = bytes_of(&output, &input);
            // JPEG has no alpha: what is compared is painted over the background.
            let compared = match to {
                "jpeg" => over_white(&picture),
                _ => picture.clone(),
            };
            let measured = score(&compared, bytes);
            let reported = output.report.score.expect("a score");
            // The last bit of a sample's light moves the score of a flat picture by so much.
            assert!((measured - reported).abs() < 0.1, "{name} to {to}: {measured}, reported {reported}");
            if output.report.warnings.iter().any(|warning| warning.code == "score_unreached") {
                // At half the resolution, colors cannot be sharp.
                assert!((name, to) == ("drawing", "webp"), "{name} to {to}: {measured}");
                continue;
            }
            assert!(reported >= 80.0, "{name} to {to}: {reported}");
            let Some(quality) = output.report.quality else {
                assert!(to == "png" && reported == 100.0, "{name} to {to} has a quality");
                continue;
            };
            if quality > 1 {
                let less = run(&input, json!({ "to": to, "quality": quality - 1 })).expect("a result");
                let less = bytes_of(&less, &input);
                let measured = score(&compared, less);
                // A score need not grow with every step of quality, nor need the bytes.
                let saves = less.len() * 100 < bytes.len() * 97;
                assert!(measured < 80.0 || !saves, "{name} to {to}: {} does", quality - 1);
            }
            searched += 1;
        }
    }
    assert!(searched >= 15, "{searched} searches");
}

fn over_white(picture: &RgbaImage) -> RgbaImage {
    let input = png(picture.clone());
    let painted = run(&input, json!({ "to": "pnm" })).expect("a result");
    read(bytes_of(&painted, &input), "image/x-portable-anymap").to_rgba8()
}

#[test]
fn a_higher_score_takes_more_bytes() {
    let picture = scene(192, 128);
    let input = png(picture.clone());
    for to in ["jpeg", "webp", "png"] {
        let mut bytes = 0;
        for least in [50.0, 65.0, 75.5] {
            let output = automatic(&input, to, json!({ "minScore": least }));
            let file = bytes_of(&output, &input);
            assert!(score(&picture, file) > least - 0.1, "{to} {least}");
            assert!(output.report.score.is_some_and(|score| score >= least), "{to} {least}");
            assert!(file.len() > bytes, "{to} {least}: {} > {bytes}", file.len());
            bytes = file.len();
        }
    }
}

#[test]
fn a_png_of_too_many_colors_stays_lossless() {
    let picture = DynamicImage::from(noise(64, 64));
    let input = png(picture.clone());
    let output = automatic(&input, "png", json!({ "minScore": 95 }));
    assert_eq!((output.report.quality, output.report.score.is_none_or(|score| score == 100.0)), (None, true));
    assert_eq!(difference(&read(bytes_of(&output, &input), "image/png"), &picture), 0.0);
    assert!(output.report.warnings.is_empty(), "{:?}", output.report.warnings);
}

#[test]
fn an_unreachable_score_has_a_warning() {
    let input = png(noise(64, 64));
    let output = automatic(&input, "webp", json!({ "minScore": 99 }));
    assert!(output.report.score.is_some_and(|score| score < 99.0), "{:?}", output.report.score);
    assert!(output.report.warnings.iter().any(|warning| warning.code == "score_unreached"));
}

#[test]
fn the_smallest_pictures_have_a_score() {
    for (width, height) in [(1, 1), (5, 3), (7, 40)] {
        let input = png(scene(width, height));
        for to in SCORED {
            let output = automatic(&input, to, json!({}));
            let reported = output.report.kept_original || output.report.score.is_some();
            assert!(reported, "{to} {width} × {height}");
        }
    }
}

#[test]
fn the_memory_of_scoring_is_estimated() {
    let input = png(scene(192, 128));
    let limits = json!({ "maxMemoryBytes": 620_000 });
    assert!(run(&input, json!({ "to": "jpeg", "quality": 80, "limits": limits })).is_ok());
    let error =
        run(&input, json!({ "to": "jpeg", "quality": "auto", "limits": limits })).expect_err("an error");
    assert_eq!(error.code(), ErrorCode::TooMuchMemory);
}

#[test]
fn an_animation_has_the_quality_that_its_first_frame_needs() {
    let pictures = [scene(96, 64), noise(96, 64)];
    let parts = pictures.clone().map(|picture| Part::new((0, 0), picture, 100));
    let input = apng(&parts, 0, 2, None);
    let output = automatic(&input, "webp", json!({ "minScore": 60 }));
    let bytes = bytes_of(&output, &input);
    let still = automatic(&png(pictures[0].clone()), "webp", json!({ "minScore": 60 }));
    assert_eq!((output.report.quality, output.report.score), (still.report.quality, still.report.score));
    assert!(
        output.report.quality < Some(95) && output.report.score >= Some(60.0),
        "{:?}",
        output.report.quality
    );
    assert_eq!(frames(bytes).len(), 2);
    let lossless = run(&input, json!({ "to": "webp", "quality": 100 })).expect("an animation");
    assert!(bytes.len() < bytes_of(&lossless, &input).len());
}
