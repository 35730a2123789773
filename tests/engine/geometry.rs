//! Crop, rotation, flip, `fit` and `position`: which pixels an output shows, whatever turns its input upright.

use std::io::Cursor;

use filepress::ErrorCode;
use image::codecs::gif::GifDecoder;
use image::metadata::Orientation;
use image::{AnimationDecoder, DynamicImage, GenericImageView, ImageDecoder, ImageFormat};
use serde_json::{Value, json};

use super::animation_support::{Part, gif};
use super::support::{bytes_of, coded, difference, photo, png, read, run, translucent};
use super::tiff::document;

/// The picture of a call that writes PNG.
fn shown(input: &[u8], mut options: Value) -> DynamicImage {
    options["to"] = json!("png");
    let output = run(input, options).expect("a result");
    let picture = read(bytes_of(&output, input), "image/png");
    assert_eq!(picture.dimensions(), (output.report.width, output.report.height));
    picture
}

/// A JPEG with an EXIF orientation, and its upright pixels.
pub(super) fn turned_jpeg(value: u8, size: (u32, u32)) -> (Vec<u8>, DynamicImage) {
    let picture = DynamicImage::from(photo(size.0, size.1)).to_rgb8();
    let plain = run(&png(picture), json!({ "to": "jpeg", "quality": 95 })).expect("a JPEG");
    let plain = plain.bytes.expect("another type");
    let mut exif = b"\xFF\xE1\x00\x22Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    exif.extend([value, 0, 0, 0, 0, 0, 0]);
    let file = [&plain[..2], &exif, &plain[2..]].concat();
    let upright = shown(&file, json!({}));
    (file, upright)
}

fn turned(picture: &DynamicImage, rotate: u32, flip: Option<&str>) -> DynamicImage {
    let rotated = match rotate {
        90 => picture.rotate90(),
        180 => picture.rotate180(),
        270 => picture.rotate270(),
        _ => picture.clone(),
    };
    match flip {
        Some("horizontal") => rotated.fliph(),
        Some(_) => rotated.flipv(),
        None => rotated,
    }
}

#[test]
fn crop_rotation_and_flip_apply_in_this_order_to_the_upright_picture() {
    for value in 1..=8 {
        let (input, upright) = turned_jpeg(value, (61, 37));
        for rotate in [0, 90, 180, 270] {
            for flip in [None, Some("horizontal"), Some("vertical")] {
                let crop = json!({ "x": 5, "y": 3, "width": 20, "height": 11 });
                let picture = shown(&input, json!({ "crop": crop, "rotate": rotate, "flip": flip }));
                let expected = turned(&upright.crop_imm(5, 3, 20, 11), rotate, flip);
                assert!(picture == expected, "orientation {value}, {rotate}°, {flip:?}");
            }
        }
    }
}

#[test]
fn a_resized_part_is_the_resized_file_of_that_part() {
    for picture in [DynamicImage::from(photo(90, 70)), translucent(90, 70).into()] {
        let input = png(picture.clone());
        let part = png(picture.crop_imm(13, 7, 50, 41));
        let crop = json!({ "x": 13, "y": 7, "width": 50, "height": 41 });
        for resize in [
            json!({ "width": 20 }),
            json!({ "width": 30, "height": 30, "fit": "cover" }),
            json!({ "maxHeight": 9 }),
        ] {
            let once = shown(&input, json!({ "crop": crop, "resize": resize }));
            assert_eq!(once, shown(&part, json!({ "resize": resize })), "{resize}");
        }
    }
}

#[test]
fn a_part_of_a_jpeg_that_is_decoded_at_a_fraction_is_at_its_place() {
    for value in [1, 6, 7] {
        let (input, upright) = turned_jpeg(value, (1003, 701));
        let part = upright.crop_imm(101, 53, 450, 511);
        let crop = json!({ "x": 101, "y": 53, "width": 450, "height": 511 });
        for width in [150, 60, 25] {
            let options = json!({ "crop": crop, "resize": { "width": width } });
            let expected = shown(&png(part.clone()), json!({ "resize": { "width": width } }));
            let off = difference(&shown(&input, options), &expected);
            assert!(off < 2.5, "orientation {value}, {width} pixels wide: mean difference {off}");
        }
    }
}

