//! The operations as scalar code: the definition that `simd128` has to match.

/// The number of bytes of one comparison.
pub(crate) const STEP: usize = 8;

/// The place of the first byte that differs.
#[inline(always)]
pub(crate) fn first_difference(one: &[u8; STEP], other: &[u8; STEP]) -> Option<usize> {
    let difference = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
    (difference != 0).then(|| difference.trailing_zeros() as usize / 8)
}

/// The sums of Adler-32 after these blocks, not reduced.
pub(crate) fn sums(blocks: &[[u8; 16]], mut a: u32, mut b: u32) -> (u32, u32) {
    for block in blocks {
        b += 16 * a;
        let (mut sum, mut weighted) = (0_u32, 0_u32);
        for (weight, byte) in (1..=16).rev().zip(block) {
            sum += u32::from(*byte);
            weighted += weight * u32::from(*byte);
        }
        a += sum;
        b += weighted;
    }
    (a, b)
}
