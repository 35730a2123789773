//! Symbols to bits and bits to bytes, as entropy-coded segments have them (ITU-T T.81, F.1.2.3).

use super::huffman::HuffmanTable;

/// Writes bits, highest first, with a zero byte after each of 255.
pub(crate) struct BitSink {
    bytes: Vec<u8>,
    /// Its lowest `count` bits are yet to be written.
    pending: u64,
    count: u32,
}

impl BitSink {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, pending: 0, count: 0 }
    }

    /// The lowest `count` bits of `bits`, at most 32; the others are zero.
    #[inline(always)]
    pub(crate) fn put(&mut self, bits: u32, count: u32) {
        self.pending = (self.pending << count) | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            let word = (self.pending >> self.count) as u32;
            // Whether no byte is 255.
            if word & 0x8080_8080 & !word.wrapping_add(0x0101_0101) == 0 {
                self.bytes.extend_from_slice(&word.to_be_bytes());
            } else {
                word.to_be_bytes().into_iter().for_each(|byte| self.stuff(byte));
            }
        }
    }

    fn stuff(&mut self, byte: u8) {
        self.bytes.push(byte);
        if byte == 0xFF {
            self.bytes.push(0);
        }
    }

    /// Ends a segment: fills up the last byte with ones.
    pub(crate) fn finish(&mut self) {
        let missing = self.count.wrapping_neg() % 8;
        self.put((1 << missing) - 1, missing);
        while self.count > 0 {
            self.count -= 8;
            self.stuff((self.pending >> self.count) as u8);
        }
    }

    /// What markers are written to, between segments.
    pub(crate) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// All that was written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Codes of symbols, each with its length above it.
pub(crate) struct CodeWords([u32; 256]);

impl CodeWords {
    pub(crate) fn new(table: &HuffmanTable) -> Self {
        let word = |symbol: usize| u32::from(table.lengths[symbol]) << 16 | u32::from(table.codes[symbol]);
        Self(std::array::from_fn(word))
    }

    /// Writes a symbol and the lowest `count` bits of `more` after it.
    #[inline(always)]
    pub(crate) fn put(&self, sink: &mut BitSink, symbol: usize, more: u32, count: u32) {
        let code = self.0[symbol & 0xFF];
        sink.put((code & 0xFFFF) << count | more, (code >> 16) + count);
    }
}

/// The bits of a value: their number, and those of the value or, where it is negative, of the value less one.
#[inline(always)]
pub(crate) fn value_bits(magnitude: u32, negative: bool) -> (u32, u32) {
    let size = 32 - magnitude.leading_zeros();
    (size, if negative { !magnitude & ((1 << size) - 1) } else { magnitude })
}
