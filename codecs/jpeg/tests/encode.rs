//! The encoder through its public interface; files are decoded by libjpeg-turbo's port.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../../tests/common/light.rs"]
mod light;

use filepress_jpeg::{Color, Error, Prepared, Preparer, Sampling, Settings, Tuning, encode, encode_with};
use libjpeg_turbo_rs::{PixelFormat, decompress_to};
use light::{lightness_error, vivid};

const SAMPLINGS: [Sampling; 3] = [Sampling::S444, Sampling::S422, Sampling::S420];

/// A picture with gradients, texture and an edge; 3 bytes a pixel.
fn picture(width: usize, height: usize) -> Vec<u8> {
    let mut seed = 7_u32;
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let grain = (seed >> 28) as usize;
            let edge = if x > width / 2 { 90 } else { 0 };
            pixels.extend([
                (x * 2 + edge + grain) as u8,
                (y * 2 + grain).min(255) as u8,
                (40 + (x + y) / 2 + edge) as u8,
            ]);
        }
    }
    pixels
}

fn prepared(pixels: &[u8], size: (u16, u16), color: Color, sampling: Sampling) -> Prepared {
    let mut preparer = Preparer::new(size.0, size.1, color, sampling).unwrap();
    preparer.push_rows(pixels).unwrap();
    preparer.finish().unwrap()
}

fn decoded(file: &[u8], color: Color) -> Vec<u8> {
    let format = if color == Color::Rgb { PixelFormat::Rgb } else { PixelFormat::Grayscale };
    decompress_to(file, format).unwrap().data
}

fn mean_error(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(&a, &b)| f64::from(a.abs_diff(b))).sum::<f64>() / a.len() as f64
}

#[test]
fn every_size_sampling_and_scan_decodes_near_the_original() {
    let mut files = 0;
    for (width, height) in [(1, 1), (7, 9), (8, 8), (16, 16), (17, 15), (33, 1), (1, 40), (64, 23), (100, 77)]
    {
        let pixels = picture(width, height);
        let gray: Vec<u8> = pixels.chunks(3).map(|pixel| pixel[1]).collect();
        let size = (width as u16, height as u16);
        for progressive in [false, true] {
            for trellis in [false, true] {
                let settings = Settings { quality: 95.0, progressive, trellis };
                let file = encode(&gray, size, Color::Gray, Sampling::S420, &settings).unwrap();
                assert!(mean_error(&decoded(&file, Color::Gray), &gray) < 3.0, "gray {width} × {height}");
                for sampling in SAMPLINGS {
                    let file = encode(&pixels, size, Color::Rgb, sampling, &settings).unwrap();
                    let error = mean_error(&decoded(&file, Color::Rgb), &pixels);
                    // Chroma has a hard edge.
                    let most = if sampling == Sampling::S444 { 4.0 } else { 12.0 };
                    assert!(
                        error < most,
                        "{error} at {width} × {height}, {sampling:?}, {progressive}, {trellis}"
                    );
                    files += 1;
                }
            }
        }
    }
    assert_eq!(files, 108);
}

#[test]
fn bytes_and_likeness_grow_with_quality() {
    let pixels = picture(160, 120);
    let mut before = (0, f64::MAX);
    for quality in [10.0, 40.0, 70.0, 90.0, 100.0] {
        let settings = Settings { quality, ..Settings::default() };
        let file = encode(&pixels, (160, 120), Color::Rgb, Sampling::S444, &settings).unwrap();
        let error = mean_error(&decoded(&file, Color::Rgb), &pixels);
        assert!(
            file.len() > before.0 && error < before.1,
            "quality {quality}: {} bytes, {error}",
            file.len()
        );
        before = (file.len(), error);
    }
    assert!(before.1 < 1.0, "quality 100 is off by {}", before.1);
}

#[test]
fn rows_may_come_in_any_portions() {
    let (width, height) = (70_u16, 61_u16);
    let pixels = picture(width.into(), height.into());
    let row = 3 * usize::from(width);
    for sampling in SAMPLINGS {
        let settings = Settings::default();
        let whole = prepared(&pixels, (width, height), Color::Rgb, sampling).encode(&settings).unwrap();
        for rows in [1, 5, 16, 40] {
            let mut preparer = Preparer::new(width, height, Color::Rgb, sampling).unwrap();
            pixels.chunks(rows * row).for_each(|rows| preparer.push_rows(rows).unwrap());
            assert!(preparer.finish().unwrap().into_file(&settings).unwrap() == whole, "{rows} rows at once");
        }
    }
}

#[test]
fn a_prepared_picture_is_encoded_as_if_for_the_first_time() {
    let pixels = picture(90, 50);
    let picture = prepared(&pixels, (90, 50), Color::Rgb, Sampling::S420);
    for quality in [80.0, 30.0, 80.0] {
        let settings = Settings { quality, ..Settings::default() };
        let once = encode(&pixels, (90, 50), Color::Rgb, Sampling::S420, &settings).unwrap();
        assert!(picture.encode(&settings).unwrap() == once);
    }
}

