//! Bits in the order of DEFLATE: the first in the lowest bit of a byte (RFC 1951, 3.1.1).

/// Collects bits and hands out whole bytes.
#[derive(Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    waiting: u64,
    /// The number of bits in `waiting`: below 32 between calls.
    count: u32,
}

impl BitWriter {
    /// Appends the lowest `count` bits of `bits`, at most 32. Higher bits must be zero.
    #[inline(always)]
    pub(crate) fn put(&mut self, bits: u32, count: u32) {
        self.waiting |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= 32 {
            self.bytes.extend_from_slice(&(self.waiting as u32).to_le_bytes());
            self.waiting >>= 32;
            self.count -= 32;
        }
    }

    /// Fills the last byte with zeros.
    pub(crate) fn align(&mut self) {
        let bytes = self.count.div_ceil(8) as usize;
        self.bytes.extend(self.waiting.to_le_bytes().iter().take(bytes));
        self.waiting = 0;
        self.count = 0;
    }

    /// The number of bits in the last, unfinished byte.
    pub(crate) fn phase(&self) -> u32 {
        self.count % 8
    }

    /// Appends bytes. Requires that the last byte is finished (`align`).
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The bytes so far. The bits of an unfinished word stay.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}
