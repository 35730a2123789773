//! `score`: compared with the reference crate, for different sizes, color spaces and alpha.

use filepress::ErrorCode;
use filepress::image::{Comparison, Side, compare};
use filepress::limits::Limits;
use filepress::media;
use filepress::options::Background;
use image::RgbaImage;
use serde_json::json;

use super::score::score;
use super::support::{bytes_of, photo, png, read, run, translucent};
use super::target_size::scene;

fn compared(original: &[u8], other: &[u8]) -> filepress::Result<Comparison> {
    let side = |bytes| Ok(Side { bytes, media: media::recognize(bytes, None, None)? });
    compare(side(original)?, side(other)?, Background::default(), &Limits::default())
}

fn made(input: &[u8], options: serde_json::Value) -> Vec<u8> {
    bytes_of(&run(input, options).expect("a result"), input).to_vec()
}

#[test]
fn the_score_is_that_of_the_reference() {
    let mut measured = 0;
    for picture in [photo(160, 120), scene(192, 128), translucent(120, 90)] {
        let input = png(picture.clone());
        for to in ["webp", "png", "avif"] {
            for quality in [20, 60, 95] {
                let coded = made(&input, json!({ "to": to, "quality": quality }));
                let found = compared(&input, &coded).expect("a score");
                let expected = score(&picture, &coded);
                assert!((found.score - expected).abs() < 0.1, "{to} {quality}: {found:?}, not {expected}");
                assert_eq!(
                    (found.width, found.height, found.resized),
                    (picture.width(), picture.height(), false)
                );
                measured += 1;
            }
        }
    }
    assert_eq!(measured, 27);
}

#[test]
fn the_original_is_resized_like_a_result() {
    let input = png(scene(192, 128));
    let resize = json!({ "maxWidth": 100 });
    let smaller = made(&input, json!({ "resize": resize }));
    let picture: RgbaImage = read(&smaller, "image/png").to_rgba8();
    let coded = made(&input, json!({ "to": "jpeg", "quality": 50, "resize": resize }));
    let found = compared(&input, &coded).expect("a score");
    assert!((found.score - score(&picture, &coded)).abs() < 0.1, "{found:?}");
    assert_eq!((found.width, found.height, found.resized), (100, 67, true));
}

#[test]
fn the_smallest_pictures_are_compared() {
    for (width, height) in [(1, 1), (5, 3), (7, 40)] {
        let input = png(scene(width, height));
        assert_eq!(compared(&input, &input).map(|found| found.score), Ok(100.0));
    }
}

#[test]
fn every_truncation_is_an_error() {
    let input = png(scene(48, 32));
    let other = made(&input, json!({ "to": "jpeg" }));
    for end in (0..other.len() - 2).step_by(7) {
        let error = compared(&input, &other[..end]).expect_err("an error");
        assert!(
            matches!(error.code(), ErrorCode::Corrupt | ErrorCode::EmptyInput | ErrorCode::UnknownType),
            "{end}: {error}"
        );
    }
}

#[test]
fn different_aspect_ratios_are_refused() {
    let (wide, high) = (png(scene(60, 40)), png(scene(40, 60)));
    let error = compared(&wide, &high).expect_err("an error");
    assert_eq!(error.code(), ErrorCode::SizesDiffer);
    assert!(error.message().contains("60 × 40") && error.message().contains("40 × 60"), "{error}");
}
