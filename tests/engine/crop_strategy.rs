//! `position: "attention"` and `"entropy"`: what `fit: "cover"` keeps is found in the picture, whatever its size, its format and what turns
//! it upright.

use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use super::animation_support::{Part, gif};
use super::geometry::turned_jpeg;
use super::support::{bytes_of, coded, difference, png, read, run};

const STRATEGIES: [&str; 2] = ["attention", "entropy"];

/// What draws attention: a checkerboard, a saturated color, skin.
const SUBJECTS: [fn(u32, u32) -> [u8; 3]; 3] = [
    |x, y| [if (x / 10 + y / 10) % 2 == 0 { 30 } else { 220 }; 3],
    |_, _| [20, 60, 230],
    |_, _| [224, 172, 140],
];

/// A gray gradient with a subject of 60 × 60 pixels whose left upper corner is at (x, y).
fn scene((width, height): (u32, u32), (left, top): (u32, u32), subject: fn(u32, u32) -> [u8; 3]) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let is_in = (left..left + 60).contains(&x) && (top..top + 60).contains(&y);
        Rgb(if is_in { subject(x - left, y - top) } else { [(120 + x * 20 / width) as u8; 3] })
    })
}

/// The picture of a call that crops by a strategy.
fn cropped(input: &[u8], (width, height): (u32, u32), position: &str, mut options: Value) -> DynamicImage {
    options["to"] = json!("png");
    options["resize"] = json!({ "width": width, "height": height, "fit": "cover", "position": position });
    let output = run(input, options).expect("a result");
    let picture = read(bytes_of(&output, input), "image/png");
    assert_eq!(picture.dimensions(), (width, height));
    picture
}

/// The share of the pixels of a subject that a picture shows, and the distance of their middle from its own, in shares of its sides.
fn seen(picture: &DynamicImage) -> (f64, f64, f64) {
    let rgb = picture.to_rgb8();
    let (mut count, mut across, mut down) = (0.0, 0.0, 0.0);
    for (x, y, pixel) in rgb.enumerate_pixels() {
        if pixel.0.iter().any(|level| !(105..155).contains(level)) {
            count += 1.0;
            across += f64::from(x) / f64::from(rgb.width()) - 0.5;
            down += f64::from(y) / f64::from(rgb.height()) - 0.5;
        }
    }
    (count / 3600.0, across / count, down / count)
}

#[test]
fn attention_keeps_details_colors_and_skin_in_the_middle() {
    let mut calls = 0;
    for (number, subject) in SUBJECTS.into_iter().enumerate() {
        for at in [0, 37, 170, 300, 340] {
            for is_wide in [true, false] {
                let (size, place) = if is_wide { ((400, 100), (at, 20)) } else { ((100, 400), (20, at)) };
                let input = png(scene(size, place, subject));
                let picture = cropped(&input, (100, 100), "attention", json!({}));
                let (shown, across, down) = seen(&picture);
                assert!(shown > 0.9, "subject {number} at {at}: {shown} of it is shown");
                // As far as the edge of the picture allows.
                let off = if is_wide { across } else { down };
                assert!(off.abs() < 0.05 || [0, 340].contains(&at), "subject {number} at {at}: {off} off");
                calls += 1;
            }
        }
    }
    assert_eq!(calls, 30);
}

#[test]
fn entropy_keeps_the_part_with_the_most_levels() {
    for start in [0, 90, 200] {
        // Two colors that draw attention, beside a gray wave.
        let picture = RgbImage::from_fn(300, 100, |x, y| match (x, x / 10 % 2) {
            (x, _) if (start..start + 100).contains(&x) => Rgb([(y * 255 / 100) as u8; 3]),
            (_, 0) => Rgb([255, 0, 0]),
            _ => Rgb([0, 160, 0]),
        });
        let kept = cropped(&png(picture.clone()), (100, 100), "entropy", json!({})).to_rgb8();
        let gray = kept.pixels().filter(|pixel| pixel.0[0] == pixel.0[1]).count();
        // Some columns of the colors beside it are further levels.
        assert!(gray > 9_000, "from {start}: {gray} pixels of the wave");
    }
}

