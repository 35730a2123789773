//! Disturbs counts of symbols, so that the costs of a block that have settled can settle elsewhere.

use crate::histogram::Histogram;

/// One in so many counts becomes that of another symbol.
const CHANGED: u32 = 3;

/// The same numbers on every machine.
pub(crate) struct Scrambler {
    state: u32,
}

impl Default for Scrambler {
    fn default() -> Self {
        Self { state: 0x9E37_79B9 }
    }
}

impl Scrambler {
    pub(crate) fn scrambled(&mut self, histogram: &Histogram) -> Histogram {
        let mut scrambled = histogram.clone();
        self.disturb(&mut scrambled.litlens);
        self.disturb(&mut scrambled.distances);
        scrambled
    }

    fn disturb(&mut self, counts: &mut [u32]) {
        for at in 0..counts.len() {
            if self.below(CHANGED) == 0 {
                counts[at] = counts[self.below(counts.len() as u32) as usize];
            }
        }
    }

    /// A number below `bound`, by xorshift (Marsaglia, 2003).
    fn below(&mut self, bound: u32) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 17;
        self.state ^= self.state << 5;
        self.state % bound
    }
}
