//! Keeps partition 0 within its limit: intra4 modes are by far its largest part, so each macroblock gets an upper bound for
//! theirs. Small pictures never reach it.

use super::{MAX_BYTES, plain_mb_cost};
use crate::mode_decision::Decision;

/// How many equal shares of what is left one macroblock may take.
const MAX_SHARES: u64 = 8;
/// Reserved for the frame header, in bytes.
const FRAME_HEADER_BYTES: u64 = 4096;

pub(crate) struct ModeBudget {
    /// In 256ths of a bit.
    left: u64,
}

impl ModeBudget {
    pub(crate) fn new(macroblocks: usize) -> Self {
        let total = MAX_BYTES as u64 * 8 * 256;
        let reserved = u64::from(plain_mb_cost()) * macroblocks as u64 + FRAME_HEADER_BYTES * 8 * 256;
        Self { left: total.saturating_sub(reserved) }
    }

    /// The upper bound for the intra4 modes of the next macroblock, at most `max`.
    pub(crate) fn bound(&self, macroblocks_left: usize, max: u32) -> u32 {
        let share = MAX_SHARES * self.left / macroblocks_left.max(1) as u64;
        u32::try_from(share.min(self.left)).unwrap_or(u32::MAX).min(max)
    }

    pub(crate) fn spend(&mut self, decision: &Decision) {
        self.left = self.left.saturating_sub(u64::from(decision.intra4_mode_cost));
    }
}
