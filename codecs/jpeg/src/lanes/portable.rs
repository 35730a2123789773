//! The operations as scalar code: the definition that `simd128` has to match.

use super::PIXELS;

/// A bit for each AC coefficient of a block whose magnitude exceeds its threshold, which is not negative.
#[inline(always)]
pub(crate) fn beyond(block: &[i16; 64], thresholds: &[i16; 64]) -> u64 {
    let mut mask = 0;
    let rows = block.as_chunks::<8>().0.iter().zip(thresholds.as_chunks::<8>().0);
    for (row, (values, thresholds)) in rows.enumerate() {
        let bytes: [u8; 8] = std::array::from_fn(|lane| {
            u8::from(values[lane].unsigned_abs() > thresholds[lane].unsigned_abs())
        });
        // The lowest bit of each byte, one beside the other: each is moved to the highest byte by one of the factor's bits.
        let bits = u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= bits << (8 * row);
    }
    mask & !1
}

/// The samples of pixels.
#[inline(always)]
pub(crate) fn separate(pixels: &[u8; 3 * PIXELS]) -> [[u8; PIXELS]; 3] {
    [0, 1, 2].map(|sample| std::array::from_fn(|at| pixels[3 * at + sample]))
}
