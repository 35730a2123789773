//! The operations as 128-bit WebAssembly instructions.

use core::arch::wasm32::{
    i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, u8x16_bitmask, u8x16_ne,
    u8x16_shuffle, u8x16_splat, u8x16_sub, u8x16_swizzle, u16x8, u16x8_add_sat, u16x8_extadd_pairwise_u8x16,
    u16x8_extend_high_u8x16, u16x8_extend_low_u8x16, u16x8_extract_lane, u16x8_gt, u16x8_min, u16x8_splat,
    u16x8_sub, u32x4_extadd_pairwise_u16x8, u64x2, v128, v128_or,
};

use super::STEP;

#[inline(always)]
fn load(bytes: &[u8; 16]) -> v128 {
    let [low @ .., _, _, _, _, _, _, _, _] = bytes;
    let [_, _, _, _, _, _, _, _, high @ ..] = bytes;
    u64x2(u64::from_le_bytes(*low), u64::from_le_bytes(*high))
}

#[inline(always)]
fn total(lanes: v128) -> u32 {
    (i32x4_extract_lane::<0>(lanes)
        + i32x4_extract_lane::<1>(lanes)
        + i32x4_extract_lane::<2>(lanes)
        + i32x4_extract_lane::<3>(lanes)) as u32
}

/// The place of the first byte that differs.
#[inline(always)]
pub(crate) fn first_difference(one: &[u8; STEP], other: &[u8; STEP]) -> Option<usize> {
    let mask = u8x16_bitmask(u8x16_ne(load(one), load(other)));
    (mask != 0).then(|| mask.trailing_zeros() as usize)
}

/// What the distance symbols cost: the low bytes of the symbols 0 to 15 and 16 to 31, then the high bytes.
pub(crate) struct SymbolCosts([v128; 4]);

impl SymbolCosts {
    pub(crate) fn new(costs: &[u16; 32]) -> Self {
        let bytes =
            |first: usize, shift: u32| load(&std::array::from_fn(|at| (costs[first + at] >> shift) as u8));
        Self([bytes(0, 0), bytes(16, 0), bytes(0, 8), bytes(16, 8)])
    }

    /// Of sixteen symbols.
    #[inline(always)]
    fn of(&self, symbols: &[u8; STEP]) -> [v128; 2] {
        let [low, low_16, high, high_16] = self.0;
        let symbols = load(symbols);
        let from_16 = u8x16_sub(symbols, u8x16_splat(16));
        let low = v128_or(u8x16_swizzle(low, symbols), u8x16_swizzle(low_16, from_16));
        let high = v128_or(u8x16_swizzle(high, symbols), u8x16_swizzle(high_16, from_16));
        [
            u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(low, high),
            u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(low, high),
        ]
    }
}

#[inline(always)]
fn load_words(words: &[u16; STEP]) -> [v128; 2] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *words;
    [u16x8(a, b, c, d, e, f, g, h), u16x8(i, j, k, l, m, n, o, p)]
}

/// The sums of a row, of which `left` count: the others become as large as can be.
#[inline(always)]
fn row(lengths: &[u16; STEP], rest: &[u16; STEP], base: v128, left: usize) -> [v128; 2] {
    let ([length, length_8], [rest, rest_8]) = (load_words(lengths), load_words(rest));
    let left = u16x8_splat(left.min(STEP) as u16);
    let beyond = u16x8_gt(u16x8(1, 2, 3, 4, 5, 6, 7, 8), left);
    let beyond_8 = u16x8_gt(u16x8(9, 10, 11, 12, 13, 14, 15, 16), left);
    [
        v128_or(u16x8_add_sat(u16x8_sub(rest, base), length), beyond),
        v128_or(u16x8_add_sat(u16x8_sub(rest_8, base), length_8), beyond_8),
    ]
}

#[inline(always)]
fn least_lane(lanes: v128) -> u16 {
    let halves = u8x16_shuffle::<8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7>(lanes, lanes);
    let lanes = u16x8_min(lanes, halves);
    let pairs = u8x16_shuffle::<4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11>(lanes, lanes);
    let lanes = u16x8_min(lanes, pairs);
    u16x8_extract_lane::<0>(lanes).min(u16x8_extract_lane::<1>(lanes))
}

/// The least of the first `count` sums of `rest - base` and `lengths`. Differences wrap around, sums saturate. Each list has at least
/// as many numbers as the rows that `count` begins.
#[inline(always)]
pub(crate) fn least(lengths: &[u16], rest: &[u16], base: u16, count: usize) -> u16 {
    let base = u16x8_splat(base);
    let mut least = u16x8_splat(u16::MAX);
    let rows = lengths.as_chunks().0.iter().zip(rest.as_chunks().0).take(count.div_ceil(STEP));
    for (at, (lengths, rest)) in rows.enumerate() {
        let [low, high] = row(lengths, rest, base, count - STEP * at);
        least = u16x8_min(least, u16x8_min(low, high));
    }
    least_lane(least)
}

/// The same with the cost of a symbol in each sum.
#[inline(always)]
pub(crate) fn least_listed(
    lengths: &[u16],
    rest: &[u16],
    base: u16,
    count: usize,
    costs: &SymbolCosts,
    symbols: &[u8],
) -> u16 {
    let base = u16x8_splat(base);
    let mut least = u16x8_splat(u16::MAX);
    let rows = lengths.as_chunks().0.iter().zip(rest.as_chunks().0).zip(symbols.as_chunks().0);
    for (at, ((lengths, rest), symbols)) in rows.take(count.div_ceil(STEP)).enumerate() {
        let [low, high] = row(lengths, rest, base, count - STEP * at);
        let [far, far_8] = costs.of(symbols);
        least = u16x8_min(least, u16x8_min(u16x8_add_sat(low, far), u16x8_add_sat(high, far_8)));
    }
    least_lane(least)
}

/// The sums of Adler-32 after these blocks, not reduced.
pub(crate) fn sums(blocks: &[[u8; 16]], mut a: u32, mut b: u32) -> (u32, u32) {
    let (high, low) = (i16x8(16, 15, 14, 13, 12, 11, 10, 9), i16x8(8, 7, 6, 5, 4, 3, 2, 1));
    let mut weighted = i32x4_splat(0);
    for block in blocks {
        let bytes = load(block);
        b += 16 * a;
        a += total(u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(bytes)));
        weighted = i32x4_add(weighted, i32x4_dot_i16x8(u16x8_extend_low_u8x16(bytes), high));
        weighted = i32x4_add(weighted, i32x4_dot_i16x8(u16x8_extend_high_u8x16(bytes), low));
    }
    (a, b + total(weighted))
}
