//! The symbol encoder of one tile: the inverse of the decoder of section 8.2 of the AV1 specification.
//!
//! The decoder subtracts from a value that holds the complement of the bits. Seen from the bits themselves, a symbol adds what lies above
//! its bounds to the least number that decodes to all symbols so far.

use super::sink::SymbolSink;
use super::symbol_decoder::{adapt, bound};

/// The probability of an unadapted bit, times 32768.
const HALF: u32 = 1 << 14;
/// Bits of the number that the next symbol can still change.
const WINDOW: u32 = 15;

/// Writes symbols. The CDFs adapt.
pub(crate) struct SymbolEncoder {
    bytes: Vec<u8>,
    /// The least number that decodes to the symbols so far, less what is in `bytes`, with a carry above.
    low: u64,
    range: u32,
    /// Bits of `low` above the window.
    pending: u32,
}

impl SymbolEncoder {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), low: 0, range: 1 << WINDOW, pending: 0 }
    }

    /// Takes what the decoder finds below `below` and not below `above` as the new range.
    #[inline(always)]
    fn narrow(&mut self, above: u32, below: u32) {
        self.low += u64::from(self.range - above);
        let range = above - below;
        let bits = range.leading_zeros() - 16;
        self.low <<= bits;
        self.range = range << bits;
        self.pending += bits;
        while self.pending >= 8 {
            self.pending -= 8;
            self.output(WINDOW + self.pending);
        }
    }

    /// A symbol of any CDF. One function for all: symbols are written once, after a search that takes much longer.
    #[inline(never)]
    fn symbol_of(&mut self, cdf: &mut [u16], symbol: usize) {
        let last = cdf.len() - 2;
        let scale = self.range >> 8;
        let above = match symbol {
            0 => self.range,
            _ => bound(scale, cdf[symbol - 1], last + 1 - symbol),
        };
        let below = if symbol == last { 0 } else { bound(scale, cdf[symbol], last - symbol) };
        self.narrow(above, below);
        adapt(cdf, symbol);
    }

    /// Moves what is above `bits` bits to the output.
    fn output(&mut self, bits: u32) {
        let byte = self.low >> bits;
        self.low &= (1 << bits) - 1;
        // As the range is up to twice the window, so may be the carry.
        let mut carry = byte >> 8;
        for before in self.bytes.iter_mut().rev() {
            if carry == 0 {
                break;
            }
            carry += u64::from(*before);
            *before = carry as u8;
            carry >>= 8;
        }
        self.bytes.push(byte as u8);
    }

    /// The bytes of the tile. They end with the one bit that section 8.2.4 wants at the top of the window, and zeros.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let top = 1 << (WINDOW - 1);
        self.low = (self.low + top - 1) >> WINDOW << WINDOW | top;
        // At most seven bits are pending: they and the one bit fit into a byte.
        self.output(WINDOW + self.pending - 8);
        self.bytes
    }
}

impl SymbolSink for SymbolEncoder {
    #[inline(always)]
    fn symbol<const LENGTH: usize>(&mut self, cdf: &mut [u16; LENGTH], symbol: usize) {
        self.symbol_of(cdf, symbol);
    }

    #[inline(never)]
    fn bit_with(&mut self, probability: u32, is_set: bool) {
        let split = (((self.range >> 8) * (probability >> 6)) >> 1) + 4;
        if is_set {
            self.narrow(split, 0);
        } else {
            self.narrow(self.range, split);
        }
    }

    #[inline(always)]
    fn bit(&mut self, is_set: bool) {
        self.bit_with(HALF, is_set);
    }
}

#[cfg(test)]
mod tests {
    use super::super::SymbolDecoder;
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for (seed, length) in (1..60).map(|length| (length, length as usize * length as usize)) {
            let mut state: u64 = seed;
            let mut next = |limit: u32| {
                state =
                    state.wrapping_mul(6_364_136_223_846_793_005_u64).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as u32 % limit
            };
            let choices: Vec<(u32, u32)> = (0..length)
                .map(|_| (next(3), if next(3) == 0 { next(4) } else { 3 * (seed as u32 % 2) }))
                .collect();
            let mut encoder = SymbolEncoder::new();
            let mut cdf = [22_000, 9_000, 100, 0, 0];
            for (kind, value) in &choices {
                match kind {
                    0 => encoder.symbol(&mut cdf, *value as usize),
                    1 => encoder.literal(2, *value),
                    _ => encoder.bit_with(700, *value > 1),
                }
            }
            let bytes = encoder.finish();
            let mut decoder = SymbolDecoder::new(&bytes, true);
            let mut cdf = [22_000, 9_000, 100, 0, 0];
            for (kind, value) in &choices {
                match kind {
                    0 => assert_eq!(decoder.symbol(&mut cdf), *value as usize),
                    1 => assert_eq!(decoder.literal(2), *value),
                    _ => assert_eq!(decoder.bit_with(700), *value > 1),
                }
            }
        }
    }
}
