//! AVIF output: the decoded pixels, and file sizes that follow quality and effort.

use filepress_wire::MediaType;
use image::{DynamicImage, ImageBuffer, Rgb, RgbImage, Rgba};
use serde_json::json;

use super::super::light::{lightness_error, vivid};
use super::super::support::{bytes_of, difference, photo, png, run, translucent};
use super::{inspect, shown, smooth};

/// An AVIF of a picture.
fn avif(picture: impl Into<DynamicImage>, quality: u8) -> Vec<u8> {
    let source = png(picture);
    let output = run(&source, json!({ "to": "avif", "quality": quality })).expect("an AVIF");
    assert_eq!(output.report.media, MediaType::Avif);
    bytes_of(&output, &source).to_vec()
}

#[test]
fn pictures_come_back() {
    for (width, height) in [(1, 1), (3, 5), (8, 8), (61, 43), (200, 130)] {
        let picture = DynamicImage::from(smooth(width, height));
        let gray = DynamicImage::from(picture.to_luma8());
        for (name, picture, most) in [("color", picture, 1.0), ("gray", gray, 1.0)] {
            let coded = avif(picture.clone(), 95);
            let facts = inspect(&coded);
            assert_eq!((facts.width, facts.height), (width, height), "{name}");
            assert_eq!((facts.bit_depth, facts.has_alpha, facts.frames), (10, false, 1), "{name}");
            let is_gray = name == "gray";
            assert_eq!(facts.color_space, if is_gray { "gray" } else { "ycbcr" }, "{name} {width}");
            let back = shown(&coded);
            assert_eq!(back.color().has_color(), !is_gray, "{name}");
            let off = difference(&back, &picture);
            assert!(off < most, "{name}, {width} × {height}: mean difference {off}");
        }
    }
}

#[test]
fn pixels_keep_their_light_when_chroma_is_subsampled() {
    let pixels = vivid((96, 80));
    let picture = RgbImage::from_raw(96, 80, pixels.clone()).expect("all of its pixels");
    let options = json!({ "to": "avif", "quality": 95, "chroma": "420" });
    let source = png(picture);
    let output = run(&source, options).expect("an AVIF");
    let coded = bytes_of(&output, &source).to_vec();
    assert_eq!(subsampling(&coded), 0b1100);
    let error = lightness_error(shown(&coded).to_rgb8().as_raw(), &pixels);
    // It is 7 with the luma of each pixel's own color.
    assert!(error < 3.0, "{error}");
}

#[test]
fn chroma_is_halved_below_a_quality_of_90() {
    let picture = DynamicImage::from(smooth(61, 43));
    for (quality, subsampled) in [(60, 0b1100), (89, 0b1100), (90, 0), (100, 0)] {
        let coded = avif(picture.clone(), quality);
        assert_eq!(subsampling(&coded), subsampled, "quality {quality}");
        let off = difference(&shown(&coded), &picture);
        assert!(off < 2.0, "quality {quality}: mean difference {off}");
    }
}

/// chroma_subsampling_x and _y (AV1 ISO base media file format, 2.3.3): bits of the third byte of the `av1C` box.
fn subsampling(avif: &[u8]) -> u8 {
    let at = avif.windows(4).position(|name| name == b"av1C").expect("an av1C box") + 4;
    avif[at + 2] & 0b1100
}

#[test]
fn chroma_of_drawings_is_kept_at_any_quality() {
    let stripes = RgbImage::from_fn(64, 48, |x, y| match (x / 3 + y / 5) % 2 {
        0 => Rgb([210, 20, 30]),
        _ => Rgb([20, 60, 200]),
    });
    let translucent = DynamicImage::from(stripes.clone()).to_rgba8();
    for quality in [20, 60, 89, 95] {
        assert_eq!(subsampling(&avif(stripes.clone(), quality)), 0, "quality {quality}");
        assert_eq!(subsampling(&avif(translucent.clone(), quality)), 0, "quality {quality}, with alpha");
    }
}

