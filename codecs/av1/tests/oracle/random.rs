//! Random choices, and how many there are.

/// xorshift64*.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(own: u64) -> Self {
        Self(crate::seed::seed(own).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 << 40)
    }

    /// A generator for one of many cases.
    pub(super) fn fork(&self, case: usize) -> Self {
        let mut random = Self((self.0 ^ (case as u64 + 1).wrapping_mul(0xD134_2543_DE82_EF95)) | 1 << 40);
        (0..4).for_each(|_| _ = random.below(2));
        random
    }

    /// From 0 to one below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }

    /// True once in `times`.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// How many of `whole` cases a run makes: a tenth, or the share that `FILEPRESS_SCALE` says.
#[allow(clippy::disallowed_methods, reason = "a test runs natively")]
pub(super) fn scaled(whole: usize) -> usize {
    let share = std::env::var("FILEPRESS_SCALE").ok().map_or(0.1, |text| text.parse().unwrap());
    ((whole as f64 * share) as usize).max(1)
}

/// Whether the run is the one that everybody makes.
#[allow(clippy::disallowed_methods, reason = "a test runs natively")]
pub(super) fn is_default_seed() -> bool {
    std::env::var("FILEPRESS_SEED").map_or(true, |seed| seed == "0")
}
