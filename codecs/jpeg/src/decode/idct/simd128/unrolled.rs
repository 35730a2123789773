//! Blocks of 8 × 8, 4 × 4 and 8 × 4 samples.
//!
//! Both passes multiply pairs of coefficients that lie side by side: 0 and 4, 2 and 6, 1 and 3, 5 and 7. In the first pass, which goes down,
//! rows are zipped to pairs. The second pass goes across: the columns of its rows are put into the order of the pairs, and the pairs are
//! transposed as numbers of 32 bits.
//!
//! Each is a function of its own: inlined into one, their vectors would not fit into the registers, and take four times the time.

use core::arch::wasm32::{
    i16x8_add_sat, i16x8_narrow_i32x4, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
    i32x4_shr, i32x4_shuffle, i32x4_splat, i32x4_sub, i64x2_extract_lane, i64x2_shuffle, u8x16,
    u8x16_narrow_i16x8, u8x16_swizzle, v128,
};

use super::super::matrix::{Matrix, SIZE_4, SIZE_8};
use super::super::{BETWEEN, FRACTION};
use super::zip;

/// What is rounded off by the pass that goes down, and by the one that goes across: its three bits are the scale of the transform in two
/// directions.
const DOWN: u32 = FRACTION - BETWEEN;
const ACROSS: u32 = FRACTION + BETWEEN + 3;

/// Four columns, or four rows: the pairs of coefficients 0 and 4, 2 and 6, 1 and 3, 5 and 7.
type Pairs = [v128; 4];

/// The samples of a block that has these rows of coefficients.
#[inline(never)]
pub(super) fn eight(rows: &[v128; 8]) -> [[u8; 8]; 8] {
    let &[k0, k1, k2, k3, k4, k5, k6, k7] = rows;
    let [[a0, a1], [b0, b1], [c0, c1], [d0, d1]] = [zip(k0, k4), zip(k2, k6), zip(k1, k3), zip(k5, k7)];
    let columns = joined(of_eight::<DOWN>([a0, b0, c0, d0]), of_eight::<DOWN>([a1, b1, c1, d1]));
    let [s0, s1, s2, s3, s4, s5, s6, s7] = columns.map(in_pairs);
    let (top, bottom) = (transposed([s0, s1, s2, s3]), transposed([s4, s5, s6, s7]));
    let columns = joined(of_eight::<ACROSS>(top), of_eight::<ACROSS>(bottom));
    let [s0, s1, s2, s3, s4, s5, s6, s7] = columns.map(centered);
    let (left, right) = (rows_of_eight([s0, s1, s2, s3]), rows_of_eight([s4, s5, s6, s7]));
    let [[a, b], [c, d]] = [zip_numbers(left[0], right[0]), zip_numbers(left[1], right[1])];
    let mut samples = [[0; 8]; 8];
    for (pair, rows) in [a, b, c, d].into_iter().zip(samples.as_chunks_mut().0) {
        *rows = [i64x2_extract_lane::<0>(pair), i64x2_extract_lane::<1>(pair)].map(i64::to_le_bytes);
    }
    samples
}

/// The same of a quarter of the samples, which are means of four.
#[inline(never)]
pub(super) fn four(rows: &[v128; 8]) -> [[u8; 4]; 4] {
    let &[k0, k1, k2, k3, k4, k5, k6, k7] = rows;
    let [[a0, a1], [b0, b1], [c0, c1], [d0, d1]] = [zip(k0, k4), zip(k2, k6), zip(k1, k3), zip(k5, k7)];
    let columns =
        joined(of_four::<{ DOWN + 1 }>([a0, b0, c0, d0]), of_four::<{ DOWN + 1 }>([a1, b1, c1, d1]));
    let rows = rows_of_four(of_four::<{ ACROSS + 1 }>(transposed(columns.map(in_pairs))));
    [
        i32x4_extract_lane::<0>(rows),
        i32x4_extract_lane::<1>(rows),
        i32x4_extract_lane::<2>(rows),
        i32x4_extract_lane::<3>(rows),
    ]
    .map(i32::to_le_bytes)
}

/// The same of half of the samples, which are means of two, one below the other: of chroma with half the columns, at half the size.
#[inline(never)]
pub(super) fn eight_by_four(rows: &[v128; 8]) -> [[u8; 8]; 4] {
    let &[k0, k1, k2, k3, k4, k5, k6, k7] = rows;
    let [[a0, a1], [b0, b1], [c0, c1], [d0, d1]] = [zip(k0, k4), zip(k2, k6), zip(k1, k3), zip(k5, k7)];
    let columns =
        joined(of_four::<{ DOWN + 1 }>([a0, b0, c0, d0]), of_four::<{ DOWN + 1 }>([a1, b1, c1, d1]));
    let [s0, s1, s2, s3, s4, s5, s6, s7] = of_eight::<ACROSS>(transposed(columns.map(in_pairs)));
    let [top, bottom] = zip_numbers(rows_of_four([s0, s1, s2, s3]), rows_of_four([s4, s5, s6, s7]));
    [
        i64x2_extract_lane::<0>(top),
        i64x2_extract_lane::<1>(top),
        i64x2_extract_lane::<0>(bottom),
        i64x2_extract_lane::<1>(bottom),
    ]
    .map(i64::to_le_bytes)
}

