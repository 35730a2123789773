//! Lossless PNG files are at most 1.01 times as large as those of `oxipng -o 2`.

use std::path::{Path, PathBuf};

use image::{DynamicImage, GrayImage, Luma, Rgba, RgbaImage};
use serde_json::json;

use super::corpus;
use super::support::{bytes_of, difference, photo, png, read, run, translucent};
use super::target_size::{drawing, gradient, noise, scene};

/// The larger share of ours in those of the reference that is allowed.
const MOST: f64 = 1.01;
/// Files of more bytes take minutes where many are walked.
const MOST_BYTES: usize = 600_000;

/// Our bytes and those of the reference; `None` where the reference does not read the file.
fn sizes(input: &[u8]) -> Option<(usize, usize)> {
    let reference = oxipng::optimize_from_memory(input, &oxipng::Options::from_preset(2)).ok()?;
    let output = run(input, json!({})).expect("a file that the reference reads");
    Some((bytes_of(&output, input).len(), reference.len()))
}

#[test]
fn generated_pictures_are_as_small_as_those_of_the_reference() {
    let gray = DynamicImage::from(DynamicImage::from(scene(160, 120)).to_luma8());
    let levels = GrayImage::from_fn(90, 70, |x, y| Luma([((x / 9 + y / 7) % 4 * 85) as u8]));
    let deep = image::ImageBuffer::from_fn(64, 48, |x, y| {
        image::Rgb([(x * 900 + y) as u16, (y * 1300) as u16, (x * y) as u16])
    });
    let mut pictures = 0;
    for picture in [
        photo(200, 150).into(),
        scene(200, 150).into(),
        drawing(240, 160).into(),
        noise(64, 64).into(),
        gradient(256, 128).into(),
        translucent(120, 90).into(),
        gray,
        levels.into(),
        DynamicImage::ImageRgb16(deep),
    ] {
        let (ours, reference) = sizes(&png(picture)).expect("a PNG");
        assert!(ours as f64 <= reference as f64 * MOST, "picture {pictures}: {ours} > {reference}");
        pictures += 1;
    }
    assert_eq!(pictures, 9);
}

#[test]
fn pictures_whose_filter_is_found_on_some_rows_are_as_small() {
    for (name, picture) in [
        ("photo", photo(700, 500)),
        ("scene", scene(600, 700)),
        ("drawing", drawing(640, 480)),
        ("gradient", gradient(512, 400)),
        ("translucent", translucent(500, 500)),
        ("noise", noise(300, 300)),
    ] {
        let input = png(picture);
        let (ours, reference) = sizes(&input).expect("a PNG");
        assert!(ours as f64 <= reference as f64 * MOST, "{name}: {ours} > {reference}");
        let whole = run(&input, json!({ "effort": 4, "metadata": "strip" })).expect("a PNG");
        let off = difference(&read(bytes_of(&whole, &input), "image/png"), &read(&input, "image/png"));
        assert!(off == 0.0, "{name}: mean difference {off}");
    }
}

/// Each channel on `levels` levels: so many colors at the most as a cube of them has.
fn posterized(mut picture: RgbaImage, levels: u16) -> RgbaImage {
    for pixel in picture.pixels_mut() {
        for channel in &mut pixel.0[..3] {
            *channel = (u16::from(*channel) * levels / 256 * 255 / (levels - 1)) as u8;
        }
    }
    picture
}

/// Stripes, frames and lines of text, as on a screen.
fn screen(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        let is_ink = (x / 2 * 7 + y / 12 * 31).wrapping_mul(2_654_435_761) >> 30 == 0;
        let shade = 255 - (y / 40 % 16) as u8 * 2;
        match (x * 5 / width, y % 12) {
            (0, _) => Rgba([30 + (y * 40 / height) as u8, 40, 70, 255]),
            (_, 2..=9) if is_ink => Rgba([(x % 3 * 40) as u8, 40, (x / 2 % 4 * 30) as u8, 255]),
            (4, _) => Rgba([shade, shade, 255, 255]),
            _ => Rgba([shade, shade, shade, 255]),
        }
    })
}

