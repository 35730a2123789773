//! EXIF orientation: all eight values are applied once, and removed from the result.

use serde_json::json;

use super::support::{bytes_of, coded, difference, photo, read, run};
use image::metadata::Orientation;
use image::{DynamicImage, ImageFormat};

/// A JPEG with an EXIF segment whose one tag is the orientation.
fn jpeg_with_orientation(value: u8) -> (DynamicImage, Vec<u8>) {
    let picture = DynamicImage::from(photo(96, 64)).to_rgb8();
    let plain =
        run(&coded(picture, ImageFormat::Png), json!({ "to": "jpeg", "quality": 95 })).expect("a JPEG");
    let plain = plain.bytes.expect("another type has other bytes");
    let mut exif = b"\xFF\xE1\x00\x22Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.extend([value, 0, 0, 0, 0, 0, 0]);
    let stored = read(&plain, "image/jpeg");
    (stored, [&plain[..2], &exif, &plain[2..]].concat())
}

#[test]
fn all_eight_values_are_applied_once() {
    for value in 1..=8 {
        let (mut upright, input) = jpeg_with_orientation(value);
        upright.apply_orientation(Orientation::from_exif(value).expect("1 to 8"));
        for to in ["png", "webp", "jpeg"] {
            let quality = (to != "png").then_some(100);
            let output = run(&input, json!({ "to": to, "quality": quality })).expect("a result");
            let media = format!("image/{to}");
            let picture = read(bytes_of(&output, &input), &media);
            if to == "jpeg" && output.report.kept_original {
                continue;
            }
            let off = difference(&picture, &upright);
            assert!(off < 3.0, "orientation {value} to {to}: mean difference {off}");
            assert_eq!((output.report.width, output.report.height), (upright.width(), upright.height()));
        }
    }
}

#[test]
fn the_requested_size_is_that_of_the_upright_image() {
    for value in 1..=8 {
        let (mut upright, input) = jpeg_with_orientation(value);
        upright.apply_orientation(Orientation::from_exif(value).expect("1 to 8"));
        let output = run(&input, json!({ "to": "png", "resize": { "width": 48 } })).expect("a result");
        let picture = read(bytes_of(&output, &input), "image/png");
        let expected = upright.resize_exact(48, picture.height(), image::imageops::FilterType::Lanczos3);
        assert_eq!(
            picture.height(),
            (48.0 * f64::from(upright.height()) / f64::from(upright.width())).round() as u32
        );
        let off = difference(&picture, &expected);
        assert!(off < 3.0, "orientation {value}: mean difference {off}");
    }
}

#[test]
fn a_result_is_not_rotated_again() {
    let (_, input) = jpeg_with_orientation(6);
    let once = run(&input, json!({ "quality": 30 })).expect("a result");
    let first = bytes_of(&once, &input).to_vec();
    let twice = run(&first, json!({ "to": "png" })).expect("a result");
    assert_eq!((once.report.width, once.report.height), (64, 96));
    assert_eq!((twice.report.width, twice.report.height), (64, 96));
}

#[test]
fn a_kept_original_keeps_its_orientation() {
    let (_, input) = jpeg_with_orientation(6);
    let output = run(&input, json!({ "quality": 100 })).expect("a result");
    assert!(output.report.kept_original, "quality 100 gains nothing over quality 95");
    assert_eq!((output.report.width, output.report.height), (64, 96));
    let again = run(bytes_of(&output, &input), json!({ "to": "png" })).expect("a result");
    assert_eq!((again.report.width, again.report.height), (64, 96), "the tag is still there");
}
