//! How often each symbol occurs.

use crate::symbols::{
    DISTANCES, END_OF_BLOCK, LITLENS, Token, distance_extra_bits, length_extra_bits, length_symbol,
};

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Histogram {
    pub(crate) litlens: [u32; LITLENS],
    pub(crate) distances: [u32; DISTANCES],
}

impl Histogram {
    pub(crate) const EMPTY: Self = Self { litlens: [0; LITLENS], distances: [0; DISTANCES] };

    /// The symbols of some tokens, without the end of the block.
    pub(crate) fn of(tokens: &[Token]) -> Self {
        let mut histogram = Self::EMPTY;
        tokens.iter().for_each(|token| histogram.add(*token));
        histogram
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, token: Token) {
        match token.length() {
            0 => self.litlens[token.value() & 0xFF] += 1,
            length => {
                self.litlens[length_symbol(length)] += 1;
                self.distances[token.distance_symbol()] += 1;
            }
        }
    }

    /// With one end of a block.
    pub(crate) fn ended(mut self) -> Self {
        self.litlens[END_OF_BLOCK] = 1;
        self
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.litlens.iter_mut().zip(other.litlens).for_each(|(count, more)| *count += more);
        self.distances.iter_mut().zip(other.distances).for_each(|(count, more)| *count += more);
    }

    /// Halves all counts, so that later ones weigh more.
    pub(crate) fn halve(&mut self) {
        self.litlens.iter_mut().chain(&mut self.distances).for_each(|count| *count -= *count / 2);
    }

    /// The bits that follow length and distance symbols.
    pub(crate) fn extra_bits(&self) -> u64 {
        let bits = |count: &u32, bits: u32| u64::from(*count) * u64::from(bits);
        let lengths: u64 = (257..)
            .zip(&self.litlens[257..])
            .map(|(symbol, count)| bits(count, length_extra_bits(symbol)))
            .sum();
        let distances: u64 =
            (0..).zip(&self.distances).map(|(symbol, count)| bits(count, distance_extra_bits(symbol))).sum();
        lengths + distances
    }
}
