//! Costs of symbols in fractions of a bit. Integers, so that each machine makes the same decisions.

use crate::histogram::Histogram;
use crate::symbols::{
    DISTANCES, LITLENS, MAX_BITS, MAX_LENGTH, MIN_LENGTH, Token, distance_extra_bits, length_extra_bits,
    length_symbol,
};

/// The most that a match costs: two of the longest codewords, and the extra bits of its length and its distance.
pub(crate) const MAX_COST: u16 = (2 * MAX_BITS as u16 + 5 + 13) << u16::FRACTION;

/// A number that costs are told in: a fraction of a bit.
pub(crate) trait Price: Copy + Default {
    /// How many bits of it stand for less than one.
    const FRACTION: u32;

    fn new(cost: u32) -> Self;
}

/// For sixteen costs at a time.
impl Price for u16 {
    const FRACTION: u32 = 8;

    #[inline(always)]
    fn new(cost: u32) -> Self {
        cost as u16
    }
}

/// For exact decisions.
impl Price for u32 {
    const FRACTION: u32 = 12;

    #[inline(always)]
    fn new(cost: u32) -> Self {
        cost
    }
}

/// The number of fraction bits of [`log2`].
const LOG_FRACTION: u32 = 16;
const STEPS: u32 = 9;

/// log₂(1 + i / 512) with 16 fraction bits, by repeated squaring.
const LOGS: [u32; (1 << STEPS) + 1] = {
    let mut table = [0; (1 << STEPS) + 1];
    let mut at = 0;
    while at < table.len() {
        let mut x: u64 = (1 << 30) + ((at as u64) << (30 - STEPS));
        let mut log = 0;
        if at == 1 << STEPS {
            log = 1 << LOG_FRACTION;
        } else {
            let mut bit = 0;
            while bit < LOG_FRACTION {
                x = (x * x) >> 30;
                log <<= 1;
                if x >= 2 << 30 {
                    x >>= 1;
                    log |= 1;
                }
                bit += 1;
            }
        }
        table[at] = log;
        at += 1;
    }
    table
};

/// log₂ with 16 fraction bits, of a number from 1 on.
#[inline(always)]
pub(crate) fn log2(number: u32) -> u32 {
    let shift = (number | 1).leading_zeros();
    let normal = (number | (number == 0) as u32) << shift;
    let at = (normal >> (31 - STEPS)) as usize & ((1 << STEPS) - 1);
    let rest = normal >> (31 - STEPS - 8) & 0xFF;
    let (low, high) = (LOGS[at], LOGS[at + 1]);
    ((31 - shift) << LOG_FRACTION) + low + (((high - low) * rest) >> 8)
}

/// The entropy of some counts, in bits.
pub(crate) fn entropy(counts: &[u32]) -> u64 {
    let (mut total, mut sum) = (0_u32, 0_u64);
    for &count in counts.iter().filter(|count| **count > 0) {
        total += count;
        sum += u64::from(count) * u64::from(log2(count));
    }
    (u64::from(total) * u64::from(log2(total))).saturating_sub(sum) >> LOG_FRACTION
}

/// The costs of symbols with these counts; one that does not occur costs as if it occurred half a time.
fn of_counts<P: Price>(counts: &[u32], costs: &mut [u32]) {
    let total = log2(counts.iter().sum::<u32>().max(1));
    for (cost, &count) in costs.iter_mut().zip(counts) {
        let log = if count == 0 { total + (1 << LOG_FRACTION) } else { total - log2(count) };
        *cost = (log >> (LOG_FRACTION - P::FRACTION)).clamp(1, MAX_BITS << P::FRACTION);
    }
}

/// What is assumed before anything is parsed, in bits: what literals cost more than by the frequencies of bytes, and what lengths and
/// distances cost without extra bits.
#[derive(Clone, Copy)]
pub(crate) struct FirstPrices {
    pub(crate) literal: u32,
    pub(crate) length: u32,
    pub(crate) distance: u32,
}

/// What literals, lengths and distances cost, extra bits included.
#[derive(Clone)]
pub(crate) struct Costs<P = u16> {
    pub(crate) literals: [P; 256],
    /// Of each length; as many as an index of nine bits has.
    pub(crate) lengths: [P; 512],
    pub(crate) distances: [P; 32],
}

impl<P: Price> Costs<P> {
    /// Costs from the frequencies of symbols.
    pub(crate) fn of(histogram: &Histogram) -> Self {
        let mut litlens = [0; LITLENS];
        let mut distances = [0; DISTANCES];
        of_counts::<P>(&histogram.litlens, &mut litlens);
        of_counts::<P>(&histogram.distances, &mut distances);
        Self::new(&litlens, &distances)
    }

    /// Costs before anything is known but how often each byte occurs. All lengths cost the same, and all distances but for their
    /// extra bits: where many matches cost about as much as literals, the costs of later parses settle on the nearest matches of
    /// few lengths rather than on the longest.
    pub(crate) fn first(data: &[u8], prices: FirstPrices) -> Self {
        let mut counts = [0; 256];
        data.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
        let mut litlens = [prices.length << P::FRACTION; LITLENS];
        of_counts::<P>(&counts, &mut litlens[..256]);
        litlens[..256].iter_mut().for_each(|cost| *cost += prices.literal << P::FRACTION);
        Self::new(&litlens, &[prices.distance << P::FRACTION; DISTANCES])
    }

    /// Costs from the lengths of codewords; a symbol without a codeword costs `absent` bits.
    pub(crate) fn of_code(litlens: &[u8; LITLENS], distances: &[u8; DISTANCES], absent: u32) -> Self {
        let cost = |length: &u8| match length {
            0 => absent << P::FRACTION,
            bits => u32::from(*bits) << P::FRACTION,
        };
        Self::new(
            &std::array::from_fn(|at| cost(&litlens[at])),
            &std::array::from_fn(|at| cost(&distances[at])),
        )
    }

    fn new(litlens: &[u32; LITLENS], distances: &[u32; DISTANCES]) -> Self {
        let none = P::default();
        let mut costs = Self { literals: [none; 256], lengths: [none; 512], distances: [none; 32] };
        for (cost, symbol) in costs.literals.iter_mut().zip(litlens) {
            *cost = P::new((*symbol).min(MAX_BITS << P::FRACTION));
        }
        for (length, cost) in costs.lengths.iter_mut().enumerate().take(MAX_LENGTH + 1).skip(MIN_LENGTH) {
            let symbol = length_symbol(length);
            *cost = P::new(litlens[symbol] + (length_extra_bits(symbol) << P::FRACTION));
        }
        for (symbol, cost) in distances.iter().enumerate() {
            costs.distances[symbol] = P::new(cost + (distance_extra_bits(symbol) << P::FRACTION));
        }
        costs
    }

    #[inline(always)]
    pub(crate) fn distance(&self, token: Token) -> P {
        self.distances[token.distance_symbol() & 31]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close_to_the_floating_ones() {
        for number in (1..5000).chain([65_535, 1 << 20, 123_456_789, u32::MAX]) {
            let exact = f64::from(number).log2();
            assert!((f64::from(log2(number)) / 65536.0 - exact).abs() < 1e-4, "{number}");
        }
    }
}
