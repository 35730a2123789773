//! What takes symbols: the encoder, or a counter of the bits that it would write.

/// Takes symbols in the order of the bitstream. The same code writes syntax elements and tells their cost.
pub(crate) trait SymbolSink {
    /// A symbol of `LENGTH - 1` values.
    fn symbol<const LENGTH: usize>(&mut self, cdf: &mut [u16; LENGTH], symbol: usize);

    /// A bit that is 1 with `probability` of 32768.
    fn bit_with(&mut self, probability: u32, is_set: bool);

    /// A bit that is as often 0 as 1.
    fn bit(&mut self, is_set: bool);

    /// A symbol of two values.
    #[inline(always)]
    fn flag(&mut self, cdf: &mut [u16; 3], is_set: bool) {
        self.symbol(cdf, usize::from(is_set));
    }

    /// L(count).
    #[inline(always)]
    fn literal(&mut self, count: u32, value: u32) {
        for at in (0..count).rev() {
            self.bit(value >> at & 1 != 0);
        }
    }
}

/// Entries of [`BITS`]: the precision of probabilities that costs are told with.
const STEPS: usize = 1024;
/// The bits of a symbol, by the upper 10 bits of its probability.
static BITS: [f32; STEPS] = bits();

const fn bits() -> [f32; STEPS] {
    let mut table = [0.0; STEPS];
    let mut at = 0;
    while at < STEPS {
        table[at] = -log2((at as f64 + 0.5) / STEPS as f64) as f32;
        at += 1;
    }
    table
}

/// The binary logarithm of a number from 0 to 1, by squaring.
const fn log2(mut value: f64) -> f64 {
    let mut whole = 0.0;
    while value < 1.0 {
        value *= 2.0;
        whole -= 1.0;
    }
    let (mut fraction, mut weight) = (0.0, 0.5);
    while weight > 1e-9 {
        value *= value;
        if value >= 2.0 {
            value /= 2.0;
            fraction += weight;
        }
        weight /= 2.0;
    }
    whole + fraction
}

/// The bits of a symbol of a CDF.
#[inline(always)]
pub(crate) fn symbol_bits(cdf: &[u16], symbol: usize) -> f32 {
    let before = if symbol == 0 { 1 << 15 } else { cdf[symbol - 1] };
    let after = if symbol + 2 == cdf.len() { 0 } else { cdf[symbol] };
    BITS[usize::from((before - after) >> 5) & (STEPS - 1)]
}

/// Counts bits. The CDFs stay as they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BitCounter {
    pub(crate) bits: f32,
}

impl SymbolSink for BitCounter {
    #[inline(always)]
    fn symbol<const LENGTH: usize>(&mut self, cdf: &mut [u16; LENGTH], symbol: usize) {
        self.bits += symbol_bits(cdf, symbol);
    }

    #[inline(always)]
    fn bit_with(&mut self, probability: u32, is_set: bool) {
        let probability = if is_set { probability } else { (1 << 15) - probability };
        self.bits += BITS[(probability >> 5) as usize & (STEPS - 1)];
    }

    #[inline(always)]
    fn bit(&mut self, _is_set: bool) {
        self.bits += 1.0;
    }

    #[inline(always)]
    fn literal(&mut self, count: u32, _value: u32) {
        self.bits += count as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_of_an_eighth_costs_three_bits() {
        let mut counter = BitCounter::default();
        counter.symbol(&mut [4096, 0, 0], 0);
        assert!((counter.bits - 0.19).abs() < 0.01, "{counter:?}");
        counter.symbol(&mut [4096, 0, 0], 1);
        assert!((counter.bits - 3.19).abs() < 0.02, "{counter:?}");
        counter.literal(5, 1);
        assert!((counter.bits - 8.19).abs() < 0.02, "{counter:?}");
    }
}
