//! The inverse transform of 8 × 8 (C. Loeffler, A. Ligtenberg, G. Moschytz: "Practical fast 1-D DCT algorithms with 11
//! multiplications", ICASSP 1989), in integers of 13 bits behind the point, with 2 bits between its passes.

use std::num::Wrapping;

use super::Steps;
use crate::coefficients::Block;

type Int = Wrapping<i32>;
type Rows = [[Int; 8]; 8];

const FRACTION: usize = 13;
const BETWEEN: usize = 2;

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

/// Writes eight rows of eight samples, `stride` apart.
pub(crate) fn islow(block: &Block, steps: &Steps, out: &mut [u8], stride: usize) {
    let any = |columns: std::ops::Range<usize>, rows: std::ops::Range<usize>| {
        let of_row = |y: usize| block[8 * y..8 * y + 8][columns.clone()].iter().fold(0, |all, &c| all | c);
        rows.fold(0, |all, y| all | of_row(y)) != 0
    };
    let low = any(4..8, 0..4);
    let high = any(0..8, 4..8);
    if !low && !high && block[1..28].iter().fold(0, |all, &coefficient| all | coefficient) == 0 {
        return flat(i32::from(block[0]).wrapping_mul(steps[0]), out, stride);
    }
    let mut rows: Rows = std::array::from_fn(|y| {
        std::array::from_fn(|x| Wrapping(i32::from(block[8 * y + x])) * Wrapping(steps[8 * y + x]))
    });
    if high {
        pass::<{ FRACTION - BETWEEN }, 8>(&mut rows);
    } else {
        pass::<{ FRACTION - BETWEEN }, 4>(&mut rows);
    }
    rows = transposed(&rows);
    // The three bits are the scale of the transform in two directions.
    if low || high {
        pass::<{ FRACTION + BETWEEN + 3 }, 8>(&mut rows);
    } else {
        pass::<{ FRACTION + BETWEEN + 3 }, 4>(&mut rows);
    }
    for (row, samples) in out.chunks_mut(stride).zip(transposed(&rows)) {
        let samples = samples.map(|sample| (sample.0 + 128).clamp(0, 255) as u8);
        row[..8].copy_from_slice(&samples);
    }
}

/// A block without AC.
fn flat(dc: i32, out: &mut [u8], stride: usize) {
    let sample = ((dc.wrapping_add(4) >> 3).wrapping_add(128)).clamp(0, 255) as u8;
    for row in out.chunks_mut(stride).take(8) {
        row[..8].fill(sample);
    }
}

#[inline(always)]
fn transposed(rows: &Rows) -> Rows {
    std::array::from_fn(|y| std::array::from_fn(|x| rows[x][y]))
}

/// Transforms all columns, of whose coefficients the first `USED` are not all zero, and rounds off `SHIFT` bits.
#[inline(always)]
fn pass<const SHIFT: usize, const USED: usize>(rows: &mut Rows) {
    let round = Wrapping(1 << (SHIFT - 1));
    #[allow(clippy::needless_range_loop, reason = "a column at a time, which the compiler makes vectors of")]
    for x in 0..8 {
        let at = |y: usize| if y < USED { rows[y][x] } else { Wrapping(0) };
        // The even part: a butterfly and a rotation by 6π / 16.
        let (dc, low, middle, high) = (at(0), at(2), at(4), at(6));
        let shared = (low + high) * C6;
        let (near, far) = (shared + low * C2_MINUS_C6, shared - high * C2_PLUS_C6);
        let (sum, difference) = (((dc + middle) << FRACTION) + round, ((dc - middle) << FRACTION) + round);
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
            rows[y][x] = (even[y] + odd[y]) >> SHIFT;
            rows[7 - y][x] = (even[y] - odd[y]) >> SHIFT;
        }
    }
}
