//! JPEG output at every size, quality and effort: what the decoded picture looks like, and how few bytes it takes.

use filepress::error::ErrorCode;
use filepress::image::inspect;
use filepress_wire::MediaType;
use image::{DynamicImage, GenericImageView};
use serde_json::json;

use super::support::{bytes_of, difference, photo, png, read, run};

fn written(source: &DynamicImage, quality: u8, effort: u8) -> Vec<u8> {
    let input = png(source.clone());
    let options = json!({ "to": "jpeg", "quality": quality, "effort": effort });
    bytes_of(&run(&input, options).expect("a result"), &input).to_vec()
}

/// Blocks of one color, and coefficients in each of the others.
fn sparse(width: u32, height: u32) -> DynamicImage {
    let mut picture = photo(width, height);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        if (x / 8 * 5 + y / 8 * 3) % 7 != 0 {
            pixel.0 = [90, 120, 150, 255];
        }
    }
    DynamicImage::from(picture).to_rgb8().into()
}

#[test]
fn every_size_and_effort_shows_the_picture() {
    for (width, height) in [(1, 1), (7, 9), (16, 16), (17, 33), (130, 61), (300, 200)] {
        let colors = DynamicImage::from(photo(width, height)).to_rgb8();
        for source in
            [colors.clone().into(), sparse(width, height), DynamicImage::from(colors).to_luma8().into()]
        {
            for effort in [0, 1, 4, 9] {
                let made = read(&written(&source, 95, effort), "image/jpeg");
                assert_eq!(made.dimensions(), (width, height));
                assert_eq!(made.color().has_color(), source.color().has_color());
                let off = difference(&made, &source);
                assert!(off < 4.0, "{width} × {height}, effort {effort}: mean difference {off}");
            }
        }
    }
}

/// More blocks without coefficients between two that have some than one symbol can tell.
#[test]
fn long_runs_of_plain_blocks_keep_the_picture() {
    let marked = |x: u32, y: u32| !(16..=2_030).contains(&y) && x % 97 < 3;
    let source: DynamicImage =
        image::GrayImage::from_fn(2_048, 2_048, |x, y| image::Luma([if marked(x, y) { 200 } else { 100 }]))
            .into();
    for quality in [60, 90] {
        let off = difference(&read(&written(&source, quality, 4), "image/jpeg"), &source);
        assert!(off < 1.0, "quality {quality}: mean difference {off}");
    }
}

#[test]
fn higher_quality_takes_more_bytes_and_shows_more() {
    let source: DynamicImage = DynamicImage::from(photo(320, 240)).to_rgb8().into();
    let made: Vec<_> = [5, 30, 60, 89, 100].map(|quality| written(&source, quality, 4)).into();
    let off: Vec<_> = made.iter().map(|bytes| difference(&read(bytes, "image/jpeg"), &source)).collect();
    assert!(made.is_sorted_by_key(Vec::len));
    assert!(off.is_sorted_by(|a, b| a >= b), "{off:?}");
}

/// Coding the same coefficients again, in progressive scans by another encoder, saves nothing.
#[test]
fn no_other_division_into_scans_is_smaller() {
    for source in [DynamicImage::from(photo(640, 480)).to_rgb8().into(), sparse(640, 480)] {
        for quality in [40, 75, 95] {
            let bytes = written(&source, quality, 4);
            let again = run(&bytes, json!({ "lossless": true })).expect("a result");
            assert_eq!(bytes_of(&again, &bytes).len(), bytes.len(), "quality {quality}");
        }
    }
}

/// A pattern of one pixel is one coefficient, the last of all: dear where no other picture is thought of, and all that there is.
#[test]
fn the_finest_pattern_stays() {
    let source: DynamicImage =
        image::GrayImage::from_fn(256, 192, |x, y| image::Luma([if (x ^ y) & 1 == 1 { 255 } else { 0 }]))
            .into();
    for effort in [1, 4, 8] {
        for (quality, most) in [(50, 64.0), (75, 16.0), (85, 16.0)] {
            let off = difference(&read(&written(&source, quality, effort), "image/jpeg"), &source);
            assert!(off < most, "quality {quality}, effort {effort}: mean difference {off}");
        }
    }
}

