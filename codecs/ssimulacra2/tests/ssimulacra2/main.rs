//! Scores compared with those of the crate `ssimulacra2`, an independent implementation.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../common/seed.rs"]
mod seed;

use filepress_ssimulacra2::Reference;
use seed::seed;
use ssimulacra2::{LinearRgb, compute_frame_ssimulacra2};

/// RGBA of shapes, gradients and noise, and a distorted copy whose samples differ by about `off` / 2 at most.
fn pair(width: u32, height: u32, off: u32, alpha: fn(u32) -> u8) -> [Vec<u8>; 2] {
    let mut state = seed(1) as u32;
    let mut noise = move |most: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % (most + 1)
    };
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let samples = match (x / 24 + y / 16) % 3 {
            0 => [x * 3, y * 2, x + y],
            1 => [20, 200, 255],
            _ => [128 + noise(40), 90 + noise(10), noise(255)],
        };
        for sample in samples.map(|sample| sample.min(255)) {
            one.push(sample as u8);
            other.push((sample + noise(off)).saturating_sub(off / 2).min(255) as u8);
        }
        one.push(alpha(x));
        other.push(alpha(x));
    }
    [one, other]
}

/// Linear RGB over black or white.
fn linear_rgb(rgba: &[u8], size: (u32, u32), background: f64) -> LinearRgb {
    let pixels = rgba.chunks(4).map(|pixel| {
        let alpha = f64::from(pixel[3]) / 255.0;
        [0, 1, 2].map(|channel| {
            let sample =
                (f64::from(pixel[channel]) * alpha + background * (1.0 - alpha)).round() as f32 / 255.0;
            if sample <= 0.040_45 { sample / 12.92 } else { ((sample + 0.055) / 1.055).powf(2.4) }
        })
    });
    LinearRgb::new(pixels.collect(), size.0 as usize, size.1 as usize).unwrap()
}

const SIZES: [(u32, u32); 5] = [(8, 8), (67, 99), (200, 131), (256, 40), (320, 240)];

fn opaque(_: u32) -> u8 {
    255
}

fn in_stripes(x: u32) -> u8 {
    [0, 90, 255][(x / 10 % 3) as usize]
}

#[test]
fn scores_are_those_of_the_reference() {
    let mut scores = Vec::new();
    for (width, height) in SIZES {
        for off in [0, 6, 40, 160] {
            let [one, other] = pair(width, height, off, opaque);
            let found = Reference::new(width, height, one.clone(), false, false).score(&other);
            let [first, second] = [&one, &other].map(|rgba| linear_rgb(rgba, (width, height), 0.0));
            let expected = compute_frame_ssimulacra2(first, second).unwrap();
            // The other crate rounds differently.
            assert!((found - expected).abs() < 0.05, "{width} × {height}, {off}: {found}, not {expected}");
            scores.push(found);
        }
    }
    assert!(scores.contains(&100.0) && scores.iter().any(|score| *score < 40.0), "{scores:?}");
}

#[test]
fn transparent_pictures_are_compared_over_black_and_over_white() {
    for (width, height) in SIZES {
        let [one, other] = pair(width, height, 40, in_stripes);
        let found = Reference::new(width, height, one.clone(), true, false).score(&other);
        let over = [0.0, 255.0].map(|background| {
            let [first, second] = [&one, &other].map(|rgba| linear_rgb(rgba, (width, height), background));
            compute_frame_ssimulacra2(first, second).unwrap()
        });
        let expected = over[0].min(over[1]);
        assert!((found - expected).abs() < 0.05, "{width} × {height}: {found}, not {expected}");
    }
}

#[test]
fn a_precomputed_reference_gives_the_same_scores() {
    let mut compared = 0;
    for (width, height) in SIZES.into_iter().chain([(1, 1), (5, 3), (7, 40)]) {
        for (has_alpha, alpha) in [(false, opaque as fn(u32) -> u8), (true, in_stripes)] {
            let [one, _] = pair(width, height, 0, alpha);
            let ready = Reference::new(width, height, one.clone(), has_alpha, true);
            let plain = Reference::new(width, height, one, has_alpha, false);
            for off in [0, 3, 30, 200] {
                let [_, other] = pair(width, height, off, alpha);
                assert_eq!(
                    ready.score(&other).to_bits(),
                    plain.score(&other).to_bits(),
                    "{width} × {height}, {off}"
                );
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 8 * 2 * 4);
}
