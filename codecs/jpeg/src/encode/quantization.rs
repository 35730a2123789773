//! Quantization tables by quality.

use super::blocks::{BLOCK, NATURAL};
use super::tuning::Tuning;

/// Distances from DC, in frequencies, at which steps are given; those between are interpolated.
const RADII: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0, 10.0];

/// The steps of luma, Cb and Cr in zigzag order, 1 to 255.
pub(crate) fn tables(quality: f32, tuning: &Tuning) -> [[u16; BLOCK]; 3] {
    let scale = scale(quality, tuning);
    std::array::from_fn(|component| {
        NATURAL.map(|natural| {
            let (u, v) = (f32::from(natural % 8), f32::from(natural / 8));
            let squares = u * u + v * v;
            let diagonal =
                if squares > 0.0 { 1.0 + tuning.diagonal[component] * 2.0 * u * v / squares } else { 1.0 };
            let step = knot(&tuning.knots[component], squares.sqrt()) * diagonal * scale;
            (step + 0.5).clamp(1.0, 255.0) as u16
        })
    })
}

fn knot(knots: &[f32; 8], radius: f32) -> f32 {
    let at = (1..RADII.len() - 1).find(|&at| radius < RADII[at]).unwrap_or(RADII.len() - 1);
    let part = (radius - RADII[at - 1]) / (RADII[at] - RADII[at - 1]);
    knots[at - 1] + part * (knots[at] - knots[at - 1])
}

/// What steps are multiplied with: from quality 90 on it falls to nothing at 100.
fn scale(quality: f32, tuning: &Tuning) -> f32 {
    let quality = quality.clamp(0.0, 100.0) / 10.0;
    if quality > 9.0 {
        return exp2(tuning.scales[9]) * (10.0 - quality);
    }
    let at = (quality as usize).min(8);
    let part = quality - at as f32;
    exp2(tuning.scales[at] + part * (tuning.scales[at + 1] - tuning.scales[at]))
}

/// 2 to the power of `x`, to five digits and the same on every machine.
fn exp2(x: f32) -> f32 {
    let whole = x.floor();
    let part = (x - whole) * std::f32::consts::LN_2;
    let mut sum = 1.0;
    for divisor in (1..=7).rev() {
        sum = 1.0 + part / divisor as f32 * sum;
    }
    let power = f32::from_bits((((whole as i32).clamp(-60, 60) + 127) << 23) as u32);
    sum * power
}