#[test]
fn percentages_are_shares_of_the_sides() {
    let picture = DynamicImage::from(DynamicImage::from(photo(200, 100)).to_rgb8());
    let input = png(picture.clone());
    for (crop, (x, y, width, height)) in [
        (json!({ "x": "25%", "y": "10%", "width": "50%", "height": "80%" }), (50, 10, 100, 80)),
        (json!({ "x": "33.33%", "width": "66.67%" }), (67, 0, 133, 100)),
        (json!({ "x": "99.9%", "y": "100%", "width": "0.01%" }), (199, 99, 1, 1)),
        (json!({ "x": 150 }), (150, 0, 50, 100)),
        (json!({ "height": 40 }), (0, 0, 200, 40)),
        (json!({ "x": "10%", "width": 30, "y": 20, "height": "50%" }), (20, 20, 30, 50)),
    ] {
        let expected = picture.crop_imm(x, y, width, height);
        assert!(shown(&input, json!({ "crop": crop })) == expected, "{crop}");
    }
}

#[test]
fn a_part_that_is_not_within_the_picture_is_refused_with_its_size() {
    let input = png(photo(200, 100));
    for crop in [
        json!({ "x": 200 }),
        json!({ "x": 150, "width": 51 }),
        json!({ "height": 101 }),
        json!({ "x": "60%", "width": "41%" }),
    ] {
        let error = run(&input, json!({ "crop": crop })).expect_err("a refusal");
        assert_eq!(error.code(), ErrorCode::InvalidOption, "{crop}");
        assert!(error.message().contains("200 × 100"), "{}", error.message());
    }
}

#[test]
fn all_of_a_picture_is_no_change() {
    let (input, _) = turned_jpeg(6, (64, 48));
    let whole = json!({ "width": 48, "height": 64 });
    let output = run(&input, json!({ "quality": 100, "crop": whole, "rotate": 0 })).expect("a result");
    assert!(output.report.kept_original);
    let output = run(&input, json!({ "quality": 100, "rotate": 90 })).expect("a result");
    assert!(!output.report.kept_original, "the original shows another picture");
    assert_eq!((output.report.width, output.report.height), (64, 48));
    assert_eq!((output.report.input_width, output.report.input_height), (48, 64));
}

#[test]
fn fit_keeps_the_shape_inside_or_outside_a_size() {
    let input = png(photo(300, 200));
    let size = |fit: &str| {
        shown(&input, json!({ "resize": { "width": 100, "height": 100, "fit": fit } })).dimensions()
    };
    assert_eq!(["inside", "outside"].map(size), [(100, 67), (150, 100)]);
    let tall = json!({ "rotate": 90, "resize": { "width": 100, "height": 100, "fit": "outside" } });
    assert_eq!(shown(&input, tall).dimensions(), (100, 150));
}

#[test]
fn cover_keeps_what_the_position_names() {
    let upright = DynamicImage::from(DynamicImage::from(photo(300, 200)).to_rgb8());
    let input = png(upright.clone());
    let square = |position: Option<&str>| json!({ "resize": { "width": 200, "height": 200, "fit": "cover", "position": position } });
    // The height stays, so that pixels are only left out.
    for (position, left) in [
        (None, 50),
        (Some("center"), 50),
        (Some("left"), 0),
        (Some("bottom right"), 100),
        (Some("right top"), 100),
        (Some("top"), 50),
    ] {
        let expected = upright.crop_imm(left, 0, 200, 200);
        assert!(shown(&input, square(position)) == expected, "{position:?}");
    }
    // A position is one of the picture as it is shown.
    for rotate in [90, 180, 270] {
        let all = turned(&upright, rotate, None);
        let mut options = square(Some("top left"));
        options["rotate"] = json!(rotate);
        assert!(shown(&input, options) == all.crop_imm(0, 0, 200, 200), "{rotate}°");
    }
}

