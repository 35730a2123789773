//! RGB of 8 bits to the planes that are encoded, and back: BT.601 as in the product, chroma in the middle of four pixels.

use filepress_av1::{ColorConfig, Picture};

/// The weights of red and blue in luma.
const RED: f32 = 0.299;
const BLUE: f32 = 0.114;
const GREEN: f32 = 1.0 - RED - BLUE;

/// Full range, 10 bits.
pub fn planes(rgb: &[u8], (width, height): (usize, usize), subsampled: bool) -> Picture {
    let scale = 1023.0 / 255.0;
    let mut full = [vec![], vec![], vec![]];
    for &[r, g, b] in rgb.as_chunks::<3>().0 {
        let [r, g, b] = [r, g, b].map(f32::from);
        let y = RED * r + GREEN * g + BLUE * b;
        full[0].push(scale * y);
        full[1].push(512.0 + scale * (b - y) / (2.0 - 2.0 * BLUE));
        full[2].push(512.0 + scale * (r - y) / (2.0 - 2.0 * RED));
    }
    let round = |value: f32| (value + 0.5).clamp(0.0, 1023.0) as u16;
    let mut planes: Vec<Vec<u16>> = Vec::new();
    for (index, plane) in full.iter().enumerate() {
        if index == 0 || !subsampled {
            planes.push(plane.iter().map(|value| round(*value)).collect());
            continue;
        }
        let mut halved = Vec::new();
        for y in (0..height).step_by(2) {
            for x in (0..width).step_by(2) {
                let at = |x: usize, y: usize| plane[y.min(height - 1) * width + x.min(width - 1)];
                halved.push(round(0.25 * (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1))));
            }
        }
        planes.push(halved);
    }
    let mut color = ColorConfig::new(10, false, (subsampled, subsampled));
    (color.color_primaries, color.transfer_characteristics, color.matrix_coefficients) = (1, 13, 6);
    let planes: Vec<&[u16]> = planes.iter().map(Vec::as_slice).collect();
    Picture::from_planes((width, height), color, &planes).unwrap()
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
