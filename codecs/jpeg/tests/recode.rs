//! Files that are encoded again without decoding them to pixels, beside those that are decoded and encoded.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use filepress_jpeg::{
    Color, DecodeOptions, Encoder, Error, Prepared, Preparer, Sampling, Scans, Segments, Settings, Turn,
    decode_coefficients, encode, marker_segments, prepare_file, read_header, recode, write_coefficients,
};
use libjpeg_turbo_rs::{PixelFormat, decompress_to};

const SAMPLINGS: [Sampling; 3] = [Sampling::S444, Sampling::S422, Sampling::S420];
const SIZES: [(u16, u16); 7] = [(1, 1), (8, 8), (9, 17), (31, 5), (64, 48), (100, 77), (129, 130)];

fn at(quality: f32) -> Settings {
    Settings { quality, ..Settings::default() }
}

/// Waves and an edge, in two colors.
fn picture((width, height): (u16, u16)) -> Vec<u8> {
    let mut pixels = Vec::new();
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let (u, v) = (f64::from(x), f64::from(y));
        let wave = (u / 3.0).sin() * 30.0 + (v / 5.0).cos() * 30.0;
        let edge = if u + v > f64::from(width / 2 + height / 2) { 60.0 } else { 0.0 };
        pixels.extend(
            [110.0 + wave + edge, 120.0 - edge + v / 2.0, 90.0 + wave * 0.5 + u / 2.0].map(|v| v as u8),
        );
    }
    pixels
}

fn file(size: (u16, u16), sampling: Sampling) -> Vec<u8> {
    encode(&picture(size), size, Color::Rgb, sampling, &at(94.0)).unwrap()
}

fn pixels(file: &[u8]) -> Vec<u8> {
    decompress_to(file, PixelFormat::Rgb).unwrap().data
}

fn mean_error(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(&a, &b)| f64::from(a.abs_diff(b)).powi(2)).sum::<f64>() / a.len() as f64
}

/// Whether `other` has a higher resolution of chroma.
fn finer(own: Sampling, other: Sampling) -> bool {
    let place = |sampling| SAMPLINGS.iter().position(|&one| one == sampling);
    place(other) < place(own)
}

fn recoded(file: &[u8], sampling: Sampling, quality: f32) -> Vec<u8> {
    let (made, damage) = recode(file, DecodeOptions::default(), sampling, &at(quality)).unwrap().unwrap();
    assert_eq!(damage, None);
    made
}

#[test]
fn less_is_lost_than_by_way_of_pixels() {
    let mut files = 0;
    for size in SIZES {
        for own in SAMPLINGS {
            let source = file(size, own);
            let shown = pixels(&source);
            for quality in [40.0, 80.0, 95.0] {
                for wanted in SAMPLINGS {
                    let made = recoded(&source, wanted, quality);
                    // Chroma is not made finer than it was.
                    let usual = if finer(own, wanted) { own } else { wanted };
                    let usual = encode(&shown, size, Color::Rgb, usual, &at(quality)).unwrap();
                    let [error, usual] = [&made, &usual].map(|file| mean_error(&pixels(file), &shown));
                    // Of a few blocks, what is beyond the picture counts as much as what is in it.
                    let most = if size.0 < 48 { usual * 2.0 + 40.0 } else { usual * 1.15 + 3.0 };
                    assert!(
                        error <= most,
                        "{size:?}, {own:?} as {wanted:?} at {quality}: {error:.2}, not {usual:.2}"
                    );
                    files += 1;
                }
            }
        }
    }
    assert_eq!(files, SIZES.len() * 27);
}

