//! Bits of entropy-coded data (T.81, F.2.2.5), without the zeros that are stuffed behind `FF`.

/// Reads bits up to the next marker. Behind it are zeros. Decoders copy it for a block, so that it stays in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The next bits, from the highest one.
    buffer: u64,
    /// The number of bits in `buffer`.
    count: u32,
    /// The zeros that were appended behind the data.
    padding: u64,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, buffer: 0, count: 0, padding: 0 }
    }

    /// The offset of the byte that is read next. No marker lies before it.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Whether more bits were taken than there are before the marker.
    #[inline]
    pub(super) fn exhausted(&self) -> bool {
        self.padding > u64::from(self.count)
    }

    /// Makes 32 bits available at least.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if self.count > 32 {
            return;
        }
        if let Some(&next) = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<4>()) {
            let next = u32::from_be_bytes(next);
            // Whether a byte is FF: the complement has a zero byte.
            let inverse = !next;
            if inverse.wrapping_sub(0x0101_0101) & !inverse & 0x8080_8080 == 0 {
                self.buffer |= u64::from(next) << (32 - self.count);
                self.count += 32;
                self.at += 4;
                return;
            }
        }
        *self = self.refilled_by_bytes();
    }

    #[cold]
    #[inline(never)]
    fn refilled_by_bytes(mut self) -> Self {
        while self.count <= 56 {
            let byte = match self.bytes.get(self.at) {
                Some(0xFF) => {
                    let behind = &self.bytes[self.at..];
                    let fill = behind.iter().position(|&byte| byte != 0xFF);
                    match fill {
                        Some(fill) if behind[fill] == 0 => {
                            self.at += fill + 1;
                            0xFF
                        }
                        _ => break,
                    }
                }
                Some(&byte) => {
                    self.at += 1;
                    byte
                }
                None => break,
            };
            self.buffer |= u64::from(byte) << (56 - self.count);
            self.count += 8;
        }
        if self.count <= 32 {
            self.padding += u64::from(64 - self.count);
            self.count = 64;
        }
        self
    }

    /// The next `count` bits, 1 to 32 of those that are available.
    #[inline(always)]
    pub(super) fn peek(&self, count: u32) -> u32 {
        (self.buffer >> (64 - count)) as u32
    }

    /// Skips available bits.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        self.buffer <<= count;
        self.count -= count;
    }

    /// Takes `count` bits, 0 to 16 of those that are available.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let bits = (self.buffer >> 32 >> (32 - count)) as u32;
        self.skip(count);
        bits
    }

    /// Takes the bits of a magnitude category and extends their sign (F.2.2.1, EXTEND), which no branch could foretell.
    #[inline(always)]
    pub(super) fn take_signed(&mut self, count: u32) -> i32 {
        let negative = !(self.buffer as i64 >> 63) as i32;
        self.take(count) as i32 + (negative & (1 - (1 << count)))
    }

    /// Makes sure of a bit and takes it.
    #[inline(always)]
    pub(super) fn take_bit(&mut self) -> bool {
        self.refill();
        self.take(1) == 1
    }
}

/// The value of the bits of a magnitude category (F.2.2.1, EXTEND).
#[inline(always)]
pub(super) const fn extend(bits: i32, count: u32) -> i32 {
    if count > 0 && bits < 1 << (count - 1) { bits - (1 << count) + 1 } else { bits }
}
