//! Huffman codes in a form that is looked up (T.81, annex C and F.2.2.3).

use super::bits::{BitReader, extend};
use crate::huffman_spec::HuffmanSpec;

/// The bits that are looked up at once.
const LOOKUP: u32 = 10;

/// What the next bits are, in a word that is loaded at once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry(u32);

impl Entry {
    /// The flag of an entry whose value is known.
    const COMPLETE: u32 = 0x80;

    /// The bits of the code, and of the value where that is known; 0 for longer codes.
    #[inline(always)]
    pub(super) const fn length(self) -> u32 {
        self.0 & 0x1F
    }

    #[inline(always)]
    pub(super) const fn symbol(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Whether the value is known.
    #[inline(always)]
    pub(super) const fn complete(self) -> bool {
        self.0 & Self::COMPLETE != 0
    }

    /// The value of the bits behind the code, of which there are as many as the low half of the symbol says.
    #[inline(always)]
    pub(super) const fn value(self) -> i16 {
        (self.0 >> 16) as i16
    }
}

/// The codes of a table.
#[derive(Clone, Debug)]
pub(super) struct HuffmanTable {
    lookup: [Entry; 1 << LOOKUP],
    /// By length: one more than the highest code, in the high ones of 16 bits; `u32::MAX` behind the last length.
    ends: [u32; 18],
    /// By length: what a code adds up to with to be the index of its symbol.
    offsets: [i32; 17],
    symbols: [u8; 256],
}

impl HuffmanTable {
    pub(super) fn new(spec: &HuffmanSpec) -> Self {
        let mut table = Self {
            lookup: [Entry::default(); 1 << LOOKUP],
            ends: [0; 18],
            offsets: [0; 17],
            symbols: spec.symbols,
        };
        let (mut code, mut index) = (0_u32, 0_usize);
        for length in 1..=16_u32 {
            table.offsets[length as usize] = index as i32 - code as i32;
            for _ in 0..spec.counts[length as usize - 1] {
                if length <= LOOKUP {
                    table.enter(code, length, spec.symbols[index & 255]);
                }
                (code, index) = (code + 1, index + 1);
            }
            table.ends[length as usize] = code << (16 - length);
            code <<= 1;
        }
        table.ends[17] = u32::MAX;
        table
    }

    /// Writes the entries of all bits that begin with a code.
    fn enter(&mut self, code: u32, length: u32, symbol: u8) {
        let (first, rest) = (code << (LOOKUP - length), LOOKUP - length);
        let size = u32::from(symbol & 15);
        for behind in 0..1 << rest {
            let complete = size > 0 && size <= rest;
            let value = if complete { extend((behind >> (rest - size)) as i32, size) } else { 0 };
            let length = length + if complete { size | Entry::COMPLETE } else { 0 };
            if let Some(entry) = self.lookup.get_mut((first + behind) as usize) {
                *entry = Entry((value as u32) << 16 | u32::from(symbol) << 8 | length);
            }
        }
    }

    /// The entry of the next bits, of which 16 are available; its length is 0 if the code is longer.
    #[inline(always)]
    pub(super) fn look_up(&self, bits: &BitReader<'_>) -> Entry {
        self.lookup[bits.peek(LOOKUP) as usize]
    }

    /// Takes a code, of which 16 bits are available, and tells its symbol; none if there is no such code.
    #[inline(always)]
    pub(super) fn take_symbol(&self, bits: &mut BitReader<'_>) -> Option<u8> {
        let entry = self.look_up(bits);
        if entry.complete() {
            bits.skip(entry.length() - u32::from(entry.symbol() & 15));
            return Some(entry.symbol());
        }
        self.take_code(entry, bits)
    }

    /// As [`take_symbol`](Self::take_symbol), of an entry that was looked up and whose value is not known.
    #[inline(always)]
    pub(super) fn take_code(&self, entry: Entry, bits: &mut BitReader<'_>) -> Option<u8> {
        let (length, symbol) = match entry.length() {
            0 => self.long(bits.peek(16)),
            length => (length, Some(entry.symbol())),
        };
        bits.skip(length);
        symbol
    }

    /// The length of a code that is not looked up, and its symbol, from the next 16 bits.
    #[inline(never)]
    pub(super) fn long(&self, next: u32) -> (u32, Option<u8>) {
        let length = (1..=17).find(|&length| next < self.ends[length]).unwrap_or(17);
        if length > 16 {
            // As many as libjpeg takes before it gives up, so that both recover the same.
            return (17, None);
        }
        let index = (next >> (16 - length)) as i32 + self.offsets[length];
        (length as u32, Some(self.symbols[index as usize & 255]))
    }
}
