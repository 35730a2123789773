//! Bytes of many kinds from a seed.

/// A generator of random numbers: xorshift64*.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit.max(1)
    }
}

impl Random {
    /// A number below 2 to the power of at most `bits`: small ones are as frequent as large ones.
    pub(crate) fn size(&mut self, bits: usize) -> usize {
        let bits = 1 + self.below(bits);
        self.below(1 << bits)
    }
}

/// Pieces of noise, of runs, of few symbols, of text and of copies, `size` bytes in all.
pub(crate) fn bytes(random: &mut Random, size: usize) -> Vec<u8> {
    const WORDS: [&[u8]; 6] = [b"window ", b"block ", b"of the ", b"literal ", b"\n", b"distance "];
    let mut bytes = Vec::with_capacity(size + 70_000);
    while bytes.len() < size {
        let length = 1 + random.size(11);
        let first = random.below(256) as u8;
        match random.below(7) {
            0 => bytes.extend((0..length).map(|_| random.below(256) as u8)),
            1 => bytes.resize(bytes.len() + length, first),
            2 => {
                let symbols = 1 + random.below(7);
                bytes.extend((0..length).map(|_| first.wrapping_add(random.below(symbols) as u8)));
            }
            3 => (0..length / 6).for_each(|_| bytes.extend_from_slice(WORDS[random.below(WORDS.len())])),
            4 => bytes.extend((0..length).map(|at| first.wrapping_add((at / 3) as u8))),
            _ if bytes.is_empty() => {}
            _ => {
                let from = random.below(bytes.len());
                let to = (from + length).min(bytes.len());
                bytes.extend_from_within(from..to);
            }
        }
    }
    bytes.truncate(size);
    bytes
}
