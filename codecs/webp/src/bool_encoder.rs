//! The boolean entropy encoder (RFC 6386, section 7).
//!
//! The coder narrows an interval: `bottom` is its lower end and `range` its length. Both are shifted left so that `range` stays
//! between 128 and 255. What has been shifted out above the lowest 8 bits of `bottom` is output, except that a later addition may
//! still carry into it. So output waits in `bottom` and leaves it 16 bits at a time; a carry beyond that goes into the bytes
//! already written.

/// The shifts after which two bytes are written. 16 bits remain, which is what the last bytes of [`BoolEncoder::finish`] need.
const FLUSH_AT: u32 = 32;

pub(crate) struct BoolEncoder {
    out: Vec<u8>,
    /// 8 bits in the units of `range`, below `shifts` bits that wait and one bit for a carry.
    bottom: u64,
    range: u32,
    shifts: u32,
}

impl BoolEncoder {
    pub(crate) fn new() -> Self {
        Self { out: Vec::new(), bottom: 0, range: 255, shifts: 0 }
    }

    /// Writes a bool whose probability to be 0 is `prob` / 256.
    #[inline]
    pub(crate) fn write(&mut self, bit: bool, prob: u8) {
        let split = 1 + (((self.range - 1) * u32::from(prob)) >> 8);
        if bit {
            self.bottom += u64::from(split);
            self.range -= split;
        } else {
            self.range = split;
        }
        let shift = self.range.leading_zeros() - 24;
        self.range <<= shift;
        self.bottom <<= shift;
        self.shifts += shift;
        if self.shifts >= FLUSH_AT {
            let word = self.take(16);
            self.out.extend_from_slice(&(word as u16).to_be_bytes());
        }
    }

    /// Writes the lowest `bits` bits of `value` as bools of equal probability, the highest first.
    pub(crate) fn literal(&mut self, value: u32, bits: u32) {
        for bit in (0..bits).rev() {
            self.write((value >> bit) & 1 != 0, 128);
        }
    }

    /// Writes a flag and, if `value` is not 0, its magnitude and sign (sections 9.3 and 9.6).
    pub(crate) fn optional_signed(&mut self, value: i32, bits: u32) {
        self.write(value != 0, 128);
        if value != 0 {
            self.literal(value.unsigned_abs(), bits);
            self.write(value < 0, 128);
        }
    }

    /// Writes what still waits, padded with zeros, and returns the bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.literal(0, 32);
        while self.shifts >= 24 {
            let byte = self.take(8);
            self.out.push(byte as u8);
        }
        self.out
    }

    /// Removes the highest `bits` waiting bits from `bottom` and propagates the carry above them.
    #[inline]
    fn take(&mut self, bits: u32) -> u64 {
        let kept = self.shifts + 8 - bits;
        let taken = self.bottom >> kept;
        self.bottom &= (1 << kept) - 1;
        self.shifts -= bits;
        if taken >> bits != 0 {
            self.carry();
        }
        taken
    }

    /// Adds one to the number that the written bytes are.
    #[cold]
    fn carry(&mut self) {
        let ones = self.out.iter().rev().take_while(|byte| **byte == 0xff).count();
        let kept = self.out.len() - ones;
        let (head, tail) = self.out.split_at_mut(kept);
        tail.fill(0);
        if let Some(last) = head.last_mut() {
            *last += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BoolEncoder;

    /// The decoder of section 7.3, on a number of any length.
    struct Decoder<'a> {
        input: std::slice::Iter<'a, u8>,
        value: u32,
        range: u32,
        bits: u32,
        /// Bytes read past the end, which count as zero.
        missing: u32,
    }

    impl<'a> Decoder<'a> {
        fn new(bytes: &'a [u8]) -> Self {
            let mut decoder = Self { input: bytes.iter(), value: 0, range: 255, bits: 0, missing: 0 };
            decoder.value = (decoder.byte() << 8) | decoder.byte();
            decoder
        }

        fn byte(&mut self) -> u32 {
            match self.input.next() {
                Some(byte) => u32::from(*byte),
                None => {
                    self.missing += 1;
                    0
                }
            }
        }

        fn read(&mut self, prob: u8) -> bool {
            let split = 1 + (((self.range - 1) * u32::from(prob)) >> 8);
            let bit = self.value >= split << 8;
            if bit {
                self.range -= split;
                self.value -= split << 8;
            } else {
                self.range = split;
            }
            while self.range < 128 {
                self.value <<= 1;
                self.range <<= 1;
                self.bits += 1;
                if self.bits == 8 {
                    self.bits = 0;
                    self.value |= self.byte();
                }
            }
            bit
        }
    }

    #[test]
    fn the_decoder_of_the_rfc_reads_what_was_written() {
        let mut state = crate::seed::seed(9) as u32;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8
        };
        let mut lengths = 0;
        for length in 0..400 {
            // Improbable ones make long runs of 0xff and carries into them.
            let certain = length % 3 == 0;
            let bools: Vec<(bool, u8)> = (0..length * 7)
                .map(|_| {
                    if certain { (next() % 3 > 0, 255) } else { (next() % 2 == 0, (next() % 255 + 1) as u8) }
                })
                .collect();
            let mut encoder = BoolEncoder::new();
            bools.iter().for_each(|&(bit, prob)| encoder.write(bit, prob));
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for (index, &(bit, prob)) in bools.iter().enumerate() {
                assert_eq!(decoder.read(prob), bit, "bool {index} of {}", bools.len());
            }
            // It reads a byte ahead.
            assert!(decoder.missing <= 1, "{} bytes past the end", decoder.missing);
            lengths += 1;
        }
        assert_eq!(lengths, 400);
    }
}
