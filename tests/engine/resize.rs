//! The size of the output: all members of `resize`, alone and combined.

use std::io::Cursor;

use filepress::ErrorCode;
use image::{DynamicImage, ImageBuffer, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::{Value, json};

use super::support::{assert_same_in_bands, bytes_of, coded, photo, png, read, run, translucent};

fn size(resize: Value) -> (u32, u32) {
    let input = png(photo(300, 200));
    let output = run(&input, json!({ "resize": resize })).expect("a result");
    let picture = read(bytes_of(&output, &input), "image/png");
    assert_eq!((picture.width(), picture.height()), (output.report.width, output.report.height));
    (picture.width(), picture.height())
}

#[test]
fn one_side_keeps_the_aspect_ratio() {
    assert_eq!(size(json!({ "width": 150 })), (150, 100));
    assert_eq!(size(json!({ "height": 50 })), (75, 50));
    assert_eq!(size(json!({ "width": 600 })), (600, 400));
    assert_eq!(size(json!({ "width": 1 })), (1, 1));
}

#[test]
fn fit_decides_how_width_and_height_combine() {
    assert_eq!(size(json!({ "width": 100, "height": 100 })), (100, 100));
    assert_eq!(size(json!({ "width": 100, "height": 100, "fit": "fill" })), (100, 100));
    assert_eq!(size(json!({ "width": 100, "height": 100, "fit": "inside" })), (100, 67));
    assert_eq!(size(json!({ "width": 100, "height": 100, "fit": "cover" })), (100, 100));
    assert_eq!(size(json!({ "width": 900, "height": 900, "fit": "inside" })), (900, 600));
}

#[test]
fn bounds_shrink_and_never_enlarge() {
    assert_eq!(size(json!({ "maxWidth": 150 })), (150, 100));
    assert_eq!(size(json!({ "maxHeight": 20 })), (30, 20));
    assert_eq!(size(json!({ "maxWidth": 150, "maxHeight": 20 })), (30, 20));
    assert_eq!(size(json!({ "maxWidth": 3000 })), (300, 200));
    assert_eq!(size(json!({ "width": 600, "maxHeight": 100 })), (150, 100));
}

#[test]
fn cover_crops_evenly() {
    let mut picture = photo(300, 100);
    for (x, _, pixel) in picture.enumerate_pixels_mut() {
        pixel.0 = if (100..200).contains(&x) { [250, 0, 0, 255] } else { [0, 0, 250, 255] };
    }
    let input = png(picture);
    let output =
        run(&input, json!({ "resize": { "width": 50, "height": 50, "fit": "cover" } })).expect("a result");
    let red = read(bytes_of(&output, &input), "image/png").to_rgb8();
    for (x, y) in [(3, 25), (25, 25), (46, 25)] {
        let [r, _, b] = red.get_pixel(x, y).0;
        assert!(r > 240 && b < 15, "the middle third is red at {x},{y}: {r} {b}");
    }
}

#[test]
fn transparent_pixels_do_not_tint_their_neighbors() {
    let mut picture = translucent(64, 64);
    for (x, _, pixel) in picture.enumerate_pixels_mut() {
        pixel.0 = if x % 2 == 0 { [255, 0, 0, 255] } else { [0, 255, 0, 0] };
    }
    let input = png(picture);
    let output = run(&input, json!({ "resize": { "width": 16 } })).expect("a result");
    let small = read(bytes_of(&output, &input), "image/png").to_rgba8();
    let [r, g, _, a] = small.get_pixel(8, 8).0;
    assert!(r > 250 && g < 5 && (100..156).contains(&a), "red, half clear: {r} {g} {a}");
}

#[test]
fn a_part_of_the_size_that_is_asked_for_keeps_every_pixel() {
    let (width, height) = (100, 101);
    let eight = RgbaImage::from_fn(width, height, |x, y| {
        Rgba([(x * 2) as u8, (y * 2) as u8, 77, [0, 1, 128, 255][((x + y) % 4) as usize]])
    });
    let sixteen = DynamicImage::from(ImageBuffer::from_fn(width, height, |x, y| {
        Rgba([(x * 650) as u16, (y * 640) as u16, 777, [0, 1, 300, 65_535][((x + y) % 4) as usize]])
    }));
    for picture in [eight.into(), sixteen] {
        for (wide, high) in [(100, 100), (100, 50), (37, 101), (100, 101)] {
            let resize = json!({ "width": wide, "height": high, "fit": "cover" });
            // Half a pixel to the left and above is given away.
            let (left, top) = ((width - wide).div_ceil(2), (height - high).div_ceil(2));
            let by_rows = png(picture.clone());
            let whole = run(&by_rows, json!({ "to": "tiff" })).expect("a TIFF").bytes.expect("bytes");
            for input in [by_rows, whole] {
                let output = run(&input, json!({ "resize": resize, "to": "png" })).expect("a result");
                let made = read(bytes_of(&output, &input), "image/png");
                assert_eq!(made.to_rgba16(), picture.crop_imm(left, top, wide, high).to_rgba16(), "{resize}");
            }
        }
    }
}

/// The rows of PNG are read one after another, those of PNM and QOI are not.
#[test]
fn a_png_that_is_resized_in_bands_has_the_pixels_of_the_whole_picture() {
    let (width, height) = (1_600, 900);
    let rgb = DynamicImage::from(photo(width, height)).to_rgb8();
    let few =
        RgbImage::from_fn(width, height, |x, y| Rgb([(x / 8 % 3 * 90) as u8, (y / 8 % 3 * 90) as u8, 9]));
    let mut translucent = DynamicImage::from(rgb.clone()).to_rgba8();
    translucent.enumerate_pixels_mut().for_each(|(x, y, pixel)| pixel.0[3] = (x / 3 + y / 2) as u8);
    let gray = DynamicImage::from(rgb.clone()).to_luma8();
    let pictures: [DynamicImage; 4] = [rgb.into(), few.into(), gray.into(), translucent.into()];
    let shapes = [
        json!({ "resize": { "width": 801 } }),
        json!({ "resize": { "width": 2_000, "height": 1_999, "fit": "fill" } }),
        json!({ "resize": { "width": 700, "height": 700, "fit": "cover" } }),
        json!({ "resize": { "width": 400, "height": 400, "fit": "contain" }, "background": "#369" }),
        json!({ "resize": { "width": 300 }, "rotate": 90, "flip": "horizontal" }),
        json!({ "crop": { "x": 11, "y": 7, "width": 900, "height": 700 }, "resize": { "width": 300 } }),
    ];
    for (index, picture) in pictures.iter().enumerate() {
        let [by_rows, whole] = [png(picture.clone()), unstreamed(picture)];
        for to in ["bmp", "webp", "jpeg"] {
            for shape in &shapes {
                let mut options = shape.clone();
                options["to"] = json!(to);
                let [ours, other] =
                    [&by_rows, &whole].map(|input| run(input, options.clone()).expect("a result"));
                assert!(ours.bytes == other.bytes && ours.bytes.is_some(), "picture {index}: {options}");
            }
        }
    }
}

#[test]
fn a_webp_that_is_resized_in_bands_has_the_pixels_of_the_whole_picture() {
    let mut count = 0;
    for (width, height) in [(401, 303), (400, 304), (1, 40), (2, 3), (33, 1)] {
        let opaque = DynamicImage::from(DynamicImage::from(photo(width, height)).to_rgb8());
        let mut fading = opaque.to_rgba8();
        fading.enumerate_pixels_mut().for_each(|(x, y, pixel)| pixel.0[3] = (x / 3 + y / 2 + 1) as u8);
        let few =
            RgbImage::from_fn(width, height, |x, y| Rgb([(x / 8 % 3 * 90) as u8, (y / 8 % 3 * 90) as u8, 9]));
        for picture in [opaque, DynamicImage::from(fading), few.into()] {
            let input = png(picture.clone());
            let mut files = vec![coded(picture, ImageFormat::WebP)];
            for options in [json!({ "to": "webp", "lossless": true }), json!({ "to": "webp", "quality": 60 })]
            {
                files.extend(run(&input, options).expect("a WebP").bytes);
            }
            for file in files {
                // The reference decoder gives the whole picture.
                assert_same_in_bands(&file, &read(&file, "image/webp"));
                count += 1;
            }
        }
    }
    assert_eq!(count, 5 * 3 * 3);
}

#[test]
fn a_webp_that_ends_early_is_damaged_in_bands_too() {
    let picture = DynamicImage::from(photo(400, 300)).to_rgb8();
    for options in [json!({ "to": "webp", "lossless": true }), json!({ "to": "webp", "quality": 80 })] {
        let whole = run(&png(picture.clone()), options).expect("a WebP").bytes.expect("bytes");
        // Its own lengths fit, its pixels do not.
        let mut cut = whole[..whole.len() / 4 * 2].to_vec();
        let length = cut.len() as u32;
        cut[4..8].copy_from_slice(&(length - 8).to_le_bytes());
        cut[16..20].copy_from_slice(&(length - 20).to_le_bytes());
        let options = json!({ "to": "jpeg", "resize": { "width": 100 } });
        for damaged in [&whole[..30], &whole[..whole.len() / 2], &cut] {
            match run(damaged, options.clone()) {
                Err(error) => assert_eq!(error.code(), ErrorCode::Corrupt, "{error}"),
                // image-webp takes what is missing of lossy data for zeros.
                Ok(_) => assert_eq!(&whole[12..16], b"VP8 "),
            }
        }
    }
}

#[test]
fn a_png_that_ends_early_is_damaged_in_bands_too() {
    let whole = png(DynamicImage::from(photo(400, 300)).to_rgb8());
    for length in [whole.len() / 2, whole.len() - 60] {
        for options in [json!({ "to": "webp", "resize": { "width": 100 } }), json!({ "to": "webp" })] {
            let error = run(&whole[..length], options.clone()).expect_err("the file is cut");
            assert_eq!(error.code(), ErrorCode::Corrupt, "{options}: {error}");
        }
    }
}

/// A picture as a file of which nobody reads rows.
fn unstreamed(picture: &DynamicImage) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let format = if picture.color().has_alpha() { ImageFormat::Qoi } else { ImageFormat::Pnm };
    picture.write_to(&mut file, format).expect("a file");
    file.into_inner()
}