#[test]
fn every_size_and_format_shows_the_same_part() {
    let scene = scene((1600, 640), (1200, 300), SUBJECTS[0]);
    let jpeg = run(&png(scene.clone()), json!({ "to": "jpeg", "quality": 95 })).expect("a JPEG");
    let jpeg = jpeg.bytes.expect("another type");
    for position in STRATEGIES {
        let whole = cropped(&jpeg, (640, 640), position, json!({}));
        for side in [400, 200, 64] {
            // Of the JPEG, other fractions of its size are decoded for each.
            let expected = whole.resize_exact(side, side, image::imageops::FilterType::Lanczos3);
            for input in [&jpeg, &png(scene.clone()), &coded(scene.clone(), ImageFormat::Bmp)] {
                let off = difference(&cropped(input, (side, side), position, json!({})), &expected);
                assert!(off < 2.0, "{position}, {side} pixels: mean difference {off}");
            }
        }
    }
}

#[test]
fn a_part_is_found_in_the_upright_picture_and_in_the_crop() {
    for position in STRATEGIES {
        for value in 1..=8 {
            let (input, upright) = turned_jpeg(value, (300, 190));
            for rotate in [0, 90] {
                let options =
                    json!({ "rotate": rotate, "crop": { "x": 10, "y": 20, "width": 150, "height": 120 } });
                let alone = png(upright.crop_imm(10, 20, 150, 120));
                let expected = cropped(&alone, (60, 90), position, json!({ "rotate": rotate }));
                let off = difference(&cropped(&input, (60, 90), position, options), &expected);
                assert!(off < 1.0, "{position}, orientation {value}, {rotate}°: mean difference {off}");
            }
        }
    }
}

#[test]
fn transparent_pixels_draw_no_attention() {
    let mut picture = DynamicImage::from(scene((300, 100), (210, 20), SUBJECTS[1])).to_rgba8();
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        if x < 100 {
            pixel.0 = [if (x / 4 + y / 4) % 2 == 0 { 0 } else { 255 }, 0, 0, 0];
        }
    }
    let kept = cropped(&png(picture), (100, 100), "attention", json!({}));
    assert!(seen(&kept).0 > 0.9);
}

#[test]
fn all_frames_of_an_animation_show_the_part_that_the_first_one_decides() {
    let frames: Vec<Part> = [180, 20]
        .into_iter()
        .map(|left| {
            Part::new((0, 0), DynamicImage::from(scene((300, 100), (left, 20), SUBJECTS[0])).to_rgba8(), 6)
        })
        .collect();
    let input = gif((300, 100), &frames, Some(0));
    let resize = json!({ "width": 100, "height": 100, "fit": "cover", "position": "attention" });
    let output = run(&input, json!({ "resize": resize })).expect("a GIF");
    let shown: Vec<bool> = super::animation_support::frames(bytes_of(&output, &input))
        .into_iter()
        .map(|(frame, _)| seen(&frame.into()).0 > 0.5)
        .collect();
    assert_eq!(shown, [true, false]);
}

#[test]
fn every_page_of_a_document_has_its_own_part() {
    let (tiff, originals) = super::tiff::document();
    for position in STRATEGIES {
        let resize = json!({ "width": 30, "height": 80, "fit": "cover", "position": position });
        let output = run(&tiff, json!({ "resize": resize, "metadata": "strip" })).expect("a TIFF");
        let made = super::tiff::pages(bytes_of(&output, &tiff));
        assert_eq!(made.len(), 3);
        for (page, original) in made.iter().zip(&originals) {
            let expected = cropped(&png(original.clone()), (30, 80), position, json!({}));
            let off = difference(page, &expected);
            assert!(off < 1.0, "{position}: mean difference {off}");
        }
    }
}

#[test]
fn a_drawing_is_rendered_where_it_draws_attention() {
    let drawing = br##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10"><rect width="40" height="10" fill="#888"/>
<rect x="30" y="2" width="6" height="6" fill="#143ce6"/></svg>"##;
    let kept = cropped(drawing, (100, 100), "attention", json!({}));
    assert!(seen(&kept).0 > 0.9);
}

#[test]
fn a_picture_of_the_shape_of_the_output_is_not_searched() {
    let input = png(scene((200, 100), (10, 20), SUBJECTS[2]));
    let kept = cropped(&input, (100, 50), "attention", json!({}));
    assert_eq!(kept, cropped(&input, (100, 50), "center", json!({})));
}
