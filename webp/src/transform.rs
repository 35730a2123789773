//! The transforms of blocks: forward as libwebp approximates them, backward to the bit as every decoder does it
//! (RFC 6386, section 14).

use crate::lanes::{Blocks, Lanes, add, map, sub, zip};

/// Coefficients of the difference between a picture and its prediction.
#[inline(always)]
pub(crate) fn forward(difference: &Blocks) -> Blocks {
    let mut rows = [[0; 8]; 16];
    for row in 0..4 {
        let [d0, d1, d2, d3] = line(difference, 4 * row, 1);
        let (a0, a1, a2, a3) = (add(d0, d3), add(d1, d2), sub(d1, d2), sub(d0, d3));
        rows[4 * row] = map(add(a0, a1), |sum| sum << 3);
        rows[4 * row + 1] = rotate::<9>(a2, 2217, a3, 5352, 1812);
        rows[4 * row + 2] = map(sub(a0, a1), |sum| sum << 3);
        rows[4 * row + 3] = rotate::<9>(a3, 2217, a2, -5352, 937);
    }
    let mut out = [[0; 8]; 16];
    for column in 0..4 {
        let [r0, r1, r2, r3] = line(&rows, column, 4);
        let (a0, a1, a2, a3) = (add(r0, r3), add(r1, r2), sub(r1, r2), sub(r0, r3));
        out[column] = map(add(a0, a1), |sum| sum.wrapping_add(7) >> 4);
        let odd = rotate::<16>(a2, 2217, a3, 5352, 12000);
        out[4 + column] = zip(odd, a3, |value, a3| value.wrapping_add(i16::from(a3 != 0)));
        out[8 + column] = map(sub(a0, a1), |sum| sum.wrapping_add(7) >> 4);
        out[12 + column] = rotate::<16>(a3, 2217, a2, -5352, 51000);
    }
    out
}

/// The difference that coefficients stand for, added to the prediction: pixels from 0 to 255.
#[inline(always)]
pub(crate) fn inverse(coefficients: &Blocks, prediction: &Blocks) -> Blocks {
    let mut columns = [[0; 8]; 16];
    for column in 0..4 {
        let [c0, c1, c2, c3] = line(coefficients, column, 4);
        let [r0, r1, r2, r3] = butterfly(c0, c1, c2, c3);
        columns[column] = r0;
        columns[4 + column] = r1;
        columns[8 + column] = r2;
        columns[12 + column] = r3;
    }
    let mut out = [[0; 8]; 16];
    for row in 0..4 {
        let [c0, c1, c2, c3] = line(&columns, 4 * row, 1);
        let values = butterfly(map(c0, |dc| dc.wrapping_add(4)), c1, c2, c3);
        for (column, value) in values.into_iter().enumerate() {
            let place = 4 * row + column;
            out[place] =
                zip(value, prediction[place], |value, base| (value >> 3).wrapping_add(base).clamp(0, 255));
        }
    }
    out
}

#[inline(always)]
fn line(blocks: &Blocks, first: usize, step: usize) -> [Lanes; 4] {
    std::array::from_fn(|place| blocks[first + place * step])
}

/// `(a × by_a + b × by_b + round) >> SHIFT`
#[inline(always)]
fn rotate<const SHIFT: u32>(a: Lanes, by_a: i32, b: Lanes, by_b: i32, round: i32) -> Lanes {
    std::array::from_fn(|lane| ((i32::from(a[lane]) * by_a + i32::from(b[lane]) * by_b + round) >> SHIFT) as i16)
}

#[inline(always)]
fn butterfly(c0: Lanes, c1: Lanes, c2: Lanes, c3: Lanes) -> [Lanes; 4] {
    let (a, b) = (add(c0, c2), sub(c0, c2));
    let c = sub(times_sine(c1), times_cosine(c3));
    let d = add(times_cosine(c1), times_sine(c3));
    [add(a, d), add(b, c), sub(b, c), sub(a, d)]
}

/// By √2 cos(π/8).
#[inline(always)]
fn times_cosine(a: Lanes) -> Lanes {
    map(a, |a| (((i32::from(a) * 20091) >> 16) as i16).wrapping_add(a))
}

/// By √2 sin(π/8).
#[inline(always)]
fn times_sine(a: Lanes) -> Lanes {
    map(a, |a| ((i32::from(a) * 35468) >> 16) as i16)
}