/// Where the rest of the picture is plain, every coefficient of the pattern is dear.
#[test]
fn a_fine_pattern_beside_a_plain_surface_stays() {
    let source: DynamicImage = image::GrayImage::from_fn(256, 256, |x, y| {
        image::Luma([if x >= 128 { 128 } else { (x + y) as u8 % 2 * 255 }])
    })
    .into();
    for quality in [36, 40, 46, 50, 52] {
        let made = read(&written(&source, quality, 4), "image/jpeg").to_luma8();
        let off = difference(&made.clone().into(), &source);
        assert!(off < 16.0, "quality {quality}: mean difference {off}");
        let levels =
            || (8..120).flat_map(|y| (8..120).map(move |x| (x, y))).map(|(x, y)| made.get_pixel(x, y).0[0]);
        let (least, most) = (levels().min(), levels().max());
        assert!(least < Some(32) && most > Some(224), "quality {quality}: {least:?} to {most:?}");
    }
}

#[test]
fn coefficients_without_a_quantisation_table_are_refused() {
    let source: DynamicImage = DynamicImage::from(photo(64, 48)).to_rgb8().into();
    let whole = written(&source, 80, 1);
    run(&whole, json!({ "lossless": true })).expect("a whole file");
    let tables: Vec<usize> = (0..whole.len() - 4).filter(|&at| whole[at..at + 2] == [0xFF, 0xDB]).collect();
    assert!(!tables.is_empty());
    for at in tables {
        let length = 2 + usize::from(u16::from_be_bytes([whole[at + 2], whole[at + 3]]));
        let lacking = [&whole[..at], &whole[at + length..]].concat();
        let error = run(&lacking, json!({ "lossless": true })).expect_err("nothing to show");
        assert_eq!(error.code(), ErrorCode::Corrupt, "{error}");
    }
}

/// Gray, of 8 × 8 pixels, with as many scans.
fn of_scans(count: usize) -> Vec<u8> {
    let scan = |band: u8| [0xFF, 0xDA, 0, 8, 1, 1, 0, band, band, 0, 0b0111_1111];
    let table = |class: u8| [&[0xFF, 0xC4, 0, 20, class, 1][..], &[0; 15], &[0]].concat();
    [
        &[0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0][..],
        &[1; 64],
        &[0xFF, 0xC2, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0],
        &table(0x00),
        &table(0x10),
        &scan(0),
        &scan(1).repeat(count - 1),
        &[0xFF, 0xD9],
    ]
    .concat()
}

#[test]
fn more_scans_than_are_allowed_are_a_variant_that_is_not_read() {
    for options in [json!({ "to": "png" }), json!({ "lossless": true }), json!({ "quality": 50 })] {
        run(&of_scans(100), options.clone()).expect("a result");
        let error = run(&of_scans(101), options).expect_err("too many scans");
        assert_eq!(error.code(), ErrorCode::UnsupportedType, "{error}");
    }
}

#[test]
fn twelve_bits_are_told_and_their_reduction_is_warned_of() {
    let gray: DynamicImage = DynamicImage::from(photo(64, 48)).to_luma8().into();
    let mut file = written(&gray, 90, 4);
    let frame = (0..file.len()).find(|&at| file[at] == 0xFF && matches!(file[at + 1], 0xC0..=0xC2));
    let frame = frame.expect("a frame header");
    let shallow = file.clone();
    file[frame + 1] = file[frame + 1].max(0xC1);
    file[frame + 4] = 12;
    let depth =
        |file: &[u8]| inspect(file, MediaType::Jpeg, &Default::default()).expect("a header").bit_depth;
    assert_eq!((depth(&shallow), depth(&file)), (8, 12));
    for (options, expected) in [
        (json!({ "to": "png" }), true),
        (json!({ "to": "webp", "lossless": true }), true),
        (json!({ "to": "png", "resize": { "width": 20 } }), true),
        (json!({ "to": "webp", "quality": 80 }), false),
        (json!({ "to": "jpeg", "quality": 80 }), false),
        // It keeps them.
        (json!({ "lossless": true }), false),
    ] {
        let warns = |file: &[u8]| {
            let output = run(file, options.clone()).expect("a result");
            output.report.warnings.iter().any(|warning| warning.code == "depth_reduced")
        };
        assert_eq!((warns(&shallow), warns(&file)), (false, expected), "{options}");
    }
}