#[test]
fn a_part_that_passes_in_bands_has_the_bytes_of_one_that_does_not() {
    let (input, upright) = turned_jpeg(1, (333, 222));
    let part = png(upright.crop_imm(11, 35, 200, 101));
    for to in ["jpeg", "webp"] {
        let crop = json!({ "x": 11, "y": 35, "width": 200, "height": 101 });
        let cropped = run(&input, json!({ "to": to, "quality": 70, "crop": crop })).expect("a result");
        let whole = run(&part, json!({ "to": to, "quality": 70 })).expect("a result");
        assert_eq!(cropped.bytes, whole.bytes, "{to}");
    }
}

#[test]
fn every_frame_of_an_animation_is_cropped_and_turned() {
    let frames: Vec<Part> = (0..3)
        .map(|step| {
            Part::new((step, 0), super::animation_support::Dice::seeded(step).picture(20, 16, false), 6)
        })
        .collect();
    let input = gif((24, 16), &frames, Some(0));
    let options =
        json!({ "crop": { "x": 4, "y": 2, "width": 12, "height": 9 }, "rotate": 90, "flip": "vertical" });
    let output = run(&input, options).expect("a result");
    let all = |bytes: &[u8]| {
        let decoder = GifDecoder::new(Cursor::new(bytes)).expect("a GIF");
        assert!(decoder.dimensions().0 > 0);
        decoder.into_frames().map(|frame| frame.expect("a frame").into_buffer()).collect::<Vec<_>>()
    };
    let made = all(bytes_of(&output, &input));
    assert_eq!(made.len(), 3);
    for (made, frame) in made.into_iter().zip(all(&input)) {
        let expected = DynamicImage::from(frame).crop_imm(4, 2, 12, 9).rotate90().flipv();
        assert_eq!(difference(&made.into(), &expected), 0.0);
    }
}

#[test]
fn every_page_of_a_document_is_cropped_and_turned() {
    let (tiff, originals) = document();
    let options = json!({ "crop": { "x": "50%", "height": "50%" }, "rotate": 270, "metadata": "strip" });
    let output = run(&tiff, options).expect("a TIFF");
    let made = super::tiff::pages(bytes_of(&output, &tiff));
    assert_eq!(made.len(), 3);
    for (made, page) in made.iter().zip(&originals) {
        let (width, height) = page.dimensions();
        let expected = page.crop_imm(width / 2, 0, width / 2, height / 2).rotate270();
        assert_eq!(difference(made, &expected), 0.0);
    }
}

#[test]
fn a_part_of_a_drawing_is_rendered_at_the_size_of_the_output() {
    let drawing = br##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#00f"/>
<rect x="20" y="10" width="10" height="10" fill="#f00"/></svg>"##;
    let options = json!({ "crop": { "x": 20, "y": 10, "width": 20, "height": 10 }, "resize": { "width": 400 }, "rotate": 180 });
    let picture = shown(drawing, options).to_rgb8();
    assert_eq!(picture.dimensions(), (400, 200));
    assert_eq!([picture.get_pixel(198, 100).0, picture.get_pixel(201, 100).0], [[0, 0, 255], [255, 0, 0]]);
    let kept = run(drawing, json!({ "flip": "vertical" })).expect("an SVG");
    assert!(kept.report.warnings.iter().any(|warning| warning.code == "option_ignored"));
}

#[test]
fn the_memory_estimate_of_a_part_is_that_of_its_pixels() {
    let input = coded(photo(2000, 2000), ImageFormat::Png);
    let limits = |bytes: u64| json!({ "to": "avif", "crop": { "width": 100, "height": 100 }, "limits": { "maxMemoryBytes": bytes } });
    // Four bytes for every decoded pixel; the encoder only gets the part.
    assert!(run(&input, limits(40 << 20)).is_ok());
    assert_eq!(run(&input, limits(12 << 20)).expect_err("too little").code(), ErrorCode::TooMuchMemory);
}

#[test]
fn orientations_of_the_image_crate_are_those_of_exif() {
    let (_, upright) = turned_jpeg(1, (20, 12));
    let (file, expected) = turned_jpeg(5, (20, 12));
    let mut transposed = upright;
    transposed.apply_orientation(Orientation::Rotate90FlipH);
    assert_eq!(expected, transposed);
    assert_eq!(shown(&file, json!({ "rotate": 90 })), transposed.rotate90());
}
