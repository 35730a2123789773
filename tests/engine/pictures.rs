//! What each format keeps of a picture: alpha, bit depth, gray, few colors. `tests/package/matrix.test.mjs` measures
//! all pairs of formats.

use image::{DynamicImage, Rgba};
use serde_json::json;

use super::support::{bytes_of, difference, photo, png, read, run, translucent};

/// What a type may change, in mean steps of 8 bit.
fn tolerance(mime: &str) -> f64 {
    match mime {
        "image/jpeg" | "image/webp" => 4.0,
        "image/gif" => 8.0,
        _ => 0.0,
    }
}

fn made(mime: &str, source: &DynamicImage) -> Vec<u8> {
    let input = png(source.clone());
    let output = run(&input, json!({ "to": mime })).expect("a result");
    assert_eq!(output.report.media.as_str(), mime);
    bytes_of(&output, &input).to_vec()
}

#[test]
fn alpha_is_kept_if_the_format_has_it() {
    let source = DynamicImage::from(translucent(64, 48));
    for mime in ["image/png", "image/bmp", "image/x-tga", "image/qoi", "image/x-farbfeld", "image/x-icon"] {
        let picture = read(&made(mime, &source), mime);
        assert_eq!(
            picture.to_rgba8().as_raw().iter().skip(3).step_by(4).collect::<Vec<_>>(),
            source.to_rgba8().as_raw().iter().skip(3).step_by(4).collect::<Vec<_>>(),
            "{mime}"
        );
    }
    let webp = read(&made("image/webp", &source), "image/webp").to_rgba8();
    let (clear, faded) = (webp.get_pixel(4, 20).0[3], webp.get_pixel(60, 20).0[3]);
    assert!(clear < 8 && faded > 220, "WebP alpha: {clear} {faded}");
    let gif = read(&made("image/gif", &source), "image/gif").to_rgba8();
    assert_eq!((gif.get_pixel(4, 20).0[3], gif.get_pixel(60, 20).0[3]), (0, 255));
}

#[test]
fn alpha_is_composited_over_the_background_if_the_format_has_none() {
    let input = png(translucent(64, 48));
    for (background, expected) in
        [(None, [255, 255, 255]), (Some("#000"), [0, 0, 0]), (Some("#ff8000"), [255, 128, 0])]
    {
        let output = run(&input, json!({ "to": "pnm", "background": background })).expect("a result");
        let picture = read(bytes_of(&output, &input), "image/x-portable-anymap").to_rgb8();
        assert_eq!(picture.get_pixel(3, 3).0, expected, "{background:?}");
        assert!(output.report.warnings.iter().any(|warning| warning.code == "alpha_flattened"));
        let jpeg =
            run(&input, json!({ "to": "jpeg", "background": background, "quality": 95 })).expect("a result");
        let [r, g, b] = read(bytes_of(&jpeg, &input), "image/jpeg").to_rgb8().get_pixel(3, 3).0;
        assert!(r.abs_diff(expected[0]) < 6 && g.abs_diff(expected[1]) < 6 && b.abs_diff(expected[2]) < 6);
    }
}

#[test]
fn sixteen_bits_are_kept_if_the_format_has_them() {
    let deep = image::ImageBuffer::from_fn(40, 30, |x, y| {
        image::Rgb([(x * 1600 + y) as u16, (y * 2000) as u16, 12_345])
    });
    let source = DynamicImage::ImageRgb16(deep);
    for mime in ["image/png", "image/x-portable-anymap", "image/x-farbfeld"] {
        let picture = read(&made(mime, &source), mime);
        assert_eq!(picture.to_rgb16(), source.to_rgb16(), "{mime}");
    }
}

#[test]
fn gray_stays_gray() {
    let source = DynamicImage::from(DynamicImage::from(photo(50, 40)).to_luma8());
    for mime in ["image/jpeg", "image/png", "image/bmp", "image/x-portable-anymap", "image/x-tga"] {
        let bytes = made(mime, &source);
        let off = difference(&read(&bytes, mime), &source);
        assert!(off <= tolerance(mime), "{mime}: {off}");
    }
    assert!(
        !read(&made("image/jpeg", &source), "image/jpeg").color().has_color(),
        "a JPEG with one component"
    );
}

#[test]
fn palette_formats_keep_few_colors_exactly() {
    let mut flat = photo(64, 64);
    for (x, y, pixel) in flat.enumerate_pixels_mut() {
        *pixel = Rgba([(x / 16 * 60) as u8, (y / 16 * 60) as u8, 90, 255]);
    }
    let source = DynamicImage::from(flat);
    for (mime, options) in [
        ("image/gif", json!({ "to": "gif" })),
        ("image/png", json!({ "to": "png", "quality": 50 })),
        ("image/bmp", json!({ "to": "bmp" })),
    ] {
        let input = png(source.clone());
        let output = run(&input, options).expect("a result");
        assert_eq!(difference(&read(bytes_of(&output, &input), mime), &source), 0.0, "{mime}");
        assert!(output.report.warnings.is_empty(), "{mime}: {:?}", output.report.warnings);
    }
}

#[test]
fn quality_and_effort_change_the_size() {
    let input = png(photo(200, 150));
    let size = |options| bytes_of(&run(&input, options).expect("a result"), &input).len();
    for to in ["jpeg", "webp"] {
        let sizes: Vec<usize> =
            [20, 50, 80, 95].map(|quality| size(json!({ "to": to, "quality": quality }))).into();
        assert!(sizes.is_sorted_by(|a, b| a < b), "{to}: {sizes:?}");
    }
    assert!(size(json!({ "quality": 20 })) < size(json!({ "quality": 80 })), "PNG with fewer colors");
    assert!(size(json!({ "to": "jpeg", "effort": 9 })) <= size(json!({ "to": "jpeg", "effort": 0 })));
    assert!(size(json!({ "to": "png", "effort": 9 })) <= size(json!({ "to": "png", "effort": 0 })));
}

#[test]
fn lossless_formats_keep_every_pixel() {
    let source = DynamicImage::from(translucent(90, 70));
    let input = png(source.clone());
    let webp = run(&input, json!({ "to": "webp", "lossless": true })).expect("a result");
    assert_eq!(difference(&read(bytes_of(&webp, &input), "image/webp"), &source), 0.0);

    let jpeg =
        run(&png(photo(250, 130)), json!({ "to": "jpeg", "quality": 90, "effort": 0 })).expect("a JPEG");
    let jpeg = jpeg.bytes.expect("another type has other bytes");
    let smaller = run(&jpeg, json!({ "lossless": true })).expect("a result");
    let recoded = bytes_of(&smaller, &jpeg);
    assert!(recoded.len() < jpeg.len(), "{} < {}", recoded.len(), jpeg.len());
    assert_eq!(difference(&read(recoded, "image/jpeg"), &read(&jpeg, "image/jpeg")), 0.0);
}

#[test]
fn a_large_icon_is_shrunk_with_a_warning() {
    let input = png(photo(600, 300));
    let output = run(&input, json!({ "to": "ico" })).expect("a result");
    assert_eq!((output.report.width, output.report.height), (256, 128));
    assert!(output.report.warnings.iter().any(|warning| warning.code == "resized_to_fit"));
    assert_eq!(read(bytes_of(&output, &input), "image/x-icon").width(), 256);
}
