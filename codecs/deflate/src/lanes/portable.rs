//! The operations as scalar code: the definition that `simd128` has to match.

use super::STEP;

/// The place of the first byte that differs.
#[inline(always)]
pub(crate) fn first_difference(one: &[u8; STEP], other: &[u8; STEP]) -> Option<usize> {
    let difference = u128::from_le_bytes(*one) ^ u128::from_le_bytes(*other);
    (difference != 0).then(|| difference.trailing_zeros() as usize / 8)
}

/// What the distance symbols cost.
pub(crate) struct SymbolCosts([u16; 32]);

impl SymbolCosts {
    pub(crate) fn new(costs: &[u16; 32]) -> Self {
        Self(*costs)
    }
}

/// The sums of a row, of which `left` count: the others become as large as can be.
#[inline(always)]
fn row(lengths: &[u16; STEP], rest: &[u16; STEP], base: u16, left: usize) -> [u16; STEP] {
    std::array::from_fn(|at| {
        let beyond = if at < left { 0 } else { u16::MAX };
        rest[at].wrapping_sub(base).saturating_add(lengths[at]) | beyond
    })
}

fn least_of(rows: impl Iterator<Item = [u16; STEP]>) -> u16 {
    let least = rows.fold([u16::MAX; STEP], |least, row| std::array::from_fn(|at| least[at].min(row[at])));
    least.into_iter().fold(u16::MAX, u16::min)
}

/// The least of the first `count` sums of `rest - base` and `lengths`. Differences wrap around, sums saturate. Each list has at least
/// as many numbers as the rows that `count` begins.
#[inline(always)]
pub(crate) fn least(lengths: &[u16], rest: &[u16], base: u16, count: usize) -> u16 {
    let rows = lengths.as_chunks().0.iter().zip(rest.as_chunks().0).take(count.div_ceil(STEP));
    least_of(rows.enumerate().map(|(at, (lengths, rest))| row(lengths, rest, base, count - STEP * at)))
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
    let rows = lengths.as_chunks().0.iter().zip(rest.as_chunks().0).zip(symbols.as_chunks::<STEP>().0);
    least_of(rows.take(count.div_ceil(STEP)).enumerate().map(|(at, ((lengths, rest), symbols))| {
        let near = row(lengths, rest, base, count - STEP * at);
        let far = symbols.map(|symbol| costs.0[usize::from(symbol & 31)]);
        std::array::from_fn(|at| near[at].saturating_add(far[at]))
    }))
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
