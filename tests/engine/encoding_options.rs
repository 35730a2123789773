//! `colors` and `dither` of palettes, and `chroma`: what outputs have of them.

use std::collections::{HashMap, HashSet};

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use serde_json::{Value, json};

use super::animation_support::{Part, frames, gif, webp};
use super::score::score;
use super::support::{bytes_of, coded, photo, png, read, run, translucent};
use super::target_size::{drawing, gradient};

/// The file that a call makes, and the codes of its warnings.
fn made(input: &[u8], options: Value) -> (Vec<u8>, Vec<&'static str>) {
    let output = run(input, options).expect("a result");
    let codes = output.report.warnings.iter().map(|warning| warning.code).collect();
    (bytes_of(&output, input).to_vec(), codes)
}

fn file(input: &[u8], options: Value) -> Vec<u8> {
    made(input, options).0
}

/// The options `base` with the members of `more`.
fn with(base: Value, more: Value) -> Value {
    let (Value::Object(mut base), Value::Object(more)) = (base, more) else { panic!("options are objects") };
    base.extend(more);
    base.into()
}

fn distinct<'a>(pictures: impl IntoIterator<Item = &'a RgbaImage>) -> usize {
    let colors: HashSet<Rgba<u8>> =
        pictures.into_iter().flat_map(|picture| picture.pixels().copied()).collect();
    colors.len()
}

/// Three frames, each with more colors than a palette.
fn moving() -> Vec<Part> {
    let picture = |shift: u32| {
        let whole = photo(120, 80);
        RgbaImage::from_fn(96, 64, |x, y| *whole.get_pixel(x + shift, y + shift / 2))
    };
    [0, 9, 20].map(|shift| Part::new((0, 0), picture(shift), 10)).into()
}

#[test]
fn a_png_has_at_most_so_many_colors() {
    let pictures = [photo(160, 120), translucent(120, 90), gradient(256, 64), drawing(160, 120)];
    for (number, picture) in pictures.into_iter().enumerate() {
        let input = png(picture);
        for colors in [2, 3, 16, 100, 256] {
            for more in [json!({}), json!({ "quality": 40 }), json!({ "targetSize": 2_500 })] {
                let options = with(json!({ "colors": colors }), more);
                let (bytes, warnings) = made(&input, options.clone());
                let count = distinct([&read(&bytes, "image/png").to_rgba8()]);
                assert!((2..=colors).contains(&count), "picture {number}, {options}: {count} colors");
                assert!(!warnings.contains(&"colors_reduced"), "{options}: it was asked for");
            }
        }
    }
}

/// The picture has 200 colors and takes fewer bytes with all of them than with 150 that are dithered.
#[test]
fn fewer_colors_are_kept_where_more_would_take_fewer_bytes() {
    let steps = RgbaImage::from_fn(200, 100, |x, _| Rgba([x as u8, 40, 255 - x as u8, 255]));
    let input = png(steps);
    let (every, fewer) = (file(&input, json!({ "quality": 100 })), file(&input, json!({ "colors": 150 })));
    assert!(every.len() < fewer.len(), "{} and {}", every.len(), fewer.len());
    assert_eq!(distinct([&read(&every, "image/png").to_rgba8()]), 200);
    // It is the original that is returned where the call only asks for fewer bytes.
    assert!(fewer == input || distinct([&read(&fewer, "image/png").to_rgba8()]) <= 150);
    let turned = file(&input, json!({ "colors": 150, "rotate": 90 }));
    assert!(distinct([&read(&turned, "image/png").to_rgba8()]) <= 150);
    // Of as many colors as there may be, none is lost.
    let kept = file(&input, json!({ "colors": 200, "rotate": 90 }));
    assert_eq!(distinct([&read(&kept, "image/png").to_rgba8()]), 200);
}

#[test]
fn colors_count_in_searches() {
    let picture = drawing(160, 120);
    let input = png(picture.clone());
    let automatic = |more| file(&input, with(json!({ "quality": "auto", "rotate": 180 }), more));
    assert!(distinct([&read(&automatic(json!({ "colors": 6 })), "image/png").to_rgba8()]) <= 6);
    // Without the limit, all colors are kept if the score needs them.
    assert!(distinct([&read(&automatic(json!({ "minScore": 99 })), "image/png").to_rgba8()]) > 6);
    let unreached = made(&input, json!({ "quality": "auto", "minScore": 99, "colors": 3, "rotate": 180 }));
    assert!(unreached.1.contains(&"score_unreached"), "{:?}", unreached.1);
    assert!(distinct([&read(&unreached.0, "image/png").to_rgba8()]) <= 3);
}

