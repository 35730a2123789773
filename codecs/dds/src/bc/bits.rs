//! The bits of a block of 16 bytes, from the lowest.

/// What is left to read.
#[derive(Clone, Copy)]
pub(crate) struct Bits {
    low: u64,
    high: u64,
}

impl Bits {
    pub(crate) const fn new(low: u64, high: u64) -> Self {
        Self { low, high }
    }

    /// The next bits, at most 32. Beyond the block there are zeros.
    pub(crate) fn take(&mut self, count: u8) -> u32 {
        if count == 0 {
            return 0;
        }
        let value = self.low & (u64::MAX >> (64 - count));
        self.low = (self.low >> count) | (self.high << (64 - count));
        self.high >>= count;
        value as u32
    }

    /// The indices of a block, of which those of `anchors` have a bit less.
    pub(crate) fn indices(&mut self, width: u8, anchors: u16) -> [u8; 16] {
        let mut indices = [0; 16];
        for (at, index) in indices.iter_mut().enumerate() {
            *index = self.take(width - ((anchors >> at) & 1) as u8) as u8;
        }
        indices
    }
}
