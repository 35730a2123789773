//! How much error a block hides: what a squared error costs in bits, by the texture of the block.

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
