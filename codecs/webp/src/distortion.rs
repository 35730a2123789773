//! Distortion of reconstructed blocks: squared error, and texture as a perceptual weight on it.

use crate::lanes::{Blocks, LANES, Lanes, Sums};

/// The weight of each Hadamard coefficient in the texture measure, by raster position (`LICENSE-libwebp`).
const TEXTURE_WEIGHTS: [i16; 16] = [38, 32, 20, 9, 32, 28, 17, 7, 20, 17, 10, 4, 9, 7, 4, 2];

/// The sum of squared errors of each block.
#[inline(always)]
pub(crate) fn sse(a: &Blocks, b: &Blocks) -> [i32; LANES] {
    let mut sums = Sums::ZERO;
    for i in (0..16).step_by(2) {
        let pair = [a[i].sub(b[i]), a[i + 1].sub(b[i + 1])];
        sums.add_products(pair, pair);
    }
    sums.array()
}

/// The texture of each block: the weighted sum of the magnitudes of its Hadamard coefficients.
#[inline(always)]
pub(crate) fn texture(blocks: &Blocks) -> [i32; LANES] {
    let mut rows = [Lanes::ZERO; 16];
    for row in 0..4 {
        let values = hadamard(std::array::from_fn(|i| blocks[4 * row + i]));
        rows[4 * row..4 * row + 4].copy_from_slice(&values);
    }
    let mut sums = Sums::ZERO;
    for column in 0..4 {
        let values = hadamard(std::array::from_fn(|i| rows[column + 4 * i]));
        for first in [0, 2] {
            let pair = std::array::from_fn(|next| values[first + next].abs());
            let weights =
                std::array::from_fn(|next| Lanes::splat(TEXTURE_WEIGHTS[column + 4 * (first + next)]));
            sums.add_products(pair, weights);
        }
    }
    sums.array()
}

#[inline(always)]
fn hadamard([c0, c1, c2, c3]: [Lanes; 4]) -> [Lanes; 4] {
    let (a0, a1, a2, a3) = (c0.add(c2), c1.add(c3), c1.sub(c3), c0.sub(c2));
    [a0.add(a1), a3.add(a2), a3.sub(a2), a0.sub(a1)]
}