#[test]
fn estimates_grow_as_files_do() {
    for (size, color, sampling) in [
        ((300, 200), Color::Rgb, Sampling::S420),
        ((257, 190), Color::Rgb, Sampling::S444),
        ((640, 480), Color::Gray, Sampling::S420),
    ] {
        let pixels = picture(usize::from(size.0), usize::from(size.1));
        let pixels = if color == Color::Gray { pixels.into_iter().step_by(3).collect() } else { pixels };
        let picture = prepared(&pixels, size, color, sampling);
        let estimator = picture.estimator().unwrap();
        let ratios = (2..=9).map(|tenths| {
            let quality = 10.0 * tenths as f32;
            let file = picture.encode(&Settings { quality, ..Settings::default() }).unwrap();
            estimator.bytes(quality) as f64 / file.len() as f64
        });
        let ratios: Vec<f64> = ratios.collect();
        assert!(ratios.iter().all(|ratio| (0.5..2.1).contains(ratio)), "{size:?}: {ratios:?}");
        let mut steps = ratios.windows(2).map(|pair| (pair[1] / pair[0] - 1.0).abs());
        assert!(steps.all(|step| step < 0.2), "{size:?}: {ratios:?}");
        let bytes: Vec<u64> = (10..=100).map(|quality| estimator.bytes(quality as f32)).collect();
        assert!(bytes.is_sorted() && bytes[90] > 2 * bytes[40], "{size:?}: {bytes:?}");
    }
}

#[test]
fn a_plain_picture_is_estimated_to_take_little() {
    let picture = prepared(&[100; 64 * 64 * 3], (64, 64), Color::Rgb, Sampling::S420);
    let estimator = picture.estimator().unwrap();
    assert!((100..1500).contains(&estimator.bytes(75.0)), "{}", estimator.bytes(75.0));
    assert_eq!(estimator.bytes(f32::NAN), estimator.bytes(100.0));
}

#[test]
fn the_trellis_and_progressive_scans_take_fewer_bytes() {
    let pixels = picture(200, 150);
    let len = |progressive, trellis| {
        let settings = Settings { quality: 70.0, progressive, trellis };
        encode(&pixels, (200, 150), Color::Rgb, Sampling::S420, &settings).unwrap().len()
    };
    assert!(len(true, true) < len(true, false));
    assert!(len(true, true) < len(false, true));
    assert!(len(false, true) < len(false, false));
}

#[test]
fn a_checkerboard_beside_plain_gray_keeps_its_pattern_at_quality_50() {
    let (width, height) = (64, 64);
    let sample = |x: usize, y: usize| if x < 32 { 128 } else { 96 + 64 * ((x / 2 + y / 2) % 2) as u8 };
    let pixels: Vec<u8> = (0..width * height).flat_map(|at| [sample(at % width, at / width); 3]).collect();
    let settings = Settings { quality: 50.0, ..Settings::default() };
    let file = encode(&pixels, (64, 64), Color::Rgb, Sampling::S420, &settings).unwrap();
    let result = decoded(&file, Color::Rgb);
    let right = (0..width * height).filter(|at| at % width >= 36);
    let wrong = right.filter(|&at| (result[3 * at] > 128) != (pixels[3 * at] > 128)).count();
    assert!(wrong < 40, "{wrong} of the pattern's pixels are on the wrong side of gray");
}

#[test]
fn arguments_without_a_meaning_are_refused() {
    let refused = |result: Result<Preparer, Error>| matches!(result, Err(Error::Argument(_)));
    assert!(refused(Preparer::new(0, 5, Color::Rgb, Sampling::S444)));
    assert!(refused(Preparer::new(5, 0, Color::Gray, Sampling::S444)));
    let new = || Preparer::new(4, 2, Color::Rgb, Sampling::S420).unwrap();
    let mut preparer = new();
    assert!(matches!(preparer.push_rows(&[0; 13]), Err(Error::Argument(_))));
    assert!(matches!(new().finish(), Err(Error::Argument(_))));
    preparer.push_rows(&[0; 24]).unwrap();
    assert!(matches!(preparer.push_rows(&[0; 12]), Err(Error::Argument(_))));
    assert!(preparer.finish().is_ok());
}

#[test]
fn pixels_keep_their_light_when_chroma_is_subsampled() {
    let size = (96, 80);
    let pixels = vivid((96, 80));
    let settings = Settings { quality: 97.0, ..Settings::default() };
    for sampling in [Sampling::S422, Sampling::S420] {
        let error = |luma_adjustment| {
            let tuning = Tuning { luma_adjustment, ..Tuning::DEFAULT };
            let file = encode_with(&pixels, size, Color::Rgb, sampling, &settings, &tuning).unwrap();
            lightness_error(&decoded(&file, Color::Rgb), &pixels)
        };
        let (adjusted, plain) = (error(Tuning::DEFAULT.luma_adjustment), error(0.0));
        assert!(adjusted < 0.6 * plain, "{sampling:?}: {adjusted} instead of {plain}");
    }
}
