//! The operations as scalar code: the definition that `simd128` has to match.

use super::take_lowest;

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

/// A bit for each coefficient of a block that is not zero.
#[inline(always)]
pub(crate) fn nonzero(block: &[i8; 64]) -> u64 {
    block.iter().rev().fold(0, |mask, &coefficient| mask << 1 | u64::from(coefficient != 0))
}

/// Whether no coefficient takes more than a byte once it has its bit `low`.
#[inline(always)]
pub(crate) fn stay_bytes(block: &[i8; 64], low: u32) -> bool {
    low < 7 && block.iter().all(|&coefficient| coefficient >= i8::MIN + (1 << low))
}

/// Gives coefficients their bit `low`, where they lack it and their bit of `corrections` is set: the highest one is that of the first
/// coefficient of the mask `coefficients`. Magnitudes grow, and none comes to take more than a byte.
#[inline(always)]
pub(crate) fn correct(block: &mut [i8; 64], mut coefficients: u64, mut corrections: u64, low: u32) {
    while coefficients != 0 {
        let coefficient = &mut block[take_lowest(&mut coefficients) & 63];
        let missing = (corrections >> 63) as i8 & !(*coefficient >> low);
        let sign = *coefficient >> 7 | 1;
        *coefficient += (missing * sign) << low;
        corrections <<= 1;
    }
}

/// The sum of a 64th of each coefficient's square, rounded down.
#[inline(always)]
pub(crate) fn squares(block: &[i16; 64]) -> i32 {
    block.iter().map(|&value| (i32::from(value) * i32::from(value)) >> 6).sum()
}
