//! The inverse cosine transform of 8 × 8 numbers (DCT-III; Chen, Smith and Fralick 1977): even and odd coefficients of each line apart.
//!
//! Sums of 32-bit floats depend on their order, and results are rounded to 16 bits: decoders differ by a step of these in some of 10,000
//! numbers.

/// 8 rows of 8 numbers.
pub(super) type Square = [f32; 64];

const SIDE: usize = 8;

/// Half the cosines of 1 to 7 times π/16, with the scale of the mean, √⅛, in place of 0 and 4. They come of π as 3.14159, as in the
/// writers of OpenEXR.
const HALF_COSINES: [f32; 7] =
    [0.353_553_6, 0.490_392_7, 0.461_939_8, 0.415_734_9, 0.277_785_5, 0.191_342_2, 0.097_545_73];

/// The number of a block of nothing but a mean.
pub(super) fn flat(mean: f32) -> f32 {
    mean * HALF_COSINES[0] * HALF_COSINES[0]
}

/// From coefficients to numbers. Rows from `rows` on are zero.
pub(super) fn invert(square: &mut Square, rows: usize) {
    for row in square.chunks_exact_mut(SIDE).take(rows) {
        line(row, 1);
    }
    for column in 0..SIDE {
        line(&mut square[column..], SIDE);
    }
}

fn line(numbers: &mut [f32], step: usize) {
    let [scale, c1, c2, c3, c5, c6, c7] = HALF_COSINES;
    let [n0, n1, n2, n3, n4, n5, n6, n7] = [0, 1, 2, 3, 4, 5, 6, 7].map(|at| numbers[at * step]);
    let (sum, difference) = (scale * n0 + scale * n4, scale * n0 - scale * n4);
    let (outer, inner) = (c2 * n2 + c6 * n6, c6 * n2 - c2 * n6);
    let even = [sum + outer, difference + inner, difference - inner, sum - outer];
    let odd = [
        c1 * n1 + c3 * n3 + c5 * n5 + c7 * n7,
        c3 * n1 - c7 * n3 - c1 * n5 - c5 * n7,
        c5 * n1 - c1 * n3 + c7 * n5 + c3 * n7,
        c7 * n1 - c5 * n3 + c3 * n5 - c1 * n7,
    ];
    for (place, (even, odd)) in even.into_iter().zip(odd).enumerate() {
        numbers[place * step] = even + odd;
        numbers[(SIDE - 1 - place) * step] = even - odd;
    }
}
