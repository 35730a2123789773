//! Pictures beside sums in floating point, and what has to hold for every picture.

use std::convert::Infallible;
use std::f64::consts::PI;

use filepress_resample::{Axis, ComponentAxis, DeepResampler, Resampler, memory};

/// The whole picture, which has `channels` samples a pixel.
fn resized(pixels: &[u8], channels: usize, across: Axis, down: Axis) -> Vec<u8> {
    let mut resampler = Resampler::new(channels, across, down);
    let mut made = Vec::new();
    for row in pixels.chunks_exact(channels * across.size as usize) {
        let put = &mut |row: &[u8]| -> Result<(), Infallible> {
            assert_eq!(row.len(), channels * across.to as usize);
            made.extend_from_slice(row);
            Ok(())
        };
        resampler.push(row, put).unwrap_or_else(|never| match never {});
    }
    made
}

fn axis(size: u32, to: u32) -> Axis {
    Axis { size, start: 0.0, length: size.into(), to }
}

/// Edges and noise.
fn picture(width: u32, height: u32, channels: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut samples = Vec::new();
    for y in 0..height {
        for x in 0..width {
            for channel in 0..channels {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let edge = (x / 7 + y / 5 + channel as u32).is_multiple_of(2);
                samples.push(if edge { 255 - (state >> 26) as u8 } else { (state >> 25) as u8 });
            }
        }
    }
    samples
}

/// The weights of the samples for one of the output.
fn weights(axis: Axis, place: u32) -> Vec<f64> {
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
    let step = axis.length / f64::from(axis.to);
    let center = axis.start + (f64::from(place) + 0.5) * step;
    let kernel = |at: u32| {
        let x = (f64::from(at) + 0.5 - center) / step.max(1.0);
        if x.abs() < 3.0 { sinc(x) * sinc(x / 3.0) } else { 0.0 }
    };
    let all: Vec<f64> = (0..axis.size).map(kernel).collect();
    let sum: f64 = all.iter().sum();
    all.iter().map(|weight| weight / sum).collect()
}

fn expected<S: Copy>(pixels: &[S], channels: usize, across: Axis, down: Axis) -> Vec<f64>
where
    f64: From<S>,
{
    let top = if size_of::<S>() == 1 { 255.0 } else { 65_535.0 };
    let row = channels * across.size as usize;
    let mut made = Vec::new();
    for y in 0..down.to {
        let weights_down = weights(down, y);
        let sums: Vec<f64> = (0..row)
            .map(|at| weights_down.iter().enumerate().map(|(y, w)| w * f64::from(pixels[y * row + at])).sum())
            .collect();
        for x in 0..across.to {
            let weights_across = weights(across, x);
            for channel in 0..channels {
                let samples = sums[channel..].iter().step_by(channels);
                let sum: f64 = weights_across.iter().zip(samples).map(|(w, sample)| w * sample).sum();
                made.push(sum.clamp(0.0, top));
            }
        }
    }
    made
}

#[test]
fn samples_are_the_nearest_ones() {
    let (mut sum, mut count) = (0.0, 0);
    for (size, to) in [
        ((97, 61), (40, 29)),
        ((33, 18), (32, 17)),
        ((33, 40), (33, 10)),
        ((20, 9), (61, 50)),
        ((64, 48), (3, 2)),
        ((50, 3), (7, 1)),
        ((1, 1), (5, 4)),
        ((2, 301), (1, 4)),
        ((900, 700), (1, 1)),
        ((640, 3), (5, 3)),
    ] {
        for channels in [1, 3, 4] {
            let pixels = picture(size.0, size.1, channels);
            let (across, down) = (axis(size.0, to.0), axis(size.1, to.1));
            let parts = [
                (across, down),
                (
                    Axis { start: 0.3 * across.length, length: 0.55 * across.length, ..across },
                    Axis { start: 0.4 * down.length, length: 0.6 * down.length, ..down },
                ),
            ];
            for (across, down) in parts {
                let made = resized(&pixels, channels, across, down);
                let expected = expected(&pixels, channels, across, down);
                assert_eq!(made.len(), expected.len(), "{size:?} to {to:?}");
                let errors = made.iter().zip(&expected).map(|(&made, exact)| (f64::from(made) - exact).abs());
                for error in errors {
                    assert!(error < 0.56, "{size:?} to {to:?}, {channels} channels: off by {error}");
                    sum += error;
                }
                count += made.len();
            }
        }
    }
    // As rounding to the nearest is.
    assert!(sum / (count as f64) < 0.25, "off by {} on average", sum / (count as f64));
}