#[test]
fn alpha_comes_back_and_what_it_hides_costs_nothing() {
    let picture = translucent(120, 80);
    let coded = avif(picture.clone(), 90);
    let facts = inspect(&coded);
    assert!(facts.has_alpha);
    let back = shown(&coded).to_rgba8();
    for (there, here) in back.pixels().zip(picture.pixels()) {
        assert!(there.0[3].abs_diff(here.0[3]) <= 4, "alpha {} became {}", here.0[3], there.0[3]);
        let visible = here.0[3] > 200;
        let off: u32 = there.0.iter().zip(here.0).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
        assert!(!visible || off < 60, "{here:?} became {there:?}");
    }

    let mut noisy = picture.clone();
    for (x, y, pixel) in noisy.enumerate_pixels_mut().filter(|(.., pixel)| pixel.0[3] == 0) {
        let [red, green, ..] = ((x * 0x9E37) ^ (y * 0x85EB)).to_le_bytes();
        pixel.0 = [red, green, red ^ green, 0];
    }
    assert_eq!(avif(noisy, 90), coded, "hidden colors are coded");
    let gray = DynamicImage::from(DynamicImage::from(picture).to_luma_alpha8());
    let facts = inspect(&avif(gray, 60));
    assert_eq!((facts.has_alpha, facts.color_space), (true, "gray"));
}

#[test]
fn deep_pixels_keep_more_than_eight_bits() {
    // A ramp in steps that 8 bits do not have.
    let ramp = |x: u32| (20_000 + x * 20) as u16;
    let deep = ImageBuffer::from_fn(256, 16, |x, _| Rgb([ramp(x); 3]));
    let back = shown(&avif(DynamicImage::ImageRgb16(deep), 100)).to_rgb16();
    let levels: std::collections::BTreeSet<u16> = back.pixels().map(|pixel| pixel.0[1]).collect();
    assert!(levels.len() > 40, "{} levels, where 8 bits have 21", levels.len());
    for (x, _, pixel) in back.enumerate_pixels() {
        assert!(pixel.0[1].abs_diff(ramp(x)) < 160, "{} at {x}, not {}", pixel.0[1], ramp(x));
    }

    let clear = ImageBuffer::from_fn(64, 64, |x, y| Rgba([ramp(x), ramp(y), 9_000, (x * 1000) as u16]));
    let back = shown(&avif(DynamicImage::ImageRgba16(clear.clone()), 95)).to_rgba16();
    let alpha = clear.pixels().zip(back.pixels()).map(|(a, b)| a.0[3].abs_diff(b.0[3])).max();
    assert!(alpha.is_some_and(|off| off < 1000), "alpha is {alpha:?} off");
}

#[test]
fn pure_colors_stay_within_their_range() {
    for color in [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [255, 0, 255]] {
        let flat = ImageBuffer::from_pixel(40, 40, Rgb::<u8>(color));
        let back = shown(&avif(DynamicImage::ImageRgb8(flat.clone()), 100));
        let off = difference(&back, &DynamicImage::ImageRgb8(flat));
        assert!(off < 1.0, "{color:?} is {off} off");
    }
}

#[test]
fn bytes_follow_quality_and_effort() {
    let source = png(photo(256, 192));
    let size = |quality: u8, effort: u8| {
        let options = json!({ "to": "avif", "quality": quality, "effort": effort });
        let output = run(&source, options).expect("an AVIF");
        assert_eq!(output.report.quality, Some(quality));
        bytes_of(&output, &source).len()
    };
    let qualities = [1, 20, 40, 60, 80, 100].map(|quality| size(quality, 2));
    assert!(qualities.is_sorted_by(|a, b| a < b), "{qualities:?}");
    let efforts = [0, 4, 7].map(|effort| size(60, effort));
    assert!(efforts[0] > efforts[1] && efforts[0] > efforts[2], "{efforts:?}");
}

#[test]
fn a_file_of_ours_is_not_made_larger() {
    let mut bytes = avif(photo(90, 60), 60);
    for _ in 0..2 {
        let again = run(&bytes, json!({})).expect("a result");
        let next = bytes_of(&again, &bytes).to_vec();
        assert!(next.len() <= bytes.len(), "{} > {}", next.len(), bytes.len());
        assert!(again.report.kept_original || next.len() < bytes.len());
        bytes = next;
    }
    let kept = run(&bytes, json!({ "quality": 100 })).expect("a result");
    assert!(kept.report.kept_original);
    assert_eq!(kept.bytes, None, "there is nothing to take out");
}
