//! How much error a block hides: what a squared error costs in bits, by the texture of the block.

use super::blocks::BLOCK;
use super::dct::SCALE;

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

/// What a squared error of one step costs in bits in a block of this energy; `base` is that of a block without texture, which
/// `masking` halves.
pub(crate) fn lambda(energy: f32, base: f32, masking: f32) -> f32 {
    base / (1.0 + energy / masking)
}
