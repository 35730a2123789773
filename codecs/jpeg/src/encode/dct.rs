//! The forward transform of a block (ITU-T T.81, A.3.3).
//!
//! In IEEE 754 additions and multiplications in a fixed order: the same coefficients on every machine.

use super::blocks::{BLOCK, NATURAL};

/// Coefficients that are not quantized are this many times their value.
pub(crate) const SCALE: i32 = 8;

/// cos(k π / 16) / 2.
pub(crate) const COSINES: [f32; 8] =
    [0.5, 0.490_392_64, 0.461_939_77, 0.415_734_8, 0.353_553_4, 0.277_785_12, 0.191_341_71, 0.097_545_16];

/// Adding and subtracting it rounds to whole numbers.
pub(crate) const ROUNDING: f32 = 12_582_912.0;

type Matrix = [[f32; 8]; 8];

/// Where a coefficient in zigzag order stands in a block column by column.
const TRANSPOSED: [u8; BLOCK] = {
    let mut transposed = [0; BLOCK];
    let mut k = 0;
    while k < BLOCK {
        transposed[k] = NATURAL[k] % 8 * 8 + NATURAL[k] / 8;
        k += 1;
    }
    transposed
};

/// The coefficients of samples about zero, in zigzag order and times [`SCALE`].
pub(crate) fn forward(samples: &Matrix) -> [i16; BLOCK] {
    let columns = transform(samples);
    let mut rows = [[0.0; 8]; 8];
    for (y, row) in columns.iter().enumerate() {
        for (x, &value) in row.iter().enumerate() {
            rows[x][y] = value;
        }
    }
    let coefficients = transform(&rows);
    let mut rounded = [0; BLOCK];
    for (to, from) in rounded.as_chunks_mut::<8>().0.iter_mut().zip(&coefficients) {
        // The sum has the whole number in its lowest bits.
        *to = from.map(|value| (value * SCALE as f32 + ROUNDING).to_bits() as i16);
    }
    TRANSPOSED.map(|at| rounded[usize::from(at)])
}

/// One dimension, of eight columns side by side. Code for each of its two calls would be larger, and no faster.
#[inline(never)]
fn transform(x: &Matrix) -> Matrix {
    let mut out = [[0.0; 8]; 8];
    let [_, c1, c2, c3, c4, c5, c6, c7] = COSINES;
    for lane in 0..8 {
        let (s0, s1, s2, s3) = (
            x[0][lane] + x[7][lane],
            x[1][lane] + x[6][lane],
            x[2][lane] + x[5][lane],
            x[3][lane] + x[4][lane],
        );
        let (d0, d1, d2, d3) = (
            x[0][lane] - x[7][lane],
            x[1][lane] - x[6][lane],
            x[2][lane] - x[5][lane],
            x[3][lane] - x[4][lane],
        );
        let (a, b, c, d) = (s0 + s3, s1 + s2, s0 - s3, s1 - s2);
        out[0][lane] = (a + b) * c4;
        out[4][lane] = (a - b) * c4;
        out[2][lane] = c * c2 + d * c6;
        out[6][lane] = c * c6 - d * c2;
        out[1][lane] = (d0 * c1 + d1 * c3) + (d2 * c5 + d3 * c7);
        out[3][lane] = (d0 * c3 - d1 * c7) - (d2 * c1 + d3 * c5);
        out[5][lane] = (d0 * c5 - d1 * c1) + (d2 * c7 + d3 * c3);
        out[7][lane] = (d0 * c7 - d1 * c5) + (d2 * c3 - d3 * c1);
    }
    out
}
