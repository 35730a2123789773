//! How long frames are shown, in the units of each type.

const NANOS: i64 = 1_000_000_000;

/// Browsers show a frame that is to be shown for so long or less for a tenth of a second instead.
const HURRIED: i64 = NANOS / 100;

/// A fraction of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delay {
    pub(crate) numerator: u32,
    /// Not 0.
    pub(crate) denominator: u32,
}

impl Delay {
    /// For what is not shown in turn.
    pub(crate) const NONE: Self = Self { numerator: 0, denominator: 1 };

    fn nanos(self) -> i64 {
        i64::from(self.numerator) * NANOS / i64::from(self.denominator.max(1))
    }
}

/// Turns delays into whole ticks, so that the errors of rounding do not add up.
pub(crate) struct Clock {
    /// Nanoseconds.
    tick: i64,
    /// Nanoseconds that the ticks so far fall short of, or are over if negative.
    owed: i64,
}

impl Clock {
    pub(crate) fn new(ticks_per_second: i64) -> Self {
        Self { tick: NANOS / ticks_per_second, owed: 0 }
    }

    /// The ticks of the next delay. 0 stays 0. What browsers show as long as it asks for stays over [`HURRIED`]:
    /// rounded down to that, a fast animation would become a slow one.
    pub(crate) fn ticks(&mut self, delay: Delay) -> u32 {
        let nanos = delay.nanos();
        if nanos == 0 {
            return 0;
        }
        let least = if nanos <= HURRIED { 1 } else { HURRIED / self.tick + 1 };
        let wanted = nanos + self.owed;
        let rounded = (wanted + self.tick / 2).div_euclid(self.tick);
        self.owed = if rounded < least { 0 } else { wanted - rounded * self.tick };
        u32::try_from(rounded.max(least)).unwrap_or(u32::MAX)
    }

    /// Whether two frames of so many ticks may become one of both: only where browsers show them as long as they ask
    /// for.
    pub(crate) fn adds(&self, a: u32, b: u32) -> bool {
        i64::from(a.min(b)) * self.tick > HURRIED
    }
}
