//! The boolean entropy encoder (RFC 6386, section 7).

/// Writes bits, each with the probability that it is 0, in 256ths.
pub(crate) struct BoolEncoder {
    out: Vec<u8>,
    /// The start of the interval: what is settled stands above the bit `24 + pending`.
    low: u32,
    /// The length of the interval, 128 to 255.
    range: u32,
    /// How many more shifts fill a byte, less than zero.
    count: i32,
}

impl BoolEncoder {
    pub(crate) fn new() -> Self {
        Self { out: Vec::new(), low: 0, range: 255, count: -24 }
    }

    #[inline]
    pub(crate) fn write(&mut self, bit: bool, probability: u8) {
        let split = 1 + (((self.range - 1) * u32::from(probability)) >> 8);
        if bit {
            self.low = self.low.wrapping_add(split);
            self.range -= split;
        } else {
            self.range = split;
        }
        let mut shift = self.range.leading_zeros() as i32 - 24;
        self.range <<= shift;
        self.count += shift;
        if self.count >= 0 {
            let offset = shift - self.count;
            if offset > 0 && (self.low << (offset - 1)) & 0x8000_0000 != 0 {
                self.carry();
            }
            self.out.push((self.low >> (24 - offset)) as u8);
            self.low = (self.low << offset) & 0x00ff_ffff;
            shift = self.count;
            self.count -= 8;
        }
        self.low <<= shift;
    }

    /// Bits of even odds, the highest first.
    pub(crate) fn literal(&mut self, value: u32, bits: u32) {
        for bit in (0..bits).rev() {
            self.write((value >> bit) & 1 != 0, 128);
        }
    }

    /// A flag, and where it is set a number with its sign.
    pub(crate) fn optional_signed(&mut self, value: i32, bits: u32) {
        self.write(value != 0, 128);
        if value != 0 {
            self.literal(value.unsigned_abs(), bits);
            self.write(value < 0, 128);
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.literal(0, 32);
        self.out
    }

    fn carry(&mut self) {
        for byte in self.out.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }
}
