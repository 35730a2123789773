//! The operations as 128-bit WebAssembly instructions.

use core::arch::wasm32::{
    i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, u8x16_bitmask, u8x16_ne,
    u16x8_extadd_pairwise_u8x16, u16x8_extend_high_u8x16, u16x8_extend_low_u8x16,
    u32x4_extadd_pairwise_u16x8, u64x2, v128,
};

/// The number of bytes of one comparison.
pub(crate) const STEP: usize = 16;

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
