//! Bits of headers: the inverse of `obu::bit_reader` (AV1 specification, section 4.10).

/// Writes bits, the most significant of each byte first.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits of the last byte that are used; 0 if all are.
    used: u32,
}

impl BitWriter {
    pub(super) fn flag(&mut self, is_set: bool) {
        if self.used == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(is_set) << (7 - self.used);
        }
        self.used = (self.used + 1) % 8;
    }

    /// f(count).
    pub(super) fn bits(&mut self, count: u32, value: u32) {
        for at in (0..count).rev() {
            self.flag(value >> at & 1 != 0);
        }
    }

    /// su(count), in two's complement.
    pub(super) fn signed(&mut self, count: u32, value: i32) {
        self.bits(count, value as u32);
    }

    /// trailing_bits( ): a one bit, and zeros up to the end of the byte.
    pub(super) fn trailing_bits(&mut self) {
        self.flag(true);
        self.align();
    }

    /// byte_alignment( ).
    pub(super) fn align(&mut self) {
        self.used = 0;
    }

    /// Whole bytes, after alignment.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.align();
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
