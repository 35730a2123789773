//! The search for a number of bytes: an encoder is told a rate, and what comes out says how to correct it.

use filepress_wire::TaskErrorCode;

use crate::media::Failure;

/// How often an encoder is run; each run takes the time of a whole conversion.
pub(super) const MAX_ATTEMPTS: u32 = 5;
/// What is aimed at below a rate that was too much.
const SAFETY_FACTOR: f64 = 0.94;

/// A search by the bits a second that a file was given.
#[derive(Debug)]
pub(super) struct BitrateSearch {
    target: u64,
    /// Of all streams together.
    pub(super) bits: f64,
    /// The fewest bytes that were reached.
    smallest: u64,
    attempts: u32,
    /// The factor on the sides of a picture: an encoder that cannot do with fewer bits can do with fewer pixels.
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

    /// Whether so many bytes are few enough; else the next rate is set, until there is no next.
    pub(super) fn reached(&mut self, size: u64) -> Result<bool, Failure> {
        self.attempts += 1;
        // Another run at a lower rate that gives no fewer bytes has reached the encoder's end.
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

/// Nothing brings the output within the target.
pub(super) fn target_unreachable(target: u64, smallest: u64) -> Failure {
    Failure::file(
        TaskErrorCode::TargetUnreachable,
        format!(
            "The result cannot be brought to {target} bytes: the smallest that was reached has {smallest}."
        ),
    )
}
