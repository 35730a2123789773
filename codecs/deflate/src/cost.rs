//! Costs of symbols in fractions of a bit. Integers, so that each machine makes the same decisions.

use crate::histogram::Histogram;
use crate::symbols::{
    DISTANCES, LITLENS, MAX_LENGTH, MIN_LENGTH, Token, distance_extra_bits, length_extra_bits, length_symbol,
};

/// The number of fraction bits of a cost.
const FRACTION: u32 = 4;
/// One bit.
const BIT: u32 = 1 << FRACTION;
/// The most that a symbol costs: its longest codeword.
pub(crate) const MAX_COST: u16 = 15 << FRACTION;

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
fn of_counts(counts: &[u32], costs: &mut [u32]) {
    let total = log2(counts.iter().sum::<u32>().max(1));
    for (cost, &count) in costs.iter_mut().zip(counts) {
        let log = if count == 0 { total + (1 << LOG_FRACTION) } else { total - log2(count) };
        *cost = (log >> (LOG_FRACTION - FRACTION)).clamp(1, MAX_COST.into());
    }
}

/// What literals cost more, and what lengths and distances cost without extra bits, before anything is parsed.
const FIRST_LITERAL: u32 = BIT;
const FIRST_LENGTH: u32 = 3 * BIT;
const FIRST_DISTANCE: u32 = 4 * BIT;

/// What literals, lengths and distances cost, extra bits included.
#[derive(Clone)]
pub(crate) struct Costs {
    pub(crate) literals: [u16; 256],
    /// Of each length; as many as an index of nine bits has.
    pub(crate) lengths: [u16; 512],
    pub(crate) distances: [u16; 32],
}

impl Costs {
    /// Costs from the frequencies of symbols.
    pub(crate) fn of(histogram: &Histogram) -> Self {
        let mut litlens = [0; LITLENS];
        let mut distances = [0; DISTANCES];
        of_counts(&histogram.litlens, &mut litlens);
        of_counts(&histogram.distances, &mut distances);
        Self::new(&litlens, &distances)
    }

    /// Costs before anything is known but how often each byte occurs. All lengths cost the same, and all distances but for their
    /// extra bits: where many matches cost about as much as literals, the costs of later parses settle on the nearest matches of
    /// few lengths rather than on the longest.
    pub(crate) fn first(data: &[u8]) -> Self {
        let mut counts = [0; 256];
        data.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
        let (mut litlens, distances) = ([FIRST_LENGTH; LITLENS], [FIRST_DISTANCE; DISTANCES]);
        of_counts(&counts, &mut litlens[..256]);
        litlens[..256].iter_mut().for_each(|cost| *cost += FIRST_LITERAL);
        Self::new(&litlens, &distances)
    }

    /// Costs from the lengths of codewords; a symbol without a codeword costs `absent` bits.
    pub(crate) fn of_code(litlens: &[u8; LITLENS], distances: &[u8; DISTANCES], absent: u32) -> Self {
        let bits = |length: &u8| if *length == 0 { absent * BIT } else { u32::from(*length) * BIT };
        Self::new(
            &std::array::from_fn(|at| bits(&litlens[at])),
            &std::array::from_fn(|at| bits(&distances[at])),
        )
    }

    fn new(litlens: &[u32; LITLENS], distances: &[u32; DISTANCES]) -> Self {
        let mut costs = Self { literals: [0; 256], lengths: [0; 512], distances: [0; 32] };
        for (cost, symbol) in costs.literals.iter_mut().zip(litlens) {
            *cost = (*symbol as u16).min(MAX_COST);
        }
        for (length, cost) in costs.lengths.iter_mut().enumerate().take(MAX_LENGTH + 1).skip(MIN_LENGTH) {
            let symbol = length_symbol(length);
            *cost = (litlens[symbol] + length_extra_bits(symbol) * BIT) as u16;
        }
        for (symbol, cost) in distances.iter().enumerate() {
            costs.distances[symbol] = (cost + distance_extra_bits(symbol) * BIT) as u16;
        }
        costs
    }

    #[inline(always)]
    pub(crate) fn distance(&self, token: Token) -> u16 {
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
