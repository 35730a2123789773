//! The search for a `target_size`: runs an encoder at a bit rate and corrects the rate by the size of the result.

use filepress_wire::TaskErrorCode;

use crate::media::Failure;

/// The maximum number of encoder runs; each takes as long as a whole conversion.
pub(super) const MAX_ATTEMPTS: u32 = 5;
/// The factor by which the next bit rate stays below the estimate.
const SAFETY_FACTOR: f64 = 0.94;

/// A search for the highest bit rate that fits.
#[derive(Debug)]
pub(super) struct BitrateSearch {
    target: u64,
    /// Bits per second of all streams together.
    pub(super) bits: f64,
    /// The smallest size reached so far.
    smallest: u64,
    attempts: u32,
    /// The factor on the width and height: an encoder at its lowest bit rate can still save bits with fewer pixels.
    pub(super) shrink: f64,
}

impl BitrateSearch {
    pub(super) fn new(target: u64, bits: f64) -> Self {
        Self { target, bits, smallest: u64::MAX, attempts: 0, shrink: 1.0 }
    }

    /// The number of this run, from 0.
    pub(super) fn attempt(&self) -> u32 {
        self.attempts
    }

    /// Whether `size` is small enough; else sets the next bit rate, or fails after the last attempt.
    pub(super) fn reached(&mut self, size: u64) -> Result<bool, Failure> {
        self.attempts += 1;
        // If a lower bit rate gave no smaller file, the encoder has reached its minimum.
        let stuck = size >= self.smallest && self.attempts > 2;
        self.smallest = self.smallest.min(size);
        if size <= self.target {
            return Ok(true);
        }
        if stuck || self.attempts >= MAX_ATTEMPTS {
            return Err(target_unreachable(self.target, self.smallest));
        }
        let excess = (self.target as f64 / size as f64 * SAFETY_FACTOR).min(SAFETY_FACTOR);
        self.bits *= excess;
        if self.attempts > 1 {
            self.shrink *= excess.sqrt() * SAFETY_FACTOR;
        }
        Ok(false)
    }
}

/// The error if the target cannot be reached.
pub(super) fn target_unreachable(target: u64, smallest: u64) -> Failure {
    Failure::file(
        TaskErrorCode::TargetUnreachable,
        format!("The target of {target} bytes cannot be reached; the smallest result has {smallest} bytes."),
    )
}
