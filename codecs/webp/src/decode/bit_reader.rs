//! Reads bits, the lowest of each byte first (RFC 9649, section 3.1).

use super::DecodeError;

/// Bits that [`BitReader::refill`] provides at least.
const REFILLED: u32 = 56;

pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The byte that is loaded next.
    at: usize,
    /// The lowest `count` bits are the next ones. Higher ones are theirs too, or zero.
    buffer: u64,
    count: u32,
    /// The bits beyond the end of the data that were loaded, as zeros.
    missing: u32,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, buffer: 0, count: 0, missing: 0 }
    }

    /// Makes sure that the next [`REFILLED`] bits can be taken.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if let Some(word) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
            self.buffer |= u64::from_le_bytes(*word) << self.count;
            self.at += ((63 - self.count) >> 3) as usize;
            self.count |= REFILLED;
        } else {
            self.refill_at_end();
        }
    }

    #[cold]
    fn refill_at_end(&mut self) {
        while self.count < REFILLED {
            match self.bytes.get(self.at) {
                Some(byte) => self.buffer |= u64::from(*byte) << self.count,
                // It can grow for a whole row before it is looked at.
                None => self.missing = self.missing.saturating_add(8),
            }
            self.at += 1;
            self.count += 8;
        }
    }

    /// The next bits, at least 15 of them if they were refilled.
    #[inline(always)]
    pub(super) fn peek(&self) -> usize {
        self.buffer as usize
    }

    /// How many bits can be taken.
    #[inline(always)]
    pub(super) fn available(&self) -> u32 {
        self.count
    }

    #[inline(always)]
    pub(super) fn skip(&mut self, bits: u32) {
        self.buffer >>= bits;
        self.count -= bits;
    }

    /// Takes up to 31 of the bits that were refilled, as a number.
    #[inline(always)]
    pub(super) fn take(&mut self, bits: u32) -> u32 {
        let value = self.buffer as u32 & ((1 << bits) - 1);
        self.skip(bits);
        value
    }

    /// Reads up to 31 bits as a number.
    #[inline]
    pub(super) fn bits(&mut self, bits: u32) -> u32 {
        self.refill();
        self.take(bits)
    }

    pub(super) fn bit(&mut self) -> bool {
        self.bits(1) == 1
    }

    /// # Errors
    /// [`DecodeError::Corrupt`] if more bits were taken than there are.
    pub(super) fn check(&self) -> Result<(), DecodeError> {
        match self.missing > self.count {
            true => Err(DecodeError::Corrupt("the data ends too soon")),
            false => Ok(()),
        }
    }
}