#[test]
fn a_gif_has_at_most_so_many_colors() {
    for picture in [photo(160, 120), translucent(160, 120)] {
        for colors in [3, 17, 256] {
            let (bytes, warnings) = made(&png(picture.clone()), json!({ "to": "gif", "colors": colors }));
            let count = distinct([&read(&bytes, "image/gif").to_rgba8()]);
            assert!((2..=colors).contains(&count), "{count} of {colors} colors");
            assert!(!warnings.contains(&"colors_reduced"), "it was asked for");
        }
    }
    // The frames of an animation have palettes of their own.
    let input = webp((96, 64), &moving(), 0);
    for colors in [3, 17] {
        let bytes = file(&input, json!({ "to": "gif", "colors": colors }));
        let shown = frames(&bytes);
        assert_eq!(shown.len(), 3);
        let first = distinct([&shown[0].0]);
        assert!((2..=colors).contains(&first), "{first} of {colors} colors");
    }
    // An animated GIF that stays as it is may lose colors if it is asked to.
    let input = gif((96, 64), &few_colors(), Some(0));
    let bytes = file(&input, json!({ "colors": 4 }));
    assert!(bytes.len() < input.len() && distinct([&frames(&bytes)[0].0]) <= 4);
}

/// Frames that fit into the palettes of a GIF.
fn few_colors() -> Vec<Part> {
    let coarse = |Part { pixels, delay, .. }: Part| {
        let pixels = RgbaImage::from_fn(pixels.width(), pixels.height(), |x, y| {
            let [r, g, b, _] = pixels.get_pixel(x, y).0;
            Rgba([r & 0xE0, g & 0xC0, b & 0xC0, 255])
        });
        Part::new((0, 0), pixels, delay)
    };
    moving().into_iter().map(coarse).collect()
}

/// The number of colors of `before` that became several colors.
fn mixed(before: &RgbaImage, after: &RgbaImage) -> usize {
    let mut became: HashMap<Rgba<u8>, HashSet<Rgba<u8>>> = HashMap::new();
    for (before, after) in before.pixels().zip(after.pixels()) {
        became.entry(*before).or_default().insert(*after);
    }
    became.values().filter(|colors| colors.len() > 1).count()
}

/// The same picture in blocks of one color.
fn blocks(picture: &RgbaImage) -> RgbaImage {
    RgbaImage::from_fn(picture.width(), picture.height(), |x, y| *picture.get_pixel(x & !7, y & !7))
}

#[test]
fn without_dither_each_color_becomes_one() {
    let picture = blocks(&photo(160, 120));
    // A PNG that is smaller than the dithered one would be kept.
    let input = coded(DynamicImage::from(picture.clone()).to_rgb8(), ImageFormat::Bmp);
    for to in ["png", "gif"] {
        let options = |more| with(json!({ "to": to, "colors": 12 }), more);
        let mixes = |bytes: &[u8]| mixed(&picture, &read(bytes, &format!("image/{to}")).to_rgba8());
        let [flat, half, full] =
            [0.0, 0.5, 1.0].map(|dither| file(&input, options(json!({ "dither": dither }))));
        assert_eq!(mixes(&flat), 0, "{to}");
        assert!(mixes(&full) > 20, "{to}: {}", mixes(&full));
        assert_eq!(file(&input, options(json!({}))), full, "{to}: it is the default");
        assert!(half != flat && half != full, "{to}");
        assert!(flat.len() < full.len(), "{to}: {} and {}", flat.len(), full.len());
    }
}

#[test]
fn without_dither_the_colors_of_frames_become_one() {
    let coarse = |part: Part| Part::new((0, 0), blocks(&part.pixels), part.delay);
    let parts: Vec<Part> = moving().into_iter().map(coarse).collect();
    let input = webp((96, 64), &parts, 0);
    let first = &parts[0].pixels;
    let made = |more| file(&input, with(json!({ "to": "gif", "colors": 20 }), more));
    let mixes = |bytes: &[u8]| mixed(first, &frames(bytes)[0].0);
    let (flat, full) = (made(json!({ "dither": 0 })), made(json!({ "dither": 1 })));
    assert_eq!(mixes(&flat), 0);
    assert!(mixes(&full) > 20, "{}", mixes(&full));
    assert_eq!(made(json!({})), full, "it is the default");
}

/// Dithering is what a PNG with a palette has.
#[test]
fn dither_alone_makes_a_palette() {
    let input = png(photo(160, 120));
    let bytes = file(&input, json!({ "dither": 0.3 }));
    assert_eq!(bytes[25], 3, "the color type is that of a palette");
    assert_eq!(file(&input, json!({ "dither": 1 })), file(&input, json!({ "quality": 100 })));
}

