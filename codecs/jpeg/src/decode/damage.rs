//! What was lost of a damaged file.

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
    /// None if all is as it should be.
    pub(crate) fn damage(&self) -> Option<Damage> {
        let share = self.lost as f64 / self.mcus.max(1) as f64;
        (self.damaged || self.lost > 0).then_some(Damage { share })
    }
}
