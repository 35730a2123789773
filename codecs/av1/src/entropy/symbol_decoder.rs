//! The symbol decoder of one tile (AV1 specification, section 8.2).
//!
//! The specification holds 15 bits of the value and shifts in the complement of each new bit. Here the value stands at the
//! top of a window of 64 bits, with as many bits of what follows as are there already. A CDF is held as 32768 minus the
//! cumulative frequencies, so that the subtraction before each comparison falls away.

/// The symbol before which `value` lies is the number of bounds above it.
const WINDOW_SHIFT: u32 = 48;
/// The probability of an unadapted bit, times 32768.
const HALF: u32 = 1 << 14;

/// Reads symbols from the bytes of one tile. Bits after the end are zero.
pub(crate) struct SymbolDecoder<'a> {
    data: &'a [u8],
    position: usize,
    window: u64,
    /// How many bits of the window below its top 16 are loaded.
    loaded: i32,
    range: u32,
    adapts: bool,
}

impl<'a> SymbolDecoder<'a> {
    /// `adapts`: whether the probabilities follow the symbols (disable_cdf_update is 0).
    pub(crate) fn new(data: &'a [u8], adapts: bool) -> Self {
        // The 15 bits of the first value follow a zero bit.
        let mut decoder = Self { data, position: 0, window: 0, loaded: -15, range: 1 << 15, adapts };
        decoder.refill();
        decoder
    }

    /// Loads whole bytes below what the window holds.
    fn refill(&mut self) {
        let mut shift = WINDOW_SHIFT as i32 - 8 - self.loaded;
        if let Some(next) =
            self.data.get(self.position..self.position + 8).and_then(|next| next.first_chunk())
        {
            // As many of the eight bytes as there is room for.
            let bytes = shift / 8 + 1;
            let kept = !u64::from_be_bytes(*next) >> (64 - 8 * bytes);
            self.window |= kept << (shift - 8 * (bytes - 1));
            self.position += bytes as usize;
            self.loaded += 8 * bytes;
            return;
        }
        while shift >= 0 {
            let byte = self.data.get(self.position).copied().unwrap_or(0);
            self.position += 1;
            self.window |= u64::from(!byte) << shift;
            shift -= 8;
            self.loaded += 8;
        }
    }

    /// Takes what lies below `below` and not below `above` as the new range, and doubles it until it has 16 bits again.
    #[inline(always)]
    fn narrow(&mut self, above: u32, below: u32) {
        let range = above - below;
        let bits = range.leading_zeros() - 16;
        self.window = (self.window - (u64::from(below) << WINDOW_SHIFT)) << bits;
        self.range = range << bits;
        self.loaded -= bits as i32;
        if self.loaded < 0 {
            self.refill();
        }
    }

    /// A symbol of `LENGTH - 1` values. The CDF adapts.
    #[inline(always)]
    pub(crate) fn symbol<const LENGTH: usize>(&mut self, cdf: &mut [u16; LENGTH]) -> usize {
        let last = LENGTH - 2;
        let value = (self.window >> WINDOW_SHIFT) as u32;
        let scale = self.range >> 8;
        let mut symbol = 0;
        let mut above = self.range;
        let mut below = bound(scale, cdf[0], last);
        while value < below {
            symbol += 1;
            above = below;
            below = if symbol == last { 0 } else { bound(scale, cdf[symbol], last - symbol) };
        }
        self.narrow(above, below);
        if self.adapts {
            adapt(cdf, symbol);
        }
        symbol
    }

    /// A symbol of two values.
    #[inline(always)]
    pub(crate) fn flag(&mut self, cdf: &mut [u16; 3]) -> bool {
        self.symbol(cdf) != 0
    }

    /// A bit that is 1 with `probability` of 32768, which does not adapt.
    #[inline(always)]
    pub(crate) fn bit_with(&mut self, probability: u32) -> bool {
        let value = (self.window >> WINDOW_SHIFT) as u32;
        let split = (((self.range >> 8) * (probability >> 6)) >> 1) + 4;
        let is_set = value < split;
        if is_set {
            self.narrow(split, 0);
        } else {
            self.narrow(self.range, split);
        }
        is_set
    }

    /// read_bool.
    #[inline(always)]
    pub(crate) fn bit(&mut self) -> bool {
        self.bit_with(HALF)
    }

    /// read_literal: L(count).
    pub(crate) fn literal(&mut self, count: u32) -> u32 {
        (0..count).fold(0, |value, _| value << 1 | u32::from(self.bit()))
    }

    /// NS(count): a value below `count`.
    pub(crate) fn uniform(&mut self, count: u32) -> u32 {
        if count <= 1 {
            return 0;
        }
        let width = 32 - count.leading_zeros();
        let short = (1 << width) - count;
        let value = self.literal(width - 1);
        if value < short { value } else { (value << 1) - short + u32::from(self.bit()) }
    }
}

#[inline(always)]
pub(super) fn bound(scale: u32, complement: u16, remaining: usize) -> u32 {
    ((scale * u32::from(complement >> 6)) >> 1) + 4 * remaining as u32
}

#[inline(always)]
pub(super) fn adapt(cdf: &mut [u16], symbol: usize) {
    let values = cdf.len() - 1;
    let count = cdf[values];
    let rate = 3 + u16::from(count > 15) + u16::from(count > 31) + (values.ilog2() as u16).min(2);
    for (at, entry) in cdf[..values - 1].iter_mut().enumerate() {
        if at < symbol {
            *entry += (32768 - *entry) >> rate;
        } else {
            *entry -= *entry >> rate;
        }
    }
    cdf[values] = count + u16::from(count < 32);
}