/// Width and height of the pixels that share a chroma sample.
fn sampling(bytes: &[u8], to: &str) -> (u8, u8) {
    if to == "avif" {
        let at = bytes
            .windows(4)
            .position(|kind| kind == b"av1C")
            .expect("the box of the decoder's configuration");
        let flags = bytes[at + 6];
        return (1 + (flags >> 3 & 1), 1 + (flags >> 2 & 1));
    }
    let frame =
        |bytes: &[u8]| bytes[0] == 0xFF && (0xC0..=0xC2).contains(&bytes[1]) && bytes[2..4] == [0, 17];
    let at = bytes.windows(4).position(frame).expect("a frame of three components");
    let factors = |component: usize| bytes[at + 11 + 3 * component];
    assert_eq!([factors(1), factors(2)], [0x11; 2]);
    (factors(0) >> 4, factors(0) & 15)
}

#[test]
fn chroma_has_the_resolution_that_is_asked_for() {
    let input = png(DynamicImage::from(photo(160, 120)).to_rgb8());
    for to in ["jpeg", "avif"] {
        for quality in [50, 95] {
            let made = |more| file(&input, with(json!({ "to": to, "quality": quality, "effort": 2 }), more));
            let (full, half) = (made(json!({ "chroma": "444" })), made(json!({ "chroma": "420" })));
            assert_eq!(sampling(&full, to), (1, 1), "{to} {quality}");
            assert_eq!(sampling(&half, to), (2, 2), "{to} {quality}");
            assert!(half.len() < full.len(), "{to} {quality}: {} and {}", half.len(), full.len());
            let default = made(json!({}));
            assert_eq!(made(json!({ "chroma": "auto" })), default);
            assert_eq!(default, if quality == 95 { full } else { half }, "{to} {quality}");
        }
        let searched = |more| file(&input, with(json!({ "to": to, "effort": 2 }), more));
        for (chroma, expected) in [("444", (1, 1)), ("420", (2, 2))] {
            let sized = searched(json!({ "targetSize": 4_000, "chroma": chroma }));
            assert!(sized.len() <= 4_000 && sampling(&sized, to) == expected, "{to} {chroma}");
            let scored = searched(json!({ "quality": "auto", "minScore": 60, "chroma": chroma }));
            assert_eq!(sampling(&scored, to), expected, "{to} {chroma}");
            assert!(score(&photo(160, 120), &scored) >= 59.5);
        }
    }
}

/// A drawing keeps its chroma in AVIF by default.
#[test]
fn chroma_of_drawings_can_be_halved() {
    let input = png(drawing(160, 120));
    let made = |more| file(&input, with(json!({ "to": "avif", "quality": 50, "effort": 2 }), more));
    assert_eq!(sampling(&made(json!({})), "avif"), (1, 1));
    assert_eq!(sampling(&made(json!({ "chroma": "420" })), "avif"), (2, 2));
}

/// The coefficients of a JPEG are encoded again where they can be, and its pixels elsewhere.
#[test]
fn chroma_of_a_jpeg_that_stays_one() {
    let source = png(DynamicImage::from(photo(160, 120)).to_rgb8());
    for from in ["444", "420"] {
        let input = file(&source, json!({ "to": "jpeg", "quality": 99, "chroma": from }));
        for (chroma, expected) in [("444", (1, 1)), ("420", (2, 2))] {
            for more in [
                json!({ "quality": 60 }),
                json!({ "targetSize": input.len() / 2 }),
                json!({ "quality": "auto", "minScore": 60 }),
                json!({ "quality": 60, "resize": { "width": 100 } }),
            ] {
                let options = with(json!({ "chroma": chroma }), more);
                let bytes = file(&input, options.clone());
                assert!(bytes.len() < input.len(), "{from}: {options}");
                assert_eq!(sampling(&bytes, "jpeg"), expected, "{from}: {options}");
            }
        }
        // By default it never gets more than it has.
        let bytes = file(&input, json!({ "quality": 90 }));
        assert_eq!(sampling(&bytes, "jpeg"), if from == "444" { (1, 1) } else { (2, 2) });
    }
}

#[test]
fn gray_has_no_chroma() {
    let gray = png(DynamicImage::from(photo(64, 48)).to_luma8());
    for to in ["jpeg", "avif"] {
        let made = |chroma| file(&gray, json!({ "to": to, "chroma": chroma }));
        assert_eq!(made("444"), made("auto"), "{to}");
    }
}
