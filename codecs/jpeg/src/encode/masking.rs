//! How much error a block hides: what a squared error costs in bits, by the texture and the color of the block.

use super::blocks::BLOCK;
use super::dct::SCALE;
use crate::lanes::squares;

/// The mean square of the AC coefficients of a block.
pub(crate) fn energy(raw: &[i16; BLOCK]) -> f32 {
    let dc = (i32::from(raw[0]) * i32::from(raw[0])) >> 6;
    (squares(raw) - dc) as f32 * (64.0 / 63.0 / (SCALE * SCALE) as f32)
}

/// What a squared error of one step costs in bits in a block of this energy; `base` is that of a block without texture, which
/// `masking` halves.
pub(crate) fn lambda(energy: f32, base: f32, masking: f32) -> f32 {
    base / (1.0 + energy / masking)
}

/// By how much more an error of chroma is seen in a block with this DC coefficient: where much of blue or red is, samples stand for more
/// light. `saturation` is the exponent at the largest coefficient.
pub(crate) fn colorful(dc: i16, saturation: f32) -> f32 {
    /// The largest coefficient.
    const MOST: f32 = (SCALE * 1024) as f32;
    let half = (f32::from(dc) / MOST * saturation).clamp(-1.0, 1.0) * 0.5;
    // About its exponential function, by operations that give the same on every machine.
    (1.0 + half) / (1.0 - half)
}