/// Eight samples, `SHIFT` bits rounded off.
#[inline(always)]
fn of_eight<const SHIFT: u32>([k04, k26, k13, k57]: Pairs) -> [v128; 8] {
    let odd = |x: usize| {
        let [k1, k3, k5, k7] = [1, 3, 5, 7].map(|k| weight(&SIZE_8, x, k));
        i32x4_add(product(k13, k1, k3), product(k57, k5, k7))
    };
    let even = |x: usize| {
        let [k0, k2, k4, k6] = [0, 2, 4, 6].map(|k| weight(&SIZE_8, x, k));
        (rounded::<SHIFT>(product(k04, k0, k4)), product(k26, k2, k6))
    };
    // The second half of the samples has the even part of the first; and of the first, two times two have theirs with signs changed.
    let ((near, e0), (far, e1)) = (even(0), even(1));
    let [s0, s7] = butterfly::<SHIFT>(i32x4_add(near, e0), odd(0));
    let [s1, s6] = butterfly::<SHIFT>(i32x4_add(far, e1), odd(1));
    let [s2, s5] = butterfly::<SHIFT>(i32x4_sub(far, e1), odd(2));
    let [s3, s4] = butterfly::<SHIFT>(i32x4_sub(near, e0), odd(3));
    [s0, s1, s2, s3, s4, s5, s6, s7]
}

/// Four samples, `SHIFT` bits rounded off: each is the mean of two of eight, whose sum has one bit more.
#[inline(always)]
fn of_four<const SHIFT: u32>([k04, k26, k13, k57]: Pairs) -> [v128; 4] {
    let odd = |x: usize| {
        let [k1, k3, k5, k7] = [1, 3, 5, 7].map(|k| weight(&SIZE_4, x, k));
        i32x4_add(product(k13, k1, k3), product(k57, k5, k7))
    };
    let [k0, k2, k4, k6] = [0, 2, 4, 6].map(|k| weight(&SIZE_4, 0, k));
    let (dc, even) = (rounded::<SHIFT>(product(k04, k0, k4)), product(k26, k2, k6));
    let [s0, s3] = butterfly::<SHIFT>(i32x4_add(dc, even), odd(0));
    let [s1, s2] = butterfly::<SHIFT>(i32x4_sub(dc, even), odd(1));
    [s0, s1, s2, s3]
}

const fn weight(matrix: &Matrix, x: usize, k: usize) -> i32 {
    matrix.weights[x][k]
}

/// Both coefficients of each pair by a weight of their own.
#[inline(always)]
fn product(pairs: v128, first: i32, second: i32) -> v128 {
    i32x4_dot_i16x8(pairs, i32x4_splat(first & 0xFFFF | second << 16))
}

#[inline(always)]
fn rounded<const SHIFT: u32>(sum: v128) -> v128 {
    i32x4_add(sum, i32x4_splat(1 << (SHIFT - 1)))
}

#[inline(always)]
fn butterfly<const SHIFT: u32>(even: v128, odd: v128) -> [v128; 2] {
    [i32x4_shr(i32x4_add(even, odd), SHIFT), i32x4_shr(i32x4_sub(even, odd), SHIFT)]
}

/// Eight lanes each of what is there in halves, clamped to 16 bits.
#[inline(always)]
fn joined<const N: usize>(low: [v128; N], high: [v128; N]) -> [v128; N] {
    std::array::from_fn(|index| i16x8_narrow_i32x4(low[index], high[index]))
}

/// Samples about the middle of their range.
#[inline(always)]
fn centered(samples: v128) -> v128 {
    i16x8_add_sat(samples, i16x8_splat(128))
}

/// A row of coefficients in the order of the pairs. The compiler would merge a shuffle by constants with the clamping before it, and no
/// instruction does both.
#[inline(always)]
fn in_pairs(row: v128) -> v128 {
    u8x16_swizzle(row, u8x16(0, 1, 8, 9, 4, 5, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15))
}

/// The bytes of four columns of four samples, row by row.
#[inline(always)]
fn rows_of_four([a, b, c, d]: [v128; 4]) -> v128 {
    let (left, right) = (centered(i16x8_narrow_i32x4(a, b)), centered(i16x8_narrow_i32x4(c, d)));
    let order = u8x16(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    u8x16_swizzle(u8x16_narrow_i16x8(left, right), order)
}

/// The same of columns of eight, four rows in a vector.
#[inline(always)]
fn rows_of_eight([a, b, c, d]: [v128; 4]) -> [v128; 2] {
    let order = u8x16(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    let pairs = |a, b| u8x16_swizzle(u8x16_narrow_i16x8(a, b), order);
    zip(pairs(a, b), pairs(c, d))
}

/// Of four rows of pairs, the columns.
#[inline(always)]
fn transposed([a, b, c, d]: [v128; 4]) -> Pairs {
    let ([ab, ab_right], [cd, cd_right]) = (zip_numbers(a, b), zip_numbers(c, d));
    [
        i64x2_shuffle::<0, 2>(ab, cd),
        i64x2_shuffle::<1, 3>(ab, cd),
        i64x2_shuffle::<0, 2>(ab_right, cd_right),
        i64x2_shuffle::<1, 3>(ab_right, cd_right),
    ]
}

/// As [`zip`], of lanes of 32 bits.
#[inline(always)]
fn zip_numbers(a: v128, b: v128) -> [v128; 2] {
    [i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)]
}
