//! How much error a block hides: what a squared error costs in bits, by the texture of the block and of its neighbors.

use super::blocks::{BLOCK, Component};
use super::dct::SCALE;
use super::tuning::Tuning;

/// The mean square of the AC coefficients of a block.
pub(crate) fn energy(raw: &[i16; BLOCK]) -> f32 {
    let mut sums = [0_i32; 8];
    for row in raw.as_chunks::<8>().0 {
        for lane in 0..8 {
            sums[lane] += (i32::from(row[lane]) * i32::from(row[lane])) >> 6;
        }
    }
    let dc = (i32::from(raw[0]) * i32::from(raw[0])) >> 6;
    (sums.iter().sum::<i32>() - dc) as f32 * (64.0 / 63.0 / (SCALE * SCALE) as f32)
}

/// For each block, what a squared error of one step costs in bits. `energies` are those of the component.
pub(crate) fn lambdas(
    component: &Component,
    energies: &[f32],
    base: f32,
    tuning: &Tuning,
    out: &mut Vec<f32>,
) {
    let (stride, rows) = (component.stride, component.blocks.len() / component.stride.max(1));
    out.clear();
    for y in 0..rows {
        for x in 0..stride {
            let own = energies[y * stride + x];
            let mut calmest = own;
            if tuning.neighbor > 0.0 {
                for y in y.saturating_sub(1)..(y + 2).min(rows) {
                    for x in x.saturating_sub(1)..(x + 2).min(stride) {
                        calmest = calmest.min(energies[y * stride + x]);
                    }
                }
            }
            let energy = own + tuning.neighbor * (calmest - own);
            let masked = 1.0 + energy / tuning.masking;
            let masked = masked + tuning.root * (masked.sqrt() - masked);
            out.push(base / masked);
        }
    }
}