/// The weights of the samples of a source of chroma for one of the output: by way of pixels.
fn chroma_weights(axis: ComponentAxis, place: u32) -> Vec<f64> {
    let mut made = vec![0.0; axis.size as usize];
    let last = axis.size as usize - 1;
    for number in 0..axis.grouped {
        let pixel = (place * axis.grouped + number).min(axis.pixels.to - 1);
        for (at, weight) in weights(axis.pixels, pixel).into_iter().enumerate() {
            let weight = weight / f64::from(axis.grouped);
            let near = (at * axis.share.1 as usize / axis.share.0 as usize).min(last);
            if axis.share == (2, 1) {
                let far = if at % 2 == 0 { near.saturating_sub(1) } else { (near + 1).min(last) };
                made[near] += weight * 0.75;
                made[far] += weight * 0.25;
            } else {
                made[near] += weight;
            }
        }
    }
    made
}

#[test]
fn chroma_is_what_becomes_of_its_pixels() {
    let mut count = 0;
    for (width, height, to) in [
        (97, 60, (40, 29)),
        (33, 18, (32, 17)),
        (40, 9, (61, 50)),
        (64, 48, (3, 2)),
        (1, 1, (3, 1)),
        (90, 2, (7, 5)),
    ] {
        for (share, grouped) in [((2, 1), 2), ((1, 1), 2), ((2, 1), 1), ((4, 1), 2), ((3, 2), 1), ((1, 1), 1)]
        {
            let axis = |size: u32, to: u32, from: f64, part: f64| {
                let (start, length) = (from * f64::from(size), part * f64::from(size));
                let samples = (size * share.1).div_ceil(share.0);
                ComponentAxis { pixels: Axis { size, start, length, to }, size: samples, share, grouped }
            };
            for (from, part) in [(0.0, 1.0), (0.3, 0.55)] {
                let (across, down) = (axis(width, to.0, from, part), axis(height, to.1, from, part));
                let samples = picture(across.size, down.size, 1);
                let mut resampler = Resampler::of_component(across, down);
                let mut made = Vec::new();
                for row in samples.chunks_exact(across.size as usize) {
                    let put = &mut |row: &[u8]| -> Result<(), Infallible> {
                        made.extend_from_slice(row);
                        Ok(())
                    };
                    resampler.push(row, put).unwrap_or_else(|never| match never {});
                }
                let size = (to.0.div_ceil(grouped), to.1.div_ceil(grouped));
                assert_eq!(made.len(), (size.0 * size.1) as usize);
                for (at, &sample) in made.iter().enumerate() {
                    let (x, y) = (at as u32 % size.0, at as u32 / size.0);
                    let (across, down) = (chroma_weights(across, x), chroma_weights(down, y));
                    let rows = samples.chunks_exact(across.len());
                    let sum: f64 = rows
                        .zip(&down)
                        .map(|(row, w)| {
                            w * row.iter().zip(&across).map(|(&sample, w)| w * f64::from(sample)).sum::<f64>()
                        })
                        .sum();
                    let error = (f64::from(sample) - sum.clamp(0.0, 255.0)).abs();
                    assert!(
                        error < 0.6,
                        "{width} × {height} to {to:?}, {share:?}, {grouped}: off by {error}"
                    );
                    count += 1;
                }
            }
        }
    }
    assert!(count > 5000);
}

#[test]
fn a_part_in_its_own_size_is_cut_out() {
    let pixels = picture(40, 30, 3);
    let across = Axis { size: 40, start: 5.0, length: 21.0, to: 21 };
    let down = Axis { size: 30, start: 7.0, length: 16.0, to: 16 };
    let cut: Vec<u8> = (7..23).flat_map(|y| &pixels[(y * 40 + 5) * 3..(y * 40 + 26) * 3]).copied().collect();
    assert_eq!(resized(&pixels, 3, across, down), cut);
}

