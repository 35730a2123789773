//! The operations as 128-bit WebAssembly instructions.

use core::arch::wasm32::{
    i8x16_bitmask, i8x16_narrow_i16x8, i16x8, i16x8_abs, u8x16, u8x16_extract_lane, u8x16_shuffle, u16x8_gt,
    v128,
};

use super::PIXELS;

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

/// The samples of pixels.
#[inline(always)]
#[rustfmt::skip]
pub(crate) fn separate(pixels: &[u8; 3 * PIXELS]) -> [[u8; PIXELS]; 3] {
    let (parts, _) = pixels.as_chunks::<PIXELS>();
    let (v0, v1, v2) = (bytes(parts[0]), bytes(parts[1]), bytes(parts[2]));
    let part = u8x16_shuffle::<0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0>(v0, v1);
    let plane0 = u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29>(part, v2);
    let part = u8x16_shuffle::<1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0>(v0, v1);
    let plane1 = u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30>(part, v2);
    let part = u8x16_shuffle::<2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0>(v0, v1);
    let plane2 = u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31>(part, v2);
    [array(plane0), array(plane1), array(plane2)]
}

#[inline(always)]
fn bytes(v: [u8; PIXELS]) -> v128 {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = v;
    u8x16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
}

#[inline(always)]
fn array(v: v128) -> [u8; PIXELS] {
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
