//! How far pixels are from the picture: squared, and by texture.

use crate::lanes::{Blocks, Lanes, Sums, add, sub};

/// How much each frequency of the texture counts.
const WEIGHTS: [i32; 16] = [38, 32, 20, 9, 32, 28, 17, 7, 20, 17, 10, 4, 9, 7, 4, 2];

/// The sum of squared differences of each block.
#[inline(always)]
pub(crate) fn squared(a: &Blocks, b: &Blocks) -> Sums {
    let mut sums = [0; 8];
    for (a, b) in a.iter().zip(b) {
        let difference = sub(*a, *b);
        for (sum, value) in sums.iter_mut().zip(difference) {
            *sum += i32::from(value) * i32::from(value);
        }
    }
    sums
}

/// The texture of each block: the weighted sum of its Hadamard coefficients without their signs.
#[inline(always)]
pub(crate) fn texture(blocks: &Blocks) -> Sums {
    let mut rows = [[0; 8]; 16];
    for row in 0..4 {
        let values = hadamard(std::array::from_fn(|place| blocks[4 * row + place]));
        rows[4 * row..4 * row + 4].copy_from_slice(&values);
    }
    let mut sums = [0; 8];
    for column in 0..4 {
        let values = hadamard(std::array::from_fn(|place| rows[column + 4 * place]));
        for (place, value) in values.iter().enumerate() {
            for (sum, value) in sums.iter_mut().zip(value) {
                *sum += WEIGHTS[column + 4 * place] * i32::from(value.wrapping_abs());
            }
        }
    }
    sums
}

#[inline(always)]
fn hadamard([c0, c1, c2, c3]: [Lanes; 4]) -> [Lanes; 4] {
    let (a0, a1, a2, a3) = (add(c0, c2), add(c1, c3), sub(c1, c3), sub(c0, c2));
    [add(a0, a1), add(a3, a2), sub(a3, a2), sub(a0, a1)]
}
