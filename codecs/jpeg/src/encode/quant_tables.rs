//! Chooses the quantization tables for a quality: steps by the distance from DC, times a scale. The numbers are in `tuning.rs`; they
//! are not those of annex K of ITU-T T.81.

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
            let step = interpolated(&RADII, &tuning.knots[component], squares.sqrt()) * diagonal * scale;
            // A quality that is no number gives steps that are none.
            ((step + 0.5).clamp(1.0, 255.0) as u16).max(1)
        })
    })
}

/// The value at `x`, between those that are given at `knots`.
fn interpolated<const COUNT: usize>(knots: &[f32; COUNT], values: &[f32; COUNT], x: f32) -> f32 {
    let at = (1..COUNT - 1).find(|&at| x < knots[at]).unwrap_or(COUNT - 1);
    let part = (x - knots[at - 1]) / (knots[at] - knots[at - 1]);
    values[at - 1] + part * (values[at] - values[at - 1])
}

/// Qualities at which the scale is given. Chroma usually has its full resolution from 90 on, and takes finer steps with it.
const QUALITIES: [f32; 11] = [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 89.0, 90.0];

/// What steps are multiplied with: from quality 90 on it falls to nothing at 100.
fn scale(quality: f32, tuning: &Tuning) -> f32 {
    let quality = quality.clamp(0.0, 100.0);
    let last = QUALITIES.len() - 1;
    if quality > QUALITIES[last] {
        return exp2(tuning.scales[last]) * (100.0 - quality) / (100.0 - QUALITIES[last]);
    }
    exp2(interpolated(&QUALITIES, &tuning.scales, quality))
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
