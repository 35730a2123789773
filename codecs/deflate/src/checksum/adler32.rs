//! Adler-32 (RFC 1950, 8.2).

use crate::lanes::sums;

const MODULUS: u32 = 65_521;
/// So many bytes leave the sums within 32 bits; a multiple of the lanes.
const MAX_RUN: usize = 5536;

/// The checksum of a zlib stream.
#[derive(Clone, Copy, Debug)]
pub struct Adler32 {
    a: u32,
    b: u32,
}

impl Default for Adler32 {
    fn default() -> Self {
        Self { a: 1, b: 0 }
    }
}

impl Adler32 {
    /// The checksum of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        for run in bytes.chunks(MAX_RUN) {
            let (blocks, rest) = run.as_chunks();
            (self.a, self.b) = sums(blocks, self.a, self.b);
            for byte in rest {
                self.a += u32::from(*byte);
                self.b += self.a;
            }
            self.a %= MODULUS;
            self.b %= MODULUS;
        }
    }

    /// The checksum of the bytes so far.
    pub fn value(&self) -> u32 {
        self.b << 16 | self.a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let of = |bytes: &[u8]| {
            let mut sum = Adler32::new();
            sum.update(bytes);
            sum.value()
        };
        assert_eq!(of(b""), 1);
        assert_eq!(of(b"Wikipedia"), 0x11E6_0398);
        let many = vec![0xFF; 100_000];
        let (mut a, mut b) = (1_u64, 0_u64);
        for byte in &many {
            a = (a + u64::from(*byte)) % 65_521;
            b = (b + a) % 65_521;
        }
        assert_eq!(u64::from(of(&many)), b << 16 | a);
    }
}
