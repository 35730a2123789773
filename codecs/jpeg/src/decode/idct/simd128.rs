//! The transforms of 2, 4 and 8 samples as 128-bit WebAssembly instructions: the samples of `portable`.

use core::arch::wasm32::{
    i16x8, i16x8_add_sat, i16x8_mul, i16x8_narrow_i32x4, i16x8_shuffle, i16x8_splat, i32x4_add,
    i32x4_dot_i16x8, i32x4_extend_high_i16x8, i32x4_extend_low_i16x8, i32x4_shl, i32x4_shr, i32x4_splat,
    i32x4_sub, i64x2_extract_lane, u8x16_narrow_i16x8, u16x8, v128, v128_and, v128_any_true, v128_or,
};

use super::matrix::{Matrix, SIZE_2, SIZE_4, SIZE_8};
use super::{BETWEEN, FRACTION, Steps};
use crate::coefficients::Block;

/// The weights of a [`Matrix`] without those of DC: of the coefficients 2 and 6, 4, 1 and 3, 5 and 7, as halves of a number.
struct Pairs {
    weights: [[i32; 4]; 4],
    size: usize,
    summed: u32,
}

static PAIRS_2: Pairs = pairs(&SIZE_2);
static PAIRS_4: Pairs = pairs(&SIZE_4);
static PAIRS_8: Pairs = pairs(&SIZE_8);

const fn pairs(matrix: &Matrix) -> Pairs {
    let mut pairs = [[0; 4]; 4];
    let mut x = 0;
    while x < matrix.weights.len() {
        let of = &matrix.weights[x];
        pairs[x] = [
            of[2] & 0xFFFF | of[6] << 16,
            of[4] & 0xFFFF,
            of[1] & 0xFFFF | of[3] << 16,
            of[5] & 0xFFFF | of[7] << 16,
        ];
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
        let down = pairs_of(height);
        rows = transposed(pass(&rows, down, FRACTION - BETWEEN + down.summed));
        let across = pairs_of(width);
        // The three bits are the scale of the transform in two directions.
        rows = transposed(pass(&rows, across, FRACTION + BETWEEN + 3 + across.summed));
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

/// Transforms eight columns side by side, and rounds off so many bits. What does not fit in 16 bits is clamped.
#[inline(always)]
fn pass(rows: &[v128; 8], pairs: &Pairs, shift: u32) -> [v128; 8] {
    let &[dc, k1, k2, k3, k4, k5, k6, k7] = rows;
    let (k26, k4, k13, k57) = (zip(k2, k6), zip(k4, k4), zip(k1, k3), zip(k5, k7));
    let round = i32x4_splat(1 << (shift - 1));
    let dc = [i32x4_extend_low_i16x8(dc), i32x4_extend_high_i16x8(dc)];
    let scaled = |dc| i32x4_add(i32x4_shl(dc, FRACTION + pairs.summed), round);
    let dc = [scaled(dc[0]), scaled(dc[1])];
    let mut out = *rows;
    for (x, &weights) in pairs.weights.iter().enumerate().take(pairs.size / 2) {
        let [w26, w4, w13, w57] = weights;
        let weights = [i32x4_splat(w26), i32x4_splat(w4), i32x4_splat(w13), i32x4_splat(w57)];
        let low = butterfly([dc[0], k26[0], k4[0], k13[0], k57[0]], weights, shift);
        let high = butterfly([dc[1], k26[1], k4[1], k13[1], k57[1]], weights, shift);
        out[x] = i16x8_narrow_i32x4(low[0], high[0]);
        out[(pairs.size - 1 - x) % 8] = i16x8_narrow_i32x4(low[1], high[1]);
    }
    out
}

/// Four columns: the samples that the odd coefficients are added to, and those that they are taken from.
#[inline(always)]
fn butterfly([dc, k26, k4, k13, k57]: [v128; 5], [w26, w4, w13, w57]: [v128; 4], shift: u32) -> [v128; 2] {
    let even = i32x4_add(dc, i32x4_add(i32x4_dot_i16x8(k26, w26), i32x4_dot_i16x8(k4, w4)));
    let odd = i32x4_add(i32x4_dot_i16x8(k13, w13), i32x4_dot_i16x8(k57, w57));
    [i32x4_shr(i32x4_add(even, odd), shift), i32x4_shr(i32x4_sub(even, odd), shift)]
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
