//! The alphabets of DEFLATE (RFC 1951, 3.2.5): literals, lengths and distances.

/// The shortest match.
pub(crate) const MIN_LENGTH: usize = 3;
/// The longest match.
pub(crate) const MAX_LENGTH: usize = 258;
/// The farthest distance of a match.
pub(crate) const WINDOW: usize = 1 << 15;
/// The longest codeword of literals, lengths and distances, in bits.
pub(crate) const MAX_BITS: u32 = 15;
/// The symbol that ends a block.
pub(crate) const END_OF_BLOCK: usize = 256;
/// Literals, the end of a block and 29 lengths.
pub(crate) const LITLENS: usize = 286;
/// The number of distance symbols.
pub(crate) const DISTANCES: usize = 30;

/// The first length of each length symbol, from 257 on.
const LENGTH_BASE: [u16; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
];

/// The length symbol minus 257 of each length.
const LENGTH_SYMBOL: [u8; MAX_LENGTH + 1] = {
    let mut table = [0; MAX_LENGTH + 1];
    let mut length = MIN_LENGTH;
    while length <= MAX_LENGTH {
        let mut symbol = 28;
        while LENGTH_BASE[symbol] as usize > length {
            symbol -= 1;
        }
        table[length] = symbol as u8;
        length += 1;
    }
    table
};

/// The distance symbols of distances 1 to 256, then those of 257 to 32,768 in steps of 128.
const DISTANCE_SYMBOL: [u8; 512] = {
    let mut table = [0; 512];
    let mut at = 0;
    while at < 512 {
        let offset = if at < 256 { at } else { (at - 256) << 7 };
        table[at] = if offset < 4 {
            offset as u8
        } else {
            let bits = offset.ilog2();
            (2 * bits + (offset >> (bits - 1) & 1) as u32) as u8
        };
        at += 1;
    }
    table
};

/// Index of a length in the alphabet of literals and lengths.
#[inline(always)]
pub(crate) fn length_symbol(length: usize) -> usize {
    257 + usize::from(LENGTH_SYMBOL[length.min(MAX_LENGTH)])
}

/// The number of extra bits of a length symbol, and their value for this length.
#[inline(always)]
pub(crate) fn length_extra(length: usize) -> (u32, u32) {
    let symbol = usize::from(LENGTH_SYMBOL[length.min(MAX_LENGTH)]);
    (length_extra_bits(257 + symbol), length as u32 - u32::from(LENGTH_BASE[symbol]))
}

/// The number of extra bits of a symbol of the alphabet of literals and lengths.
#[inline(always)]
pub(crate) fn length_extra_bits(symbol: usize) -> u32 {
    match symbol {
        265..285 => (symbol as u32 - 261) / 4,
        _ => 0,
    }
}

/// The symbol of a distance.
#[inline(always)]
pub(crate) fn distance_symbol(distance: usize) -> usize {
    let offset = distance.wrapping_sub(1);
    let at = if offset < 256 { offset } else { 256 + (offset >> 7) };
    usize::from(DISTANCE_SYMBOL[at & 511])
}

/// The number of extra bits of a distance symbol.
#[inline(always)]
pub(crate) fn distance_extra_bits(symbol: usize) -> u32 {
    (symbol as u32 / 2).saturating_sub(1)
}

/// The number of extra bits of a distance, and their value.
#[inline(always)]
pub(crate) fn distance_extra(distance: usize) -> (u32, u32) {
    let bits = distance_extra_bits(distance_symbol(distance));
    // The base of a symbol is a multiple of 2^bits, after the 1 is subtracted.
    (bits, (distance as u32 - 1) & ((1 << bits) - 1))
}

/// A literal, or a match. Bits of a match, from the lowest: 16 of the distance, 9 of the length, 5 of the distance symbol, which
/// each pass over the matches needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token(u32);

impl Token {
    const LENGTH: u32 = 0x1FF << 16;

    pub(crate) const fn literal(byte: u8) -> Self {
        Self(byte as u32)
    }

    /// A copy of 3 to 258 bytes from 1 to 32,768 bytes before.
    #[inline(always)]
    pub(crate) fn matching(length: usize, distance: usize) -> Self {
        Self((distance_symbol(distance) as u32) << 25 | (length as u32) << 16 | distance as u32)
    }

    /// A match at the same distance.
    #[inline(always)]
    pub(crate) const fn with_length(self, length: usize) -> Self {
        Self(self.0 & !Self::LENGTH | (length as u32) << 16)
    }

    /// The length of a match; 0 for a literal.
    #[inline(always)]
    pub(crate) const fn length(self) -> usize {
        ((self.0 & Self::LENGTH) >> 16) as usize
    }

    /// The distance of a match, or the byte of a literal.
    #[inline(always)]
    pub(crate) const fn value(self) -> usize {
        (self.0 & 0xFFFF) as usize
    }

    /// The distance symbol of a match.
    #[inline(always)]
    pub(crate) const fn distance_symbol(self) -> usize {
        (self.0 >> 25) as usize
    }

    /// The number of bytes that it stands for.
    #[inline(always)]
    pub(crate) const fn size(self) -> usize {
        let length = self.length();
        if length == 0 { 1 } else { length }
    }
}
