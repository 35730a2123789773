//! Blocks of any of the sizes, also of two in one block.

use core::arch::wasm32::{
    i16x8_add_sat, i16x8_narrow_i32x4, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extend_high_i16x8,
    i32x4_extend_low_i16x8, i32x4_shl, i32x4_shr, i32x4_splat, i32x4_sub, i64x2_extract_lane,
    u8x16_narrow_i16x8, v128,
};

use super::super::matrix::{Matrix, SIZE_2, SIZE_4, SIZE_8};
use super::super::{BETWEEN, FRACTION};
use super::zip;

/// Some weights of a [`Matrix`] for half of its samples: each row of the coefficients 2 and 6, 1 and 3, 5 and 7, as halves of a number.
/// That of DC is a power of two. So is that of 4 at size 8, with a sign; at others it is zero.
struct Pairs {
    weights: [[i32; 3]; 4],
    size: usize,
    summed: u32,
}

static PAIRS_2: Pairs = pairs(&SIZE_2);
static PAIRS_4: Pairs = pairs(&SIZE_4);
static PAIRS_8: Pairs = pairs(&SIZE_8);

const fn pairs(matrix: &Matrix) -> Pairs {
    let mut pairs = [[0; 3]; 4];
    let mut x = 0;
    while x < matrix.weights.len() {
        let of = &matrix.weights[x];
        pairs[x] = [of[2] & 0xFFFF | of[6] << 16, of[1] & 0xFFFF | of[3] << 16, of[5] & 0xFFFF | of[7] << 16];
        x += 1;
    }
    Pairs { weights: pairs, size: matrix.size, summed: matrix.summed }
}

fn pairs_of(size: usize) -> &'static Pairs {
    match size {
        2 => &PAIRS_2,
        4 => &PAIRS_4,
        _ => &PAIRS_8,
    }
}

/// The samples of a block that has these rows of coefficients: as many of the first rows and columns as there are.
#[inline(never)]
pub(super) fn samples(mut rows: [v128; 8], (width, height): (usize, usize)) -> [[u8; 8]; 8] {
    // Down and across. The three bits are the scale of the transform in two directions.
    let down = (pairs_of(height), FRACTION - BETWEEN, true);
    let across = (pairs_of(width), FRACTION + BETWEEN + 3, height > 4);
    for (pairs, shift, all) in [down, across] {
        rows = transposed(pass(&rows, pairs, shift + pairs.summed, all));
    }
    rows.map(|row| {
        let row = i16x8_add_sat(row, i16x8_splat(128));
        i64x2_extract_lane::<0>(u8x16_narrow_i16x8(row, row)).to_le_bytes()
    })
}

/// Transforms eight columns side by side, or if not `all` the first four, and rounds off so many bits. What does not fit in 16 bits is
/// clamped.
#[inline(always)]
fn pass(rows: &[v128; 8], pairs: &Pairs, shift: u32, all: bool) -> [v128; 8] {
    let &[dc, k1, k2, k3, k4, k5, k6, k7] = rows;
    let (k26, k13, k57) = (zip(k2, k6), zip(k1, k3), zip(k5, k7));
    let from = [i32x4_extend_low_i16x8(dc), i32x4_extend_low_i16x8(k4), k26[0], k13[0], k57[0]];
    let low = half(from, pairs, shift);
    let mut high = low;
    if all {
        let from = [i32x4_extend_high_i16x8(dc), i32x4_extend_high_i16x8(k4), k26[1], k13[1], k57[1]];
        high = half(from, pairs, shift);
    }
    let mut out = low;
    for (out, high) in out.iter_mut().zip(high) {
        *out = i16x8_narrow_i32x4(*out, high);
    }
    out
}

/// Transforms four columns.
#[inline(always)]
fn half([dc, k4, k26, k13, k57]: [v128; 5], pairs: &Pairs, shift: u32) -> [v128; 8] {
    let scaled = |dc| i32x4_add(i32x4_shl(dc, FRACTION + pairs.summed), i32x4_splat(1 << (shift - 1)));
    let even = |x: usize| i32x4_dot_i16x8(k26, i32x4_splat(pairs.weights[x][0]));
    let odd = |x: usize| {
        let [_, w13, w57] = pairs.weights[x];
        i32x4_add(i32x4_dot_i16x8(k13, i32x4_splat(w13)), i32x4_dot_i16x8(k57, i32x4_splat(w57)))
    };
    let samples =
        |even, odd| [i32x4_shr(i32x4_add(even, odd), shift), i32x4_shr(i32x4_sub(even, odd), shift)];
    // The even part of a sample has that of another one with signs changed.
    match pairs.size {
        8 => {
            let (near, far) = (scaled(i32x4_add(dc, k4)), scaled(i32x4_sub(dc, k4)));
            let (e0, e1) = (even(0), even(1));
            let [s0, s7] = samples(i32x4_add(near, e0), odd(0));
            let [s1, s6] = samples(i32x4_add(far, e1), odd(1));
            let [s2, s5] = samples(i32x4_sub(far, e1), odd(2));
            let [s3, s4] = samples(i32x4_sub(near, e0), odd(3));
            [s0, s1, s2, s3, s4, s5, s6, s7]
        }
        4 => {
            let (dc, e0) = (scaled(dc), even(0));
            let [s0, s3] = samples(i32x4_add(dc, e0), odd(0));
            let [s1, s2] = samples(i32x4_sub(dc, e0), odd(1));
            [s0, s1, s2, s3, s0, s1, s2, s3]
        }
        _ => {
            let [s0, s1] = samples(scaled(dc), odd(0));
            [s0, s1, s0, s1, s0, s1, s0, s1]
        }
    }
}

/// Rows become columns: the index of a number, of three bits for its row and three for its column, is turned by a bit at a time.
#[inline(always)]
fn transposed(mut rows: [v128; 8]) -> [v128; 8] {
    for _ in 0..3 {
        let [a, b, c, d, e, f, g, h] = rows;
        let [[a, b], [c, d], [e, f], [g, h]] = [zip(a, e), zip(b, f), zip(c, g), zip(d, h)];
        rows = [a, b, c, d, e, f, g, h];
    }
    rows
}
