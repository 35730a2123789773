//! Shares out the room that the first partition has for modes.

use crate::decide::Decision;
use crate::header;

/// What one macroblock may take at most, beside its share.
const LARGEST_SHARE: u64 = 8;

pub(crate) struct Budget {
    /// In 256ths of a bit.
    left: u64,
}

impl Budget {
    pub(crate) fn new(macroblocks: usize) -> Self {
        let room = header::MOST as u64 * 8 * 256;
        // Half of a byte each for what is no mode of a piece; a few thousand for the header.
        let plain = u64::from(header::plain_cost()) * macroblocks as u64 + 4096 * 8 * 256;
        Self { left: room.saturating_sub(plain) }
    }

    /// What the modes of the next macroblock's pieces may cost, at most `most`.
    pub(crate) fn allows(&self, macroblocks_left: usize, most: u32) -> u32 {
        let share = LARGEST_SHARE * self.left / macroblocks_left.max(1) as u64;
        u32::try_from(share.min(self.left)).unwrap_or(u32::MAX).min(most)
    }

    pub(crate) fn spend(&mut self, decision: &Decision) {
        self.left = self.left.saturating_sub(u64::from(decision.small_header));
    }
}
