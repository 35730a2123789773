//! The rows that come out, and the light that pixels keep.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../../tests/common/light.rs"]
mod light;

use filepress_ycbcr::{Subsampler, convert_rgb};
use light::{lightness_error, vivid};

/// Luma, Cb and Cr of a picture, about zero: whole rows of the picture, and of chroma with half as many samples.
fn subsampled(rgb: &[u8], width: usize, down: usize, adjustment: f32) -> [Vec<f32>; 3] {
    let height = rgb.len() / (3 * width);
    let mut subsampler = Subsampler::new(width, down, adjustment);
    let mut planes = [vec![], vec![], vec![]];
    for row in 0..height.next_multiple_of(down) + down {
        let samples = match rgb.chunks_exact(3 * width).nth(row) {
            Some(pixels) => subsampler.push(|rows| convert_rgb(pixels, rows)),
            None => subsampler.repeat(),
        };
        let Some(samples) = samples else { continue };
        assert_eq!(samples.luma.len(), down * samples.stride);
        for row in samples.luma.chunks_exact(samples.stride) {
            planes[0].extend_from_slice(&row[..width]);
        }
        for (plane, chroma) in planes[1..].iter_mut().zip(samples.chroma) {
            assert_eq!(chroma.len(), samples.stride / 2);
            plane.extend_from_slice(&chroma[..width.div_ceil(2)]);
        }
    }
    planes[0].truncate(width * height);
    planes
}

/// The samples of chroma that a decoder shows for a pixel, by linear interpolation.
fn shown(plane: &[f32], (width, height): (usize, usize), (x, y): (usize, usize), down: usize) -> f32 {
    // The nearest sample and the next one, with the share of that.
    let places = |at: usize, count: usize, size: usize| {
        let near = at / size;
        let next = if at.is_multiple_of(2) { near.saturating_sub(1) } else { (near + 1).min(count - 1) };
        if size == 1 { [(near, 1.0), (near, 0.0)] } else { [(near, 0.75), (next, 0.25)] }
    };
    let mut sum = 0.0;
    for (row, vertical) in places(y, height, down) {
        for (column, horizontal) in places(x, width, 2) {
            sum += vertical * horizontal * plane[row * width + column];
        }
    }
    sum
}

/// What decoders show.
fn decoded(rgb: &[u8], width: usize, down: usize, adjustment: f32) -> Vec<u8> {
    let [luma, cb, cr] = subsampled(rgb, width, down, adjustment);
    let size = (width.div_ceil(2), (luma.len() / width).div_ceil(down));
    let color = |(at, y): (usize, &f32)| {
        let [cb, cr] = [&cb, &cr].map(|plane| shown(plane, size, (at % width, at / width), down));
        let (y, red, blue) = (y + 128.0, 1.402 * cr, 1.772 * cb);
        [y + red, y - (0.299 * red + 0.114 * blue) / 0.587, y + blue].map(|sample| sample.round() as u8)
    };
    luma.iter().enumerate().flat_map(color).collect()
}

#[test]
fn pixels_keep_their_light() {
    let pixels = vivid((96, 80));
    for down in [1, 2] {
        let error = |adjustment| lightness_error(&decoded(&pixels, 96, down, adjustment), &pixels);
        let (adjusted, plain) = (error(1.0), error(0.0));
        assert!(adjusted < 0.4 * plain, "{adjusted} instead of {plain}");
    }
}

#[test]
fn all_sizes_have_all_rows_and_plain_pictures_stay_plain() {
    for (width, height) in [(1, 1), (2, 1), (1, 2), (7, 3), (8, 4), (9, 5), (17, 16), (33, 2)] {
        for down in [1, 2] {
            let rgb = [200, 40, 90].repeat(width * height);
            let planes = subsampled(&rgb, width, down, 1.0);
            let mut own = [[0.0f32; 1]; 3];
            convert_rgb(&[200, 40, 90], own.each_mut().map(<[f32; 1]>::as_mut_slice));
            assert_eq!(planes[0].len(), width * height);
            for (plane, [sample]) in planes.iter().zip(own) {
                assert!(plane.iter().all(|at| (at - sample).abs() < 1e-3), "{width} × {height}");
            }
            assert_eq!(planes[1].len(), width.div_ceil(2) * height.div_ceil(down));
        }
    }
}

#[test]
fn gray_pictures_keep_their_luma() {
    let (width, height) = (21, 11);
    let rgb: Vec<u8> = (0..width * height).flat_map(|at| [(at * 37 % 256) as u8; 3]).collect();
    let [luma, cb, cr] = subsampled(&rgb, width, 2, 1.0);
    for (at, pixel) in rgb.as_chunks::<3>().0.iter().enumerate() {
        assert!((luma[at] + 128.0 - f32::from(pixel[0])).abs() < 1e-3);
    }
    assert!(cb.iter().chain(&cr).all(|sample| sample.abs() < 1e-3));
}

#[test]
fn a_restart_forgets_the_picture_before() {
    let (width, pixels) = (12, vivid((12, 8)));
    let mut subsampler = Subsampler::new(width, 2, 1.2);
    let mut all = |rgb: &[u8]| -> Vec<f32> {
        subsampler.restart();
        let mut all = vec![];
        for row in rgb.chunks_exact(3 * width) {
            if let Some(samples) = subsampler.push(|rows| convert_rgb(row, rows)) {
                all.extend_from_slice(samples.luma);
                samples.chroma.iter().for_each(|chroma| all.extend_from_slice(chroma));
            }
        }
        all
    };
    let first = all(&pixels);
    let other: Vec<u8> = pixels.iter().rev().copied().collect();
    assert_ne!(all(&other), first);
    assert_eq!(all(&pixels), first);
}

#[test]
fn bright_pixels_decide_the_chroma_that_they_share() {
    // Black beside red: the red of both together is that of a darker red, not of half as much of it.
    let rgb = [255, 0, 0, 0, 0, 0].repeat(4 * 4);
    let [_, _, cr] = subsampled(&rgb, 8, 2, 1.0);
    let mut own = [[0.0f32; 1]; 3];
    convert_rgb(&[255, 0, 0], own.each_mut().map(<[f32; 1]>::as_mut_slice));
    assert!(cr.iter().all(|&sample| sample > 0.75 * own[2][0]), "{cr:?}");
}