#[test]
fn plain_areas_keep_their_color() {
    for (size, to) in [((3000, 40), (11, 7)), ((31, 29), (30, 28)), ((5, 5), (300, 200))] {
        for color in [[0, 1, 127], [128, 254, 255]] {
            let pixels = color.repeat((size.0 * size.1) as usize);
            let made = resized(&pixels, 3, axis(size.0, to.0), axis(size.1, to.1));
            assert_eq!(made, color.repeat((to.0 * to.1) as usize), "{size:?} to {to:?}");
        }
    }
}

#[test]
fn rows_are_handed_over_as_soon_as_they_are_complete() {
    let (across, down) = (axis(16, 8), axis(100, 50));
    let mut resampler = Resampler::new(1, across, down);
    let mut rows = 0;
    for taken in 1..=100 {
        let put = &mut |_: &[u8]| -> Result<(), Infallible> {
            rows += 1;
            Ok(())
        };
        resampler.push(&[9; 16], put).unwrap_or_else(|never| match never {});
        // Of a window of 14 rows, at most, which begins at an even one.
        let complete = if taken == 100 { 50 } else { (taken - 14_i32).max(0) / 2 };
        assert!(rows >= complete, "{rows} of {complete} after {taken}");
    }
    assert_eq!(rows, 50);
}

#[test]
fn an_error_of_the_taker_is_handed_on() {
    let mut resampler = Resampler::new(1, axis(4, 4), axis(1, 1));
    assert_eq!(resampler.push(&[0; 4], &mut |_| Err("full")), Err("full"));
}

#[test]
fn memory_does_not_grow_with_the_height() {
    let width = axis(4000, 1600);
    let of = |height: u32| memory(3, width, axis(height, height * 2 / 5));
    assert!(of(3000) < 600_000 && of(30_000) < 1_200_000, "{} and {}", of(3000), of(30_000));
}

#[test]
fn deep_samples_are_the_nearest_ones() {
    let sizes = [
        ((61, 50), (20, 17)),
        ((40, 31), (90, 77)),
        ((33, 9), (32, 9)),
        ((1, 1), (3, 2)),
        ((500, 4), (7, 3)),
    ];
    for ((width, height), (columns, rows)) in sizes {
        for channels in 1..=4 {
            let pixels: Vec<u16> = picture(width, height, channels)
                .into_iter()
                .enumerate()
                .map(|(at, sample)| (u16::from(sample) * 257) ^ (at as u16 & 63))
                .collect();
            let part = Axis { start: 0.3, length: f64::from(width) - 0.5, ..axis(width, columns) };
            for across in [axis(width, columns), part] {
                let down = axis(height, rows);
                let mut resampler = DeepResampler::new(channels, across, down);
                let mut made: Vec<u16> = Vec::new();
                for row in pixels.chunks_exact(channels * width as usize) {
                    let put = &mut |row: &[u16]| -> Result<(), Infallible> {
                        made.extend_from_slice(row);
                        Ok(())
                    };
                    resampler.push(row, put).unwrap_or_else(|never| match never {});
                }
                let expected = expected(&pixels, channels, across, down);
                assert_eq!(made.len(), expected.len(), "{width} × {height}");
                for (made, expected) in made.iter().zip(expected) {
                    assert!((f64::from(*made) - expected).abs() < 0.6, "{made} instead of {expected}");
                }
            }
        }
    }
}

#[test]
fn deep_pictures_of_one_color_stay_so() {
    for level in [0, 1, 32_768, 65_534, u16::MAX] {
        let mut resampler = DeepResampler::new(1, axis(173, 59), axis(91, 40));
        for _ in 0..91 {
            let put = &mut |row: &[u16]| -> Result<(), Infallible> {
                assert!(row.iter().all(|sample| *sample == level), "{row:?} instead of {level}");
                Ok(())
            };
            resampler.push(&[level; 173], put).unwrap_or_else(|never| match never {});
        }
    }
}
