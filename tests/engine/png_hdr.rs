//! PNGs in PQ and HLG: a PNG stays what it is, and other outputs get linear light, or what a screen shows of it.

use filepress_wire::MediaType;
use image::{DynamicImage, GrayAlphaImage, ImageBuffer, LumaA, Rgb, RgbaImage};
use serde_json::{Value, json};

use super::animation_support::{Dice, apng, chunk, chunks, frames};
use super::placeholder::described;
use super::support::{bytes_of, png, read, run};

const PQ: u8 = 16;
const HLG: u8 = 18;
/// 203 cd/m², the white of a page (ITU-R BT.2408), and 1000 cd/m²: code values of PQ and of HLG.
const LEVELS: [(u8, f64, f64); 2] = [(PQ, 0.5807, 0.7518), (HLG, 0.75, 1.0)];
const MASTERING: [u8; 24] = [7; 24];
const LIGHT: [u8; 8] = [9; 8];

/// A PNG with these chunks behind its header.
fn with_chunks(file: &[u8], parts: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let between: Vec<u8> = parts.iter().flat_map(|(kind, data)| chunk(kind, data)).collect();
    [&file[..33], &between, &file[33..]].concat()
}

/// A PNG with the primaries of BT.2020.
fn hdr(picture: impl Into<DynamicImage>, transfer: u8) -> Vec<u8> {
    let parts: [(&[u8; 4], &[u8]); 3] =
        [(b"cICP", &[9, transfer, 0, 1]), (b"mDCV", &MASTERING), (b"cLLI", &LIGHT)];
    with_chunks(&png(picture), &parts)
}

/// White in the left half, and what is brighter in the right one.
fn halves(white: f64, bright: f64) -> ImageBuffer<Rgb<u16>, Vec<u16>> {
    ImageBuffer::from_fn(32, 24, |x, _| {
        Rgb([((if x < 16 { white } else { bright }) * 65_535.0).round() as u16; 3])
    })
}

fn colors_of(file: &[u8]) -> Vec<([u8; 4], Vec<u8>)> {
    chunks(file)
        .into_iter()
        .filter(|(kind, _)| matches!(kind, b"cICP" | b"mDCV" | b"cLLI" | b"iCCP" | b"gAMA" | b"sRGB"))
        .collect()
}

fn made(file: &[u8], options: Value) -> (Vec<u8>, Vec<&'static str>) {
    let output = run(file, options).expect("a result");
    let codes = output.report.warnings.iter().map(|warning| warning.code).collect();
    (bytes_of(&output, file).to_vec(), codes)
}

#[test]
fn a_png_keeps_its_code_values_and_what_they_mean() {
    for (transfer, white, bright) in LEVELS {
        let picture = halves(white, bright);
        let file = hdr(picture.clone(), transfer);
        for metadata in ["keep", "safe", "strip"] {
            let (same, warnings) = made(&file, json!({ "metadata": metadata, "to": "png" }));
            assert_eq!(warnings, [""; 0]);
            assert!(same.len() < file.len(), "{} bytes of {}", same.len(), file.len());
            assert_eq!(colors_of(&same), colors_of(&file));
            assert_eq!(read(&same, "image/png").to_rgb16(), picture);
            let (small, _) = made(&file, json!({ "metadata": metadata, "resize": { "width": 16 } }));
            assert_eq!(colors_of(&small), colors_of(&file));
            let pixel = read(&small, "image/png").to_rgb16().get_pixel(2, 2).0;
            assert_eq!(pixel, picture.get_pixel(0, 0).0);
        }
    }
}

#[test]
fn other_outputs_get_its_light() {
    for (transfer, white, bright) in LEVELS {
        let file = hdr(halves(white, bright), transfer);
        let (light, warnings) = made(&file, json!({ "to": "hdr" }));
        assert_eq!(warnings, [""; 0]);
        let light = read(&light, "image/vnd.radiance").to_rgb32f();
        for (x, expected) in [(4, 1.0), (28, 1000.0 / 203.0)] {
            for part in light.get_pixel(x, 12).0 {
                assert!((part / expected - 1.0).abs() < 0.04, "{part}, not {expected}, transfer {transfer}");
            }
        }
        for to in ["jpeg", "webp"] {
            let (shown, warnings) = made(&file, json!({ "to": to, "quality": 90 }));
            assert_eq!(warnings, ["tone_mapped"], "{to}");
            let shown = read(&shown, &format!("image/{to}")).to_rgb8();
            let [left, right] = [4, 28].map(|x| shown.get_pixel(x, 12).0[1]);
            assert!((215..245).contains(&left) && right > 250, "{to}: {left} and {right}");
        }
    }
}

#[test]
fn gray_with_alpha_and_pictures_of_eight_bits_too() {
    let picture = GrayAlphaImage::from_fn(20, 20, |x, _| LumaA([148, if x < 10 { 255 } else { 128 }]));
    let (shown, warnings) = made(&hdr(picture, PQ), json!({ "to": "webp", "lossless": true }));
    // A level of 148 in 8 bits is 0.5804: nearly white, and not brighter.
    assert_eq!(warnings, [""; 0]);
    let shown = read(&shown, "image/webp").to_rgba8();
    let pixel = shown.get_pixel(15, 5).0;
    assert!(pixel[..3].iter().all(|level| *level >= 253) && pixel[3] == 128, "{pixel:?}");
}

#[test]
fn what_is_added_in_srgb_makes_it_srgb() {
    let file = hdr(halves(0.5807, 0.7518), PQ);
    let padded = json!({ "to": "png", "resize": { "width": 40, "height": 40, "fit": "contain" }, "background": "#ffffff" });
    let (padded, warnings) = made(&file, padded);
    assert_eq!((colors_of(&padded), warnings), (vec![], vec!["tone_mapped"]));
    let clear = json!({ "to": "png", "resize": { "width": 40, "height": 40, "fit": "contain" } });
    let (clear, warnings) = made(&file, clear);
    assert_eq!((colors_of(&clear), warnings), (colors_of(&file), vec![]));
}

#[test]
fn frames_are_shown_as_pictures_are() {
    let parts = Dice::seeded(5).parts((40, 30), 4, false);
    let file = with_chunks(&apng(&parts, 0, 4, None), &[(b"cICP", &[9, HLG, 0, 1])]);
    let (same, _) = made(&file, json!({}));
    assert_eq!(colors_of(&same), colors_of(&file));
    let (moving, _) = made(&file, json!({ "to": "webp", "quality": 100 }));
    let (still, _) = made(&file, json!({ "to": "webp", "lossless": true, "animation": "first" }));
    let first: RgbaImage = read(&still, "image/webp").to_rgba8();
    let shown = &frames(&moving)[0].0;
    let far = first.iter().zip(shown.iter()).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(far.is_some_and(|far| far < 60), "{far:?}");
}

#[test]
fn a_placeholder_shows_what_a_screen_does() {
    let file = hdr(halves(0.5807, 0.5807), PQ);
    assert_eq!(described(&file, MediaType::Png, json!({})).dominant, "#ffffff");
}

#[test]
fn rare_primaries_stay_in_a_png() {
    let file = with_chunks(&png(halves(0.2, 0.7)), &[(b"cICP", &[22, 13, 0, 1])]);
    assert_eq!(colors_of(&made(&file, json!({})).0), colors_of(&file));
    // Those that say nothing do not.
    let file = with_chunks(&png(halves(0.2, 0.7)), &[(b"cICP", &[2, 2, 0, 1])]);
    assert_eq!(colors_of(&made(&file, json!({})).0), []);
}
