//! Writes bits, least significant first (RFC 9649, section 3.2).

#[derive(Default)]
pub(super) struct BitWriter {
    out: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Writes the lowest `count` bits of `value`, at most 32.
    #[inline]
    pub(super) fn write(&mut self, value: u32, count: u32) {
        self.pending |= u64::from(value) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.out.push(self.pending as u8);
        }
        self.out
    }
}
