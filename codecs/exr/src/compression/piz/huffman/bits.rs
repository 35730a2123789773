//! Reads and writes bits, the highest of a byte first.

use crate::error::{DAMAGED, Result};

#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The bytes that were read ahead.
    at: usize,
    /// The next bit is the highest. Behind the end are zeros.
    window: u64,
    /// The bits in the window that `at` counts.
    filled: u32,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, window: 0, filled: 0 }
    }

    /// Reads ahead: 56 bits and more, or all that are left.
    pub(super) fn fill(&mut self) {
        let rest = &self.bytes[self.at..];
        if let Some(&next) = rest.first_chunk() {
            // Bits of a byte that is not counted yet are set a second time, to the same.
            self.window |= u64::from_be_bytes(next) >> self.filled;
            let bytes = (63 - self.filled) / 8;
            self.filled += bytes * 8;
            self.at += bytes as usize;
            return;
        }
        for &byte in rest {
            if self.filled > 56 {
                break;
            }
            self.window |= u64::from(byte) << (56 - self.filled);
            self.filled += 8;
            self.at += 1;
        }
    }

    /// The next bits, 1 to 32, without reading them.
    pub(super) fn peek(&self, bits: u32) -> u32 {
        (self.window >> (64 - bits)) as u32
    }

    /// All bits that were read ahead, the next one the highest.
    pub(super) fn window(&self) -> u64 {
        self.window
    }

    /// Reads bits that were read ahead, up to 63.
    pub(super) fn skip(&mut self, bits: u32) -> Result<()> {
        self.filled = self.filled.checked_sub(bits).ok_or(DAMAGED)?;
        self.window <<= bits;
        Ok(())
    }

    /// The bytes behind the one whose bits were read last.
    pub(super) fn rest_of_bytes(&self) -> &'a [u8] {
        &self.bytes[self.at - self.filled as usize / 8..]
    }
}

#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The bits that do not fill a byte yet are the lowest.
    window: u64,
    filled: u32,
}

impl BitWriter {
    /// Writes the lowest bits of a number, up to 56 bits and no others set.
    fn push_few(&mut self, number: u64, bits: u32) {
        self.window = self.window << bits | number;
        self.filled += bits;
        while self.filled >= 8 {
            self.filled -= 8;
            self.bytes.push((self.window >> self.filled) as u8);
        }
    }

    /// Writes the lowest bits of a number, in which no others are set.
    pub(super) fn push(&mut self, number: u64, bits: u32) {
        if bits > 32 {
            self.push_few(number >> 32, bits - 32);
            self.push_few(number & 0xFFFF_FFFF, 32);
        } else {
            self.push_few(number, bits);
        }
    }

    /// The bits so far.
    pub(super) fn bits(&self) -> usize {
        self.bytes.len() * 8 + self.filled as usize
    }

    /// The bytes, filled up with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.filled > 0 {
            self.push_few(0, 8 - self.filled);
        }
        self.bytes
    }
}
