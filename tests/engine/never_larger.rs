//! `compress` never returns a larger file without a warning, and does not re-encode for a negligible gain.

use filepress::ErrorCode;
use image::{Rgb, RgbImage};
use serde_json::json;

use super::support::{bytes_of, photo, png, read, run};
use super::target_size::drawing;

fn codes(output: &filepress::image::Output) -> Vec<&'static str> {
    output.report.warnings.iter().map(|warning| warning.code).collect()
}

/// Few colors, in shapes that resizing blurs.
fn chart(width: u32, height: u32) -> Vec<u8> {
    let colors = [[250, 250, 250], [20, 40, 90], [220, 60, 40], [60, 160, 80], [240, 190, 40]];
    let picture = RgbImage::from_fn(width, height, |x, y| {
        let bar = (x / 23 * 7) % height > height - y;
        Rgb(colors[if bar { (x / 23 % 4 + 1) as usize } else { 0 }])
    });
    let output = run(&png(picture), json!({})).expect("a PNG");
    output.bytes.expect("a smaller file")
}

#[test]
fn a_resized_palette_png_stays_one() {
    let input = chart(800, 600);
    assert_eq!(input[25], 3, "a palette");
    let output = run(&input, json!({ "resize": { "maxWidth": 799 } })).expect("a PNG");
    let bytes = bytes_of(&output, &input);
    assert_eq!((bytes[25], output.report.width), (3, 799));
    let all = run(&input, json!({ "resize": { "maxWidth": 799 }, "lossless": true })).expect("a PNG");
    assert!(bytes.len() < bytes_of(&all, &input).len(), "fewer bytes than every color takes");
    assert_eq!(codes(&output).contains(&"larger_than_input"), bytes.len() > input.len());
}

#[test]
fn a_larger_output_has_a_warning() {
    let input = chart(800, 600);
    let output = run(&input, json!({ "resize": { "maxWidth": 799 }, "lossless": true })).expect("a PNG");
    assert!(bytes_of(&output, &input).len() > input.len());
    assert_eq!(codes(&output), ["larger_than_input"]);
    let smaller = run(&png(photo(90, 70)), json!({ "resize": { "maxWidth": 40 } })).expect("a PNG");
    assert_eq!(codes(&smaller), [""; 0]);
}

#[test]
fn a_lossy_file_is_not_reencoded_for_less_than_one_percent() {
    for to in ["jpeg", "webp", "avif"] {
        let first = run(&png(photo(200, 150)), json!({ "to": to })).expect("an image").bytes.expect("a file");
        let mut now = first.clone();
        for _ in 0..4 {
            let again = run(&now, json!({})).expect("an image");
            let bytes = bytes_of(&again, &now).to_vec();
            assert!(
                bytes == now || bytes.len() * 100 < now.len() * 99,
                "{to}: {} after {}",
                bytes.len(),
                now.len()
            );
            now = bytes;
        }
    }
}

#[test]
fn an_svg_that_fits_its_target_still_loses_metadata() {
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><metadata>home</metadata><rect width="9" height="9"/></svg>"#;
    let output = run(svg, json!({ "targetSize": 100_000, "metadata": "strip" })).expect("an SVG");
    let text = String::from_utf8_lossy(bytes_of(&output, svg)).into_owned();
    assert!(!text.contains("home") && text.contains("<rect"), "{text}");
}

#[test]
fn a_resized_image_with_more_colors_keeps_them() {
    let input = png(drawing(300, 200));
    assert_ne!(input[25], 3);
    let output = run(&input, json!({ "resize": { "maxWidth": 150 } })).expect("a PNG");
    let first = run(&input, json!({ "resize": { "maxWidth": 150 }, "lossless": true })).expect("a PNG");
    assert_eq!(read(bytes_of(&output, &input), "image/png"), read(bytes_of(&first, &input), "image/png"));
}

#[test]
fn a_target_also_holds_for_files_that_are_rewritten() {
    let made = |to| run(&png(photo(48, 48)), json!({ "to": to })).expect("an image").bytes.expect("a file");
    let (jpeg, icon) = (made("jpeg"), made("ico"));
    let error = run(&jpeg, json!({ "lossless": true, "targetSize": 300 })).expect_err("an error");
    assert_eq!(error.code(), ErrorCode::TargetUnreachable);
    assert!(icon.len() > 500, "{} bytes", icon.len());
    let output = run(&icon, json!({ "targetSize": 500 })).expect("an icon");
    assert!(bytes_of(&output, &icon).len() <= 500);
    assert_eq!(codes(&output), ["resized_to_fit"]);
}
