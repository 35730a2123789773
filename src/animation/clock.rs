//! Frame durations in the ticks of each format.

const NANOS: i64 = 1_000_000_000;

/// Browsers show a frame with this duration or less for a tenth of a second instead.
const SLOWED_BY_BROWSERS: i64 = NANOS / 100;

/// A duration as a fraction of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delay {
    pub(crate) numerator: u32,
    /// The denominator, not 0.
    pub(crate) denominator: u32,
}

impl Delay {
    /// The duration of a still picture.
    pub(crate) const NONE: Self = Self { numerator: 0, denominator: 1 };

    fn nanos(self) -> i64 {
        i64::from(self.numerator) * NANOS / i64::from(self.denominator.max(1))
    }
}

/// Converts durations to whole ticks so that rounding errors do not accumulate.
pub(crate) struct Clock {
    /// The length of a tick in nanoseconds.
    tick: i64,
    /// The rounding error so far, in nanoseconds.
    error: i64,
}

impl Clock {
    pub(crate) fn new(ticks_per_second: i64) -> Self {
        Self { tick: NANOS / ticks_per_second, error: 0 }
    }

    /// The ticks of the next duration. 0 stays 0. A duration above [`SLOWED_BY_BROWSERS`] is not rounded down to it: browsers
    /// would make a fast animation slow.
    pub(crate) fn ticks(&mut self, delay: Delay) -> u32 {
        let nanos = delay.nanos();
        if nanos == 0 {
            return 0;
        }
        let least = if nanos <= SLOWED_BY_BROWSERS { 1 } else { SLOWED_BY_BROWSERS / self.tick + 1 };
        let wanted = nanos + self.error;
        let rounded = (wanted + self.tick / 2).div_euclid(self.tick);
        self.error = if rounded < least { 0 } else { wanted - rounded * self.tick };
        u32::try_from(rounded.max(least)).unwrap_or(u32::MAX)
    }

    /// Whether two frames can be merged into one of both durations: only if browsers show them for as long as the file
    /// says.
    pub(crate) fn can_merge(&self, a: u32, b: u32) -> bool {
        i64::from(a.min(b)) * self.tick > SLOWED_BY_BROWSERS
    }
}
