//! The operations as scalar code: the definition that `simd128` has to match.

/// The number of bytes of one comparison.
pub(crate) const STEP: usize = 8;

/// The place of the first byte that differs.
#[inline(always)]
pub(crate) fn first_difference(one: &[u8; STEP], other: &[u8; STEP]) -> Option<usize> {
    let difference = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
    (difference != 0).then(|| difference.trailing_zeros() as usize / 8)
}

/// The number of sums that are compared at once.
pub(crate) const ROW: usize = 16;

/// What the distance symbols cost.
pub(crate) struct SymbolCosts([u16; 32]);

impl SymbolCosts {
    pub(crate) fn new(costs: &[u16; 32]) -> Self {
        Self(*costs)
    }
}

/// The least of the first `count` sums of `rest - base` and `lengths`. Differences wrap around, sums saturate. Each list has at least
/// as many numbers as the rows that `count` begins.
#[inline(always)]
pub(crate) fn least(lengths: &[u16], rest: &[u16], base: u16, count: usize) -> u16 {
    let sums = lengths.iter().zip(rest).take(count);
    sums.map(|(length, rest)| rest.wrapping_sub(base).saturating_add(*length)).min().unwrap_or(u16::MAX)
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
    let sums = lengths.iter().zip(rest).zip(symbols).take(count).map(|((length, rest), symbol)| {
        let near = rest.wrapping_sub(base).saturating_add(*length);
        near.saturating_add(costs.0[usize::from(symbol & 31)])
    });
    sums.min().unwrap_or(u16::MAX)
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
