//! RGB of 8 bits to the planes that are encoded, and back: BT.601 as in the product, chroma in the middle of four pixels.

use filepress_av1::{ColorConfig, Picture};
use filepress_ycbcr::{Subsampler, convert_rgb};

/// The weights of red and blue in luma.
const RED: f32 = 0.299;
const BLUE: f32 = 0.114;
const GREEN: f32 = 1.0 - RED - BLUE;
/// As in the product.
const LUMA_ADJUSTMENT: f32 = 1.0;

/// Full range, 10 bits.
pub fn planes(rgb: &[u8], (width, height): (usize, usize), subsampled: bool) -> Picture {
    let mut color = ColorConfig::new(10, false, (subsampled, subsampled));
    (color.color_primaries, color.transfer_characteristics, color.matrix_coefficients) = (1, 13, 6);
    let mut planes = [vec![], vec![], vec![]];
    let [luma, blue, red] = &mut planes;
    if subsampled {
        let mut subsampler = Subsampler::new(width, 2, LUMA_ADJUSTMENT);
        let mut rows = rgb.chunks_exact(3 * width);
        while blue.len() < width.div_ceil(2) * height.div_ceil(2) {
            let samples = match rows.next() {
                Some(row) => subsampler.push(|planes| convert_rgb(row, planes)),
                None => subsampler.repeat(),
            };
            let Some(samples) = samples else { continue };
            for row in samples.luma.chunks_exact(samples.stride) {
                quantize(luma, &row[..width], 128.0 * SCALE);
            }
            quantize(blue, &samples.chroma[0][..width.div_ceil(2)], 512.0);
            quantize(red, &samples.chroma[1][..width.div_ceil(2)], 512.0);
        }
        luma.truncate(width * height);
    } else {
        let mut rows = [0, 1, 2].map(|_| vec![0.0; width]);
        for row in rgb.chunks_exact(3 * width) {
            convert_rgb(row, rows.each_mut().map(Vec::as_mut_slice));
            quantize(luma, &rows[0], 128.0 * SCALE);
            quantize(blue, &rows[1], 512.0);
            quantize(red, &rows[2], 512.0);
        }
    }
    let planes: Vec<&[u16]> = planes.iter().map(Vec::as_slice).collect();
    Picture::from_planes((width, height), color, &planes).unwrap()
}

/// What a step of 8 bits is in 10.
const SCALE: f32 = 1023.0 / 255.0;

fn quantize(to: &mut Vec<u16>, from: &[f32], zero: f32) {
    to.extend(from.iter().map(|value| (value * SCALE + zero).round().min(1023.0) as u16));
}

/// Subsampled chroma is interpolated linearly.
pub fn rgb(picture: &Picture) -> Vec<u8> {
    let color = picture.color();
    assert!(color.full_range && matches!(color.matrix_coefficients, 2 | 5 | 6), "BT.601 in full range");
    let scale = 255.0 / ((1 << color.bit_depth) - 1) as f32;
    let middle = (1 << (color.bit_depth - 1)) as f32;
    let mut rgb = Vec::with_capacity(3 * picture.width() * picture.height());
    for y in 0..picture.height() {
        let luma = picture.row(0, y);
        let chroma = |plane: usize, x: usize| match (picture.plane_count(), color.subsampling_x) {
            (1, _) => 0.0,
            (_, true) => scale * (interpolated(picture, plane, (x, y)) - middle),
            _ => scale * (f32::from(picture.row(plane, y)[x]) - middle),
        };
        for (x, luma) in luma.iter().enumerate() {
            let luma = scale * f32::from(*luma);
            let (b, r) = (chroma(1, x) * (2.0 - 2.0 * BLUE), chroma(2, x) * (2.0 - 2.0 * RED));
            let g = -(BLUE * b + RED * r) / GREEN;
            rgb.extend([r, g, b].map(|change| (luma + change + 0.5).clamp(0.0, 255.0) as u8));
        }
    }
    rgb
}

fn interpolated(picture: &Picture, plane: usize, (x, y): (usize, usize)) -> f32 {
    let (width, height) = picture.plane_size(plane);
    // The nearest sample and the next one.
    let pair = |at: usize, count: usize| {
        let near = at / 2;
        let next = if at.is_multiple_of(2) { near.saturating_sub(1) } else { (near + 1).min(count - 1) };
        [near, next]
    };
    let ([x0, x1], [y0, y1]) = (pair(x, width), pair(y, height));
    let row = |y: usize| {
        let row = picture.row(plane, y);
        0.75 * f32::from(row[x0]) + 0.25 * f32::from(row[x1])
    };
    0.75 * row(y0) + 0.25 * row(y1)
}
