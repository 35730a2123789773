//! The time as a dependency, so that tests of retention, leases and signatures can use a manual clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use time::OffsetDateTime;

/// A point in time in UTC, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The time `span` later.
    pub fn after(self, span: Duration) -> Self {
        Self(self.0.saturating_add(nanoseconds(span)))
    }

    /// The time `span` earlier.
    pub fn before(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(nanoseconds(span)))
    }

    /// The duration since `earlier`; zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// A number of seconds since 1970.
    pub fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1_000_000_000))
    }

    /// Whole seconds since 1970.
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000_000)
    }

    /// RFC 3339 in whole seconds, as files show it: `2026-01-02T03:04:05Z`.
    pub fn to_seconds_text(self) -> String {
        self.text(0)
    }

    /// RFC 3339 in microseconds, as tasks show it: `2026-01-02T03:04:05.000006Z`.
    pub fn to_micros_text(self) -> String {
        self.text(6)
    }

    /// RFC 3339 in nanoseconds, as cursors show it.
    pub fn to_nanos_text(self) -> String {
        self.text(9)
    }

    fn text(self, digits: usize) -> String {
        let moment =
            OffsetDateTime::from_unix_timestamp_nanos(self.0.into()).unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let (year, month, day) = moment.to_calendar_date();
        let (hour, minute, second, nano) = moment.to_hms_nano();
        let whole = format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}", u8::from(month));
        match digits {
            0 => format!("{whole}Z"),
            6 => format!("{whole}.{:06}Z", nano / 1000),
            _ => format!("{whole}.{nano:09}Z"),
        }
    }
}

fn nanoseconds(span: Duration) -> i64 {
    i64::try_from(span.as_nanos()).unwrap_or(i64::MAX)
}

/// A source of the current time.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the system clock")]
    fn now(&self) -> Timestamp {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp(nanoseconds(now))
    }
}

/// A clock for tests that moves only by [`ManualClock::advance`].
#[derive(Debug, Clone, Default)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// A clock that shows `start`.
    pub fn at(start: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(start.0)))
    }

    /// Moves it forward.
    pub fn advance(&self, span: Duration) {
        self.0.fetch_add(nanoseconds(span), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, Duration, ManualClock, Timestamp};

    #[test]
    fn timestamps_are_formatted_in_three_precisions() {
        let moment = Timestamp(1_767_323_045_000_006_789);
        assert_eq!(moment.to_seconds_text(), "2026-01-02T03:04:05Z");
        assert_eq!(moment.to_micros_text(), "2026-01-02T03:04:05.000006Z");
        assert_eq!(moment.to_nanos_text(), "2026-01-02T03:04:05.000006789Z");
        assert_eq!(moment.seconds(), 1_767_323_045);
        assert_eq!(Timestamp(-1).seconds(), -1);
        assert_eq!(Timestamp(-1).to_nanos_text(), "1969-12-31T23:59:59.999999999Z");
    }

    #[test]
    fn arithmetic_saturates() {
        let (first, last) = (Timestamp(i64::MIN), Timestamp(i64::MAX));
        assert_eq!(last.after(Duration::MAX), last);
        assert_eq!(first.before(Duration::MAX), first);
        assert_eq!(first.since(last), Duration::ZERO);
        assert_eq!(Timestamp(5).since(Timestamp(3)), Duration::from_nanos(2));
    }

    #[test]
    fn clones_of_a_manual_clock_share_the_time() {
        let clock = ManualClock::at(Timestamp(7));
        let other = clock.clone();
        clock.advance(Duration::from_nanos(3));
        assert_eq!(other.now(), Timestamp(10));
    }
}
