//! The operations as 128-bit WebAssembly instructions.

use core::arch::wasm32::{
    i8x16, i8x16_add, i8x16_bitmask, i8x16_eq, i8x16_lt, i8x16_min, i8x16_narrow_i16x8, i8x16_ne, i8x16_shl,
    i8x16_shr, i8x16_splat, i8x16_swizzle, i16x8, i16x8_abs, i32x4_add, i32x4_extmul_high_i16x8,
    i32x4_extmul_low_i16x8, i32x4_extract_lane, i32x4_shr, i32x4_shuffle, i32x4_splat, u8x16_extract_lane,
    u8x16_shuffle, u16x8_gt, u64x2, u64x2_splat, v128, v128_and, v128_andnot, v128_any_true, v128_or,
};

/// A bit for each AC coefficient of a block whose magnitude exceeds its threshold, which is not negative.
#[inline(always)]
pub(crate) fn beyond(block: &[i16; 64], thresholds: &[i16; 64]) -> u64 {
    let mut mask = 0;
    let rows = block.as_chunks::<16>().0.iter().zip(thresholds.as_chunks::<16>().0);
    for (row, (values, thresholds)) in rows.enumerate() {
        // Unsigned, because the magnitude of the least number is one beyond the largest.
        let exceeds = |from| u16x8_gt(i16x8_abs(words(values, from)), words(thresholds, from));
        mask |= u64::from(i8x16_bitmask(i8x16_narrow_i16x8(exceeds(0), exceeds(8)))) << (16 * row);
    }
    mask & !1
}

#[inline(always)]
fn words(values: &[i16; 16], from: usize) -> v128 {
    let &[a, b, c, d, e, f, g, h] = values[from..].first_chunk().unwrap_or(&[0; 8]);
    i16x8(a, b, c, d, e, f, g, h)
}

/// A bit for each coefficient of a block that is not zero.
#[inline(always)]
pub(crate) fn nonzero(block: &[i8; 64]) -> u64 {
    let zero = i8x16_splat(0);
    let parts = block.as_chunks().0.iter().rev();
    parts.fold(0, |mask, part| mask << 16 | u64::from(i8x16_bitmask(i8x16_ne(signed_bytes(part), zero))))
}

/// Whether no coefficient takes more than a byte once it has its bit `low`.
#[inline(always)]
pub(crate) fn stay_bytes(block: &[i8; 64], low: u32) -> bool {
    let least = i8x16_splat(i8::MIN + (1 << (low & 7) as i8));
    let parts = block.as_chunks().0.iter();
    let lowest = parts.fold(i8x16_splat(0), |lowest, part| i8x16_min(lowest, signed_bytes(part)));
    low < 7 && !v128_any_true(i8x16_lt(lowest, least))
}

/// Gives coefficients their bit `low`, where they lack it and their bit of `corrections` is set: the highest one is that of the first
/// coefficient of the mask `coefficients`. Magnitudes grow, and none comes to take more than a byte.
#[inline(always)]
pub(crate) fn correct(block: &mut [i8; 64], coefficients: u64, mut corrections: u64, low: u32) {
    let (zero, one) = (i8x16_splat(0), i8x16_splat(1));
    let bit = i8x16_shl(one, low);
    for (part, &[first, second]) in
        block.as_chunks_mut().0.iter_mut().zip(coefficients.to_le_bytes().as_chunks().0)
    {
        let (first_lanes, first_before) = lanes_of(first);
        let (second_lanes, second_before) = lanes_of(second);
        // A byte for each coefficient: its own bit, and how many come before it.
        let own = i8x16_ne(u64x2(first_lanes, second_lanes), zero);
        let so_many = u64::from(first.count_ones()) * 0x0101_0101_0101_0101;
        let before = u64x2(first_before, second_before + so_many);
        let next = u64x2_splat(corrections >> 48);
        let next = u8x16_shuffle::<1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>(next, next);
        let next = v128_and(next, u64x2_splat(0x0102_0408_1020_4080));
        let unset = i8x16_eq(i8x16_swizzle(next, before), zero);
        corrections <<= first.count_ones() + second.count_ones();
        let values = signed_bytes(part);
        let lacking = i8x16_eq(v128_and(values, bit), zero);
        let sign = v128_or(i8x16_shr(values, 7), one);
        let asked = v128_and(v128_andnot(own, unset), lacking);
        let values = i8x16_add(values, i8x16_shl(v128_and(sign, asked), low));
        *part = array(values).map(|byte| byte as i8);
    }
}

/// For each bit of a byte, a byte: the bit itself, and how many are set below it.
#[inline(always)]
fn lanes_of(byte: u8) -> (u64, u64) {
    let lanes = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let ones = ((lanes + 0x7F7F_7F7F_7F7F_7F7F) >> 7) & 0x0101_0101_0101_0101;
    (lanes, ones.wrapping_mul(0x0101_0101_0101_0100))
}

#[inline(always)]
fn signed_bytes(&[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: &[i8; 16]) -> v128 {
    i8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
}

/// The sum of a 64th of each coefficient's square, rounded down.
#[inline(always)]
pub(crate) fn squares(block: &[i16; 64]) -> i32 {
    let mut sum = i32x4_splat(0);
    for values in block.as_chunks::<16>().0 {
        for values in [words(values, 0), words(values, 8)] {
            let low = i32x4_shr(i32x4_extmul_low_i16x8(values, values), 6);
            let high = i32x4_shr(i32x4_extmul_high_i16x8(values, values), 6);
            sum = i32x4_add(sum, i32x4_add(low, high));
        }
    }
    let pairs = i32x4_add(sum, i32x4_shuffle::<2, 3, 0, 1>(sum, sum));
    i32x4_extract_lane::<0>(pairs) + i32x4_extract_lane::<1>(pairs)
}

#[inline(always)]
fn array(v: v128) -> [u8; 16] {
    [
        u8x16_extract_lane::<0>(v),
        u8x16_extract_lane::<1>(v),
        u8x16_extract_lane::<2>(v),
        u8x16_extract_lane::<3>(v),
        u8x16_extract_lane::<4>(v),
        u8x16_extract_lane::<5>(v),
        u8x16_extract_lane::<6>(v),
        u8x16_extract_lane::<7>(v),
        u8x16_extract_lane::<8>(v),
        u8x16_extract_lane::<9>(v),
        u8x16_extract_lane::<10>(v),
        u8x16_extract_lane::<11>(v),
        u8x16_extract_lane::<12>(v),
        u8x16_extract_lane::<13>(v),
        u8x16_extract_lane::<14>(v),
        u8x16_extract_lane::<15>(v),
    ]
}