#[test]
fn chroma_has_the_lower_of_both_resolutions() {
    let factors = |file: &[u8]| read_header(file, DecodeOptions::default()).unwrap().sampling[0];
    let (width, height) = (64, 64);
    for (own, wanted, made) in [
        (Sampling::S444, Sampling::S444, (1, 1)),
        (Sampling::S444, Sampling::S422, (2, 1)),
        (Sampling::S444, Sampling::S420, (2, 2)),
        (Sampling::S422, Sampling::S444, (2, 1)),
        (Sampling::S422, Sampling::S420, (2, 2)),
        (Sampling::S420, Sampling::S444, (2, 2)),
    ] {
        assert_eq!(factors(&recoded(&file((width, height), own), wanted, 80.0)), made, "{own:?}, {wanted:?}");
    }
    // 4:4:0, as a camera that was turned has it.
    let source = file((width, height), Sampling::S422);
    let (mut turned, _) = decode_coefficients(&source, DecodeOptions::default()).unwrap();
    turned.turn(Turn::Rotate90).unwrap();
    let segments = marker_segments(&source, Segments::Color);
    let turned = write_coefficients(turned, &segments, Scans::Smallest).unwrap();
    assert_eq!(factors(&turned), (1, 2));
    let made = recoded(&turned, Sampling::S420, 80.0);
    assert_eq!(factors(&made), (2, 2));
    assert!(mean_error(&pixels(&made), &pixels(&turned)) < 60.0);
    let finer = recode(&turned, DecodeOptions::default(), Sampling::S444, &at(80.0)).unwrap();
    assert!(finer.is_none(), "the encoder has no 4:4:0");
}

#[test]
fn the_scans_of_a_file_make_no_difference() {
    for size in SIZES {
        for own in SAMPLINGS {
            let source = file(size, own);
            let segments = marker_segments(&source, Segments::Color);
            let made = [Scans::Sequential, Scans::Progressive].map(|scans| {
                let (coefficients, _) = decode_coefficients(&source, DecodeOptions::default()).unwrap();
                let file = write_coefficients(coefficients, &segments, scans).unwrap();
                recoded(&file, Sampling::S420, 70.0)
            });
            assert_eq!(made[0], made[1], "{size:?}, {own:?}");
        }
    }
}

#[test]
fn gray_stays_gray() {
    let size = (50, 41);
    let gray: Vec<u8> = picture(size).chunks(3).map(|pixel| pixel[1]).collect();
    let source = encode(&gray, size, Color::Gray, Sampling::S420, &at(90.0)).unwrap();
    let made = recoded(&source, Sampling::S420, 60.0);
    assert_eq!(read_header(&made, DecodeOptions::default()).unwrap().sampling, [(1, 1)]);
    let [a, b] = [&made, &source].map(|file| decompress_to(file, PixelFormat::Grayscale).unwrap().data);
    assert!(mean_error(&a, &b) < 30.0);
    assert!(made.len() < source.len());
}

#[test]
fn what_is_prepared_makes_the_same_files() {
    let size = (90, 70);
    let pixels = picture(size);
    let mut preparer = Preparer::new(size.0, size.1, Color::Rgb, Sampling::S420).unwrap();
    preparer.push_rows(&pixels).unwrap();
    let of_pixels = preparer.finish().unwrap();
    let source = file(size, Sampling::S444);
    let (of_file, _): (Prepared, _) =
        prepare_file(&source, DecodeOptions::default(), Sampling::S420).unwrap().unwrap();
    for quality in [1.0, 30.0, 75.0, 89.0, 97.0, 100.0] {
        let mut encoder = Encoder::new(size.0, size.1, Color::Rgb, Sampling::S420, &at(quality)).unwrap();
        encoder.push_rows(&pixels).unwrap();
        assert_eq!(encoder.finish().unwrap(), of_pixels.encode(&at(quality)).unwrap(), "{quality}");
        let made = of_file.encode(&at(quality)).unwrap();
        assert_eq!(recoded(&source, Sampling::S420, quality), made, "{quality}");
    }
}

#[test]
fn damage_is_told_and_refused_if_decoding_is_strict() {
    for scans in [Scans::Sequential, Scans::Progressive] {
        let source = file((129, 130), Sampling::S420);
        let (coefficients, _) = decode_coefficients(&source, DecodeOptions::default()).unwrap();
        let whole =
            write_coefficients(coefficients, &marker_segments(&source, Segments::Color), scans).unwrap();
        let cut = &whole[..whole.len() * 2 / 3];
        let (made, damage) =
            recode(cut, DecodeOptions::default(), Sampling::S420, &at(80.0)).unwrap().unwrap();
        assert!(damage.unwrap().share > 0.0);
        assert_eq!(pixels(&made).len(), 129 * 130 * 3);
        let strict = DecodeOptions { strict: true, ..DecodeOptions::default() };
        let refused = recode(cut, strict, Sampling::S420, &at(80.0));
        assert!(matches!(refused, Err(Error::Corrupt(_))));
    }
}
