//! What was lost of a damaged file.

use crate::decode::segments::Segments;
use crate::marker;

/// A file was damaged, and decoded nevertheless.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Damage {
    /// The share of the MCUs of all scans that was lost or is known to be wrong, 0 to 1. It is 0 if only bytes between
    /// segments or the end marker are wrong.
    pub share: f64,
}

/// Counts what was lost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) mcus: u64,
    pub(crate) lost: u64,
    pub(crate) damaged: bool,
}

impl Tally {
    /// Notes whether the file ends as it should behind the data of its last scan, which end at `at`.
    pub(crate) fn look_behind(&mut self, segments: &mut Segments<'_>, at: usize) {
        segments.seek(at);
        let end = loop {
            match segments.next_marker() {
                Some(marker::RST0..=marker::RST7) => self.damaged = true,
                end => break end,
            }
        };
        self.damaged |= segments.extraneous || end.is_none();
    }

    /// None if all is as it should be.
    pub(crate) fn damage(&self) -> Option<Damage> {
        let share = self.lost as f64 / self.mcus.max(1) as f64;
        (self.damaged || self.lost > 0).then_some(Damage { share })
    }
}
