//! The random numbers of section 7.18.3.2: a shift register of 16 bits with linear feedback.

#[derive(Clone, Copy, Debug)]
pub(super) struct Random(u16);

impl Random {
    pub(super) fn new(seed: u16) -> Self {
        Self(seed)
    }

    /// The next `bits` bits, 1 to 16.
    pub(super) fn bits(&mut self, bits: u32) -> usize {
        let register = self.0;
        let bit = (register ^ (register >> 1) ^ (register >> 3) ^ (register >> 12)) & 1;
        self.0 = (register >> 1) | (bit << 15);
        usize::from(self.0 >> (16 - bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_register_shifts_right_and_takes_the_parity_of_four_bits() {
        let mut random = Random::new(1);
        // 0x8000, 0x4000, 0x2000, 0x1000; then bit 12 is set.
        assert_eq!([0; 5].map(|_: u8| random.bits(16)), [0x8000, 0x4000, 0x2000, 0x1000, 0x8800]);
        // 0x4400: the upper eight bits.
        assert_eq!(random.bits(8), 0x44);
    }

    #[test]
    fn the_register_has_the_full_period() {
        let mut random = Random::new(0xACE1);
        let period = 1 + (0..1 << 17).position(|_| random.bits(16) == 0xACE1).unwrap();
        assert_eq!(period, 65535);
    }
}
