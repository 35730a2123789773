//! The transforms of 2, 4 and 8 samples of 8 bits as scalar code: the definition that `simd128` has to match. Products of coefficients and
//! steps, and what is between the passes, have 16 bits as in libjpeg-turbo's own vectors; no encoder's files exceed them.
//!
//! That of 8 × 8 is by C. Loeffler, A. Ligtenberg, G. Moschytz ("Practical fast 1-D DCT algorithms with 11 multiplications", ICASSP
//! 1989). Others are means of its samples.

use std::num::Wrapping;

use super::matrix::matrix;
use super::scaled::one_pass;
use super::{BETWEEN, FRACTION, Steps};
use crate::coefficients::Block;
use crate::decode::sample::Sum;

type Int = Wrapping<i32>;
type Rows = [[Int; 8]; 8];

/// cos and sin of multiples of π / 16, their sums and differences, times √2 and 2¹³, as the paper's rotations take them.
const C6: Int = Wrapping(4_433); // 0.541196100
const C2_MINUS_C6: Int = Wrapping(6_270); // 0.765366865
const C2_PLUS_C6: Int = Wrapping(15_137); // 1.847759065
const C3: Int = Wrapping(9_633); // 1.175875602
const MINUS_C1_C3_C5_MINUS_C7: Int = Wrapping(2_446); // 0.298631336
const C1_C3_MINUS_C5_C7: Int = Wrapping(16_819); // 2.053119869
const C1_C3_C5_MINUS_C7: Int = Wrapping(25_172); // 3.072711026
const C1_C3_MINUS_C5_MINUS_C7: Int = Wrapping(12_299); // 1.501321110
const C7_MINUS_C3: Int = Wrapping(-7_373); // 0.899976223
const MINUS_C1_MINUS_C3: Int = Wrapping(-20_995); // 2.562915447
const MINUS_C3_MINUS_C5: Int = Wrapping(-16_069); // 1.961570560
const C5_MINUS_C3: Int = Wrapping(-3_196); // 0.390180644

/// Writes samples of this width and height, 2, 4 or 8 each, rows `stride` apart.
pub(super) fn inverse(
    block: &Block,
    steps: &Steps,
    (width, height): (usize, usize),
    out: &mut [u8],
    stride: usize,
) {
    let coefficient = |k: usize| i32::from(block[k].wrapping_mul(steps[k] as i16));
    if block[1..].iter().fold(0, |all, &coefficient| all | coefficient) == 0 {
        let sample = sample_of(((coefficient(0) + 4) >> 3) + 128);
        out.chunks_mut(stride).take(height).for_each(|row| row[..width].fill(sample));
        return;
    }
    let rows = std::array::from_fn(|y| std::array::from_fn(|x| coefficient(8 * y + x)));
    match (width, height) {
        (8, 8) => whole(&rows, out, stride),
        (8, 4) => means::<8, 4>(&rows, out, stride),
        (4, 8) => means::<4, 8>(&rows, out, stride),
        (4, 4) => means::<4, 4>(&rows, out, stride),
        (4, 2) => means::<4, 2>(&rows, out, stride),
        (2, 4) => means::<2, 4>(&rows, out, stride),
        (8, _) => means::<8, 2>(&rows, out, stride),
        (_, 8) => means::<2, 8>(&rows, out, stride),
        _ => means::<2, 2>(&rows, out, stride),
    }
}

/// The nearest sample.
#[inline(always)]
fn sample_of(value: i32) -> u8 {
    value.clamp(0, 255) as u8
}

/// What fits in 16 bits.
#[inline(always)]
fn narrowed(value: i32) -> i32 {
    value.clamp(i16::MIN.into(), i16::MAX.into())
}

