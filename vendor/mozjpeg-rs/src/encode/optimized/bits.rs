//! Symbols to bits and bits to bytes, as entropy-coded segments have them.

use std::io::{Result, Write};

use crate::huffman::DerivedTable;

/// Bytes that are handed on together.
const CHUNK: usize = 1 << 15;

/// Writes bits, highest first, with a zero byte after each of 255.
pub(super) struct BitSink<W> {
    output: W,
    bytes: Vec<u8>,
    /// Its lowest `count` bits are yet to be written.
    pending: u64,
    count: u32,
}

impl<W: Write> BitSink<W> {
    pub(super) fn new(output: W) -> Self {
        Self { output, bytes: Vec::with_capacity(CHUNK + 64), pending: 0, count: 0 }
    }

    /// The lowest `count` bits of `bits`, at most 32; the others are zero.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u32, count: u32) {
        self.pending = (self.pending << count) | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            let word = (self.pending >> self.count) as u32;
            // Whether no byte is 255.
            if word & 0x8080_8080 & !word.wrapping_add(0x0101_0101) == 0 {
                self.bytes.extend_from_slice(&word.to_be_bytes());
            } else {
                self.stuff(word);
            }
        }
    }

    #[cold]
    fn stuff(&mut self, word: u32) {
        for byte in word.to_be_bytes() {
            self.stuff_byte(byte);
        }
    }

    fn stuff_byte(&mut self, byte: u8) {
        self.bytes.push(byte);
        if byte == 0xFF {
            self.bytes.push(0);
        }
    }

    /// Hands bytes on where they are many. To be asked now and then.
    #[inline]
    pub(super) fn hand_on(&mut self) -> Result<()> {
        if self.bytes.len() < CHUNK {
            return Ok(());
        }
        self.output.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    /// Ends a segment: fills up the last byte with ones.
    pub(super) fn finish(&mut self) -> Result<()> {
        let missing = self.count.wrapping_neg() % 8;
        self.put((1 << missing) - 1, missing);
        while self.count > 0 {
            self.count -= 8;
            let byte = (self.pending >> self.count) as u8;
            self.stuff_byte(byte);
        }
        self.output.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    /// What markers are written to, between segments.
    pub(super) fn output(&mut self) -> &mut W {
        &mut self.output
    }
}

/// Codes of symbols, each with its length above it.
pub(super) struct CodeWords([u32; 256]);

impl CodeWords {
    pub(super) fn new(table: &DerivedTable) -> Self {
        Self(std::array::from_fn(|symbol| u32::from(table.ehufsi[symbol]) << 16 | table.ehufco[symbol]))
    }

    /// Writes a symbol and the lowest `count` bits of `more` after it.
    #[inline(always)]
    pub(super) fn put<W: Write>(&self, sink: &mut BitSink<W>, symbol: usize, more: u32, count: u32) {
        let code = self.0[symbol & 0xFF];
        sink.put((code & 0xFFFF) << count | more, (code >> 16) + count);
    }
}

/// The bits of a value: their number, and those of the value or, where it is negative, of the value less one.
#[inline(always)]
pub(super) fn value_bits(magnitude: u32, negative: bool) -> (u32, u32) {
    let size = 32 - magnitude.leading_zeros();
    (size, if negative { !magnitude & ((1 << size) - 1) } else { magnitude })
}
