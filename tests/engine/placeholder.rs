//! Placeholders and what `inspect` tells from headers.

use filepress::image::{PLACEHOLDER_SIDE, Placeholder, inspect, placeholder};
use filepress::job::{self, Job};
use filepress_wire::MediaType;
use image::{Rgba, RgbaImage};
use serde_json::{Value, json};

use super::geometry::turned_jpeg;
use super::support::{options, photo, png, run, translucent};

pub(super) fn described(bytes: &[u8], media: MediaType, mut value: Value) -> Placeholder {
    value["to"] = json!("png");
    value["resize"] = json!({ "maxWidth": PLACEHOLDER_SIDE, "maxHeight": PLACEHOLDER_SIDE });
    match job::plan(media, &options(value).expect("valid")).expect("a plan") {
        Job::Local(job) => placeholder(bytes, &job).expect("a placeholder"),
        Job::Remote(_) => panic!("an image was sent to a service"),
    }
}

#[test]
fn colors_are_ordered_by_their_share() {
    let picture = RgbaImage::from_fn(90, 60, |x, _| match x {
        0..50 => Rgba([250, 10, 20, 255]),
        50..80 => Rgba([10, 30, 240, 255]),
        80..89 => Rgba([20, 220, 30, 255]),
        _ => Rgba([255, 255, 255, 0]),
    });
    let found = described(&png(picture), MediaType::Png, json!({}));
    assert_eq!(found.palette, ["#fa0a14", "#0a1ef0", "#14dc1e"]);
    assert_eq!(found.dominant, "#fa0a14");
    assert!(found.has_alpha);
    assert_eq!((found.width, found.height), (90, 60));
}

#[test]
fn the_size_is_that_of_the_upright_part() {
    let (input, _) = turned_jpeg(6, (640, 320));
    let found = described(&input, MediaType::Jpeg, json!({}));
    assert_eq!((found.width, found.height, found.has_alpha), (320, 640, false));
    // Three components across and four down.
    assert!(found.blurhash.starts_with('T'), "{}", found.blurhash);
    let part = described(&input, MediaType::Jpeg, json!({ "crop": { "width": 320, "height": 64 } }));
    assert_eq!((part.width, part.height), (320, 64));
    assert_eq!(part.blurhash.len(), 6 + 2 * 11);
}

#[test]
fn the_smallest_pictures_have_placeholders() {
    for (width, height) in [(1, 1), (1, 300), (300, 1), (2, 3)] {
        for picture in [photo(width, height), translucent(width, height)] {
            let found = described(&png(picture), MediaType::Png, json!({}));
            assert!((5..=37).contains(&found.thumbhash.len()), "{width} × {height}");
        }
    }
}

#[test]
fn the_estimate_of_quality_grows_with_quality() {
    let source = png(photo(64, 48));
    let estimate = |quality: u8| {
        let made = run(&source, json!({ "to": "jpeg", "quality": quality })).expect("a JPEG");
        let found = inspect(made.bytes.as_deref().expect("a file"), MediaType::Jpeg, &Default::default());
        found.expect("a header").quality.expect("an estimate")
    };
    let estimates = [1, 20, 40, 60, 80, 95, 100].map(estimate);
    assert!(estimates.is_sorted_by(|one, other| one < other), "{estimates:?}");
    assert_eq!(inspect(&source, MediaType::Png, &Default::default()).expect("a header").quality, None);
}

#[test]
fn a_location_is_told() {
    let plain = run(&png(photo(16, 16)), json!({ "to": "jpeg" })).expect("a JPEG").bytes.expect("a file");
    let with = |fields: u16, tag: u16| {
        let mut exif = b"MM\0\x2A\0\0\0\x08\0\x01\x88\x25\0\x04\0\0\0\x01\0\0\0\x1A\0\0\0\0".to_vec();
        exif.extend(fields.to_be_bytes());
        exif.extend(tag.to_be_bytes());
        exif.extend(b"\0\x01\0\0\0\x04\x02\x02\0\0\0\0\0\0");
        let length = (exif.len() as u16 + 8).to_be_bytes();
        let file = [&plain[..2], &[0xFF, 0xE1], &length, b"Exif\0\0", &exif, &plain[2..]].concat();
        inspect(&file, MediaType::Jpeg, &Default::default()).expect("a header").has_gps
    };
    assert!(with(1, 2), "a latitude");
    assert!(!with(1, 0), "the version alone");
    assert!(!with(0, 2), "an empty directory");
}