/// A disc of one color that fades out, on one that is clear.
fn icon(side: u32) -> RgbaImage {
    RgbaImage::from_fn(side, side, |x, y| {
        let square = |at: u32| i64::from(at * 2).abs_diff(i64::from(side)).pow(2);
        let inside = 255 * 3 - ((square(x) + square(y)) * 255 * 3 / u64::from(side).pow(2)).min(255 * 3);
        let alpha = inside.min(255) / 3 * 3;
        Rgba([40, if (x + y) / 20 % 2 == 0 { 120 } else { 160 }, 220, alpha as u8])
    })
}

#[test]
fn pictures_of_few_colors_are_as_small() {
    let mut translucent = translucent(400, 400);
    for pixel in translucent.pixels_mut() {
        pixel.0 = pixel.0.map(|value| value & 0xc0);
    }
    for (name, picture) in [
        ("landscape of 64 colors", posterized(scene(600, 400), 4)),
        ("landscape of 216 colors", posterized(scene(480, 360), 6)),
        ("photo of 64 colors", posterized(photo(500, 400), 4)),
        ("photo of 125 colors", posterized(photo(500, 400), 5)),
        ("noise of 64 colors", posterized(noise(300, 300), 4)),
        ("noise of 27 colors", posterized(noise(300, 300), 3)),
        ("gradient of 216 colors", posterized(gradient(512, 400), 6)),
        ("gradient of 64 colors", posterized(gradient(640, 300), 4)),
        ("drawing of 125 colors", posterized(drawing(640, 480), 5)),
        ("screen", screen(800, 500)),
        ("icon", icon(320)),
        ("translucent", translucent),
        // Of so many pixels that they are coded in several blocks.
        ("large landscape of 64 colors", posterized(scene(1400, 1000), 4)),
        ("large landscape of 216 colors", posterized(scene(1200, 900), 6)),
        ("large photo of 125 colors", posterized(photo(1300, 900), 5)),
        ("large gradient of 216 colors", posterized(gradient(1400, 800), 6)),
        ("large drawing of 125 colors", posterized(drawing(1300, 900), 5)),
        ("large screen", screen(1440, 900)),
    ] {
        let input = png(picture);
        let (ours, reference) = sizes(&input).expect("a PNG");
        assert!(ours as f64 <= reference as f64 * MOST, "{name}: {ours} > {reference}");
        let output = run(&input, json!({ "metadata": "strip" })).expect("a PNG");
        let off = difference(&read(bytes_of(&output, &input), "image/png"), &read(&input, "image/png"));
        assert!(off == 0.0, "{name}: mean difference {off}");
    }
}

/// Every PNG of the corpus, sorted.
fn files() -> Vec<PathBuf> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            match path.is_dir() {
                true => walk(&path, files),
                false if path.extension().is_some_and(|extension| extension == "png") => files.push(path),
                false => {}
            }
        }
    }
    let mut files = Vec::new();
    walk(&corpus::root(), &mut files);
    files.sort();
    files
}

#[test]
#[ignore = "needs the corpus: make test-corpus CORPUS=…"]
fn files_of_the_corpus_are_as_small_as_those_of_the_reference() {
    let (mut compared, mut animated, mut large) = (0, 0, 0);
    let (mut ours_in_all, mut reference_in_all) = (0, 0);
    for path in files() {
        let input = std::fs::read(&path).expect("readable");
        if input.windows(4).take(200).any(|name| name == b"acTL") {
            // Handed back as they are.
            animated += 1;
            continue;
        }
        if input.len() > MOST_BYTES {
            large += 1;
            continue;
        }
        let Some((ours, reference)) = sizes(&input) else { continue };
        compared += 1;
        ours_in_all += ours;
        reference_in_all += reference;
    }
    assert!(compared > 100, "{compared} compared, {animated} animated, {large} large");
    assert!(
        ours_in_all as f64 <= reference_in_all as f64 * MOST,
        "{compared} files: {ours_in_all} bytes, those of the reference {reference_in_all}"
    );
    corpus::assert_walked(
        "files_of_the_corpus_are_as_small_as_those_of_the_reference",
        compared + animated + large,
    );
}