fn whole(coefficients: &[[i32; 8]; 8], out: &mut [u8], stride: usize) {
    let mut rows: Rows = coefficients.map(|row| row.map(Wrapping));
    let is_zero =
        |at: usize, of: usize| coefficients[at..of].iter().flatten().fold(0, |all, &c| all | c) == 0;
    match is_zero(4, 8) {
        true => pass::<{ FRACTION - BETWEEN }, 4>(&mut rows),
        false => pass::<{ FRACTION - BETWEEN }, 8>(&mut rows),
    }
    rows = transposed(&rows).map(|row| row.map(|value| Wrapping(narrowed(value.0))));
    let right = rows[4..].iter().flatten().fold(0, |all, value| all | value.0);
    // The three bits are the scale of the transform in two directions.
    match right == 0 {
        true => pass::<{ FRACTION + BETWEEN + 3 }, 4>(&mut rows),
        false => pass::<{ FRACTION + BETWEEN + 3 }, 8>(&mut rows),
    }
    for (row, samples) in out.chunks_mut(stride).zip(transposed(&rows)) {
        row[..8].copy_from_slice(&samples.map(|sample| sample_of(sample.0 + 128)));
    }
}

/// A block of `W` samples across and `H` down.
fn means<const W: usize, const H: usize>(rows: &[[i32; 8]; 8], out: &mut [u8], stride: usize) {
    let (across, down) = (matrix(W), matrix(H));
    let shift = FRACTION - BETWEEN + down.summed;
    let mut columns = [[0_i32; 8]; H];
    let put = |x: usize, lanes: [Wrapping<i32>; 8]| columns[x] = lanes.map(|sum| narrowed(sum.round(shift)));
    match rows[4..].iter().all(|row| *row == [0; 8]) {
        true => one_pass::<u8, 8>(down, 4, |k| rows[k], put),
        false => one_pass::<u8, 8>(down, 8, |k| rows[k], put),
    }
    let shift = FRACTION + BETWEEN + 3 + across.summed;
    let turned: [[i32; H]; 8] = std::array::from_fn(|k| std::array::from_fn(|y| columns[y][k]));
    let mut samples = [[0; H]; W];
    let put = |x: usize, lanes: [Wrapping<i32>; H]| {
        samples[x] = lanes.map(|sum| sample_of(sum.round(shift).wrapping_add(128)));
    };
    one_pass::<u8, H>(across, 8, |k| turned[k], put);
    for (y, row) in out.chunks_mut(stride).enumerate().take(H) {
        row[..W].copy_from_slice(&std::array::from_fn::<u8, W, _>(|x| samples[x][y]));
    }
}

#[inline(always)]
fn transposed(rows: &Rows) -> Rows {
    std::array::from_fn(|y| std::array::from_fn(|x| rows[x][y]))
}

/// Transforms all columns, of whose coefficients the first `USED` are not all zero, and rounds off `SHIFT` bits.
#[inline(always)]
fn pass<const SHIFT: u32, const USED: usize>(rows: &mut Rows) {
    let round = Wrapping(1 << (SHIFT - 1));
    #[allow(clippy::needless_range_loop, reason = "a column at a time, which the compiler makes vectors of")]
    for x in 0..8 {
        let at = |y: usize| if y < USED { rows[y][x] } else { Wrapping(0) };
        // The even part: a butterfly and a rotation by 6π / 16.
        let (dc, low, middle, high) = (at(0), at(2), at(4), at(6));
        let shared = (low + high) * C6;
        let (near, far) = (shared + low * C2_MINUS_C6, shared - high * C2_PLUS_C6);
        let (sum, difference) =
            (((dc + middle) << FRACTION as usize) + round, ((dc - middle) << FRACTION as usize) + round);
        let even = [sum + near, difference + far, difference - far, sum - near];
        // The odd part, with two rotations joined into one of four inputs.
        let (a, b, c, d) = (at(7), at(5), at(3), at(1));
        let (ad, bc) = ((a + d) * C7_MINUS_C3, (b + c) * MINUS_C1_MINUS_C3);
        let all = (a + b + c + d) * C3;
        let (ac, bd) = ((a + c) * MINUS_C3_MINUS_C5 + all, (b + d) * C5_MINUS_C3 + all);
        let odd = [
            d * C1_C3_MINUS_C5_MINUS_C7 + ad + bd,
            c * C1_C3_C5_MINUS_C7 + bc + ac,
            b * C1_C3_MINUS_C5_C7 + bc + bd,
            a * MINUS_C1_C3_C5_MINUS_C7 + ad + ac,
        ];
        for y in 0..4 {
            rows[y][x] = (even[y] + odd[y]) >> SHIFT as usize;
            rows[7 - y][x] = (even[y] - odd[y]) >> SHIFT as usize;
        }
    }
}
