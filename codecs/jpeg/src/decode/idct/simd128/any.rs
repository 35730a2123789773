//! The transforms of 2, 4 and 8 samples as 128-bit WebAssembly instructions: the samples of `portable`.

use core::arch::wasm32::{
    i16x8, i16x8_add_sat, i16x8_mul, i16x8_narrow_i32x4, i16x8_shuffle, i16x8_splat, i32x4_add,
    i32x4_dot_i16x8, i32x4_extend_high_i16x8, i32x4_extend_low_i16x8, i32x4_shl, i32x4_shr, i32x4_splat,
    i32x4_sub, i64x2_extract_lane, u8x16_narrow_i16x8, u16x8, v128, v128_and, v128_any_true, v128_or,
};

use super::matrix::{Matrix, SIZE_2, SIZE_4, SIZE_8};
use super::{BETWEEN, FRACTION, Steps};
use crate::coefficients::Block;

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

/// Writes samples of this width and height, 2, 4 or 8 each, rows `stride` apart.
pub(super) fn inverse(
    block: &Block,
    steps: &Steps,
    (width, height): (usize, usize),
    out: &mut [u8],
    stride: usize,
) {
    let (coefficients, steps) = (block.as_chunks::<8>().0, steps.as_chunks::<8>().0);
    let mut rows = [i16x8_splat(0); 8];
    for ((row, coefficients), steps) in rows.iter_mut().zip(coefficients).zip(steps) {
        *row = i16x8_mul(signed(coefficients), unsigned(steps));
    }
    let ac = rows[1..]
        .iter()
        .fold(v128_and(rows[0], i16x8(0, -1, -1, -1, -1, -1, -1, -1)), |all, &row| v128_or(all, row));
    if v128_any_true(ac) {
        // Down and across. The three bits are the scale of the transform in two directions.
        let down = (pairs_of(height), FRACTION - BETWEEN, true);
        let across = (pairs_of(width), FRACTION + BETWEEN + 3, height > 4);
        for (pairs, shift, all) in [down, across] {
            rows = transposed(pass(&rows, pairs, shift + pairs.summed, all));
        }
    } else {
        let dc = block[0].wrapping_mul(steps[0][0] as i16);
        rows = [i16x8_splat(((i32::from(dc) + 4) >> 3) as i16); 8];
    }
    for (row, samples) in out.chunks_mut(stride).zip(rows).take(height) {
        let samples = i16x8_add_sat(samples, i16x8_splat(128));
        let samples = i64x2_extract_lane::<0>(u8x16_narrow_i16x8(samples, samples)).to_le_bytes();
        match width {
            8 => put::<8>(&samples, row),
            4 => put::<4>(&samples, row),
            _ => put::<2>(&samples, row),
        }
    }
}

#[inline(always)]
fn put<const N: usize>(samples: &[u8; 8], row: &mut [u8]) {
    if let (Some(to), Some(from)) = (row.first_chunk_mut::<N>(), samples.first_chunk()) {
        *to = *from;
    }
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

/// Each lane of `a` and the same of `b` behind it: of the first four, and of the others.
#[inline(always)]
fn zip(a: v128, b: v128) -> [v128; 2] {
    [i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b), i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)]
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

#[inline(always)]
fn signed(&[a, b, c, d, e, f, g, h]: &[i16; 8]) -> v128 {
    i16x8(a, b, c, d, e, f, g, h)
}

#[inline(always)]
fn unsigned(&[a, b, c, d, e, f, g, h]: &[u16; 8]) -> v128 {
    u16x8(a, b, c, d, e, f, g, h)
}
