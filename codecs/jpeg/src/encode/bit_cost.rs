//! What symbols cost in bits: the lengths of codes made for a part of the picture.

use super::blocks::indexed;
use super::huffman::{Counts, HuffmanTable};
use super::statistics::ZERO_RUN;

/// What coefficients cost in bits: of luma or of chroma.
#[derive(Clone)]
pub(crate) struct Rates {
    /// Lengths of the codes of DC and of AC symbols.
    pub(crate) dc: [u8; 256],
    pub(crate) ac: [u8; 256],
    /// What a block costs for saying that no more coefficients follow.
    pub(crate) end: f32,
    /// What a block with AC coefficients costs for breaking the run of blocks that have none.
    pub(crate) end_of_run: f32,
}

/// How often a symbol counts that was found once; what was not found counts as one.
const FOUND: u32 = 64;

/// Counts the symbols of some blocks.
pub(crate) struct RateCounter {
    progressive: bool,
    dc: Counts,
    ac: Counts,
    /// Runs of blocks at their end by the logarithm of their length.
    ends: [u32; 15],
    /// Blocks at their end since the last that was not, and all of them.
    ended: u32,
    all: u32,
}

impl RateCounter {
    pub(crate) fn new(progressive: bool) -> Self {
        let (mut dc, mut ac) = ([0; 256], [0; 256]);
        dc[..12].fill(1);
        for run in 0..16 {
            ac[run << 4..][..11].fill(1);
        }
        Self { progressive, dc, ac, ends: [0; 15], ended: 0, all: 0 }
    }

    /// A DC coefficient that differs so much from the one before.
    pub(crate) fn difference(&mut self, difference: i32) {
        self.dc[32 - difference.unsigned_abs().leading_zeros() as usize] += FOUND;
    }

    /// The AC coefficients of a block.
    pub(crate) fn block(&mut self, values: &[i16], mask: u64) {
        let mut previous = 0;
        for (k, value) in indexed(mask, values) {
            let (run, size) = (k - previous - 1, 16 - value.unsigned_abs().leading_zeros() as usize);
            self.ac[ZERO_RUN] += run as u32 / 16 * FOUND;
            self.ac[((run % 16) << 4 | size) & 0xFF] += FOUND;
            previous = k;
        }
        if mask != 0 || !self.progressive {
            self.end_run();
        }
        self.ended += u32::from(previous < 63);
        self.all += u32::from(previous < 63);
    }

    fn end_run(&mut self) {
        if self.ended > 0 {
            self.ends[self.ended.ilog2().min(14) as usize] += 1;
            self.ended = 0;
        }
    }

    pub(crate) fn finish(mut self, broken_run: f32) -> Rates {
        self.end_run();
        for (size, &count) in self.ends.iter().enumerate() {
            self.ac[size << 4] += count * FOUND;
        }
        let (dc, ac) = (HuffmanTable::optimal(&self.dc).lengths, HuffmanTable::optimal(&self.ac).lengths);
        let bits: u32 = self
            .ends
            .iter()
            .enumerate()
            .map(|(size, &count)| count * (u32::from(ac[size << 4]) + size as u32))
            .sum();
        let bits = bits as f32;
        let runs: u32 = self.ends.iter().sum();
        let end_of_run = broken_run * bits / runs.max(1) as f32;
        let end = if self.progressive && self.all > 0 { bits / self.all as f32 } else { f32::from(ac[0]) };
        Rates { dc, ac, end, end_of_run: if self.progressive { end_of_run } else { 0.0 } }
    }
}
