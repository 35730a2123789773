//! Rate limiting by the generic cell rate algorithm (GCRA), which spaces calls evenly and allows bursts. Its state is one timestamp
//! per key in the database, so that it survives restarts and is shared between processes.

use std::time::Duration;

use super::Store;
use super::engine::query;
use super::error::Result;
use crate::clock::Timestamp;

const MINUTE: i64 = 60_000_000_000;
/// By how much the times of two calls may be out of order: the clocks of two servers differ, and a thread may pause between its clock and
/// the database.
const DISORDER: i64 = MINUTE;

/// The rate limit of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Calls per minute in the long run, at least 1.
    pub per_minute: u32,
    /// Calls at once after a pause, at least 1.
    pub burst: u32,
}

/// Whether a call is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateDecision {
    /// Calls that are allowed at once now.
    pub remaining: u32,
    /// The call is refused: how long to wait until the next is allowed.
    pub wait: Option<Duration>,
}

impl RateLimit {
    /// Time between calls in nanoseconds (the emission interval of GCRA).
    fn emission_interval(self) -> i64 {
        (MINUTE / i64::from(self.per_minute.max(1))).max(1)
    }

    /// How far the theoretical arrival time may lie in the future after an allowed call.
    fn burst_tolerance(self) -> i64 {
        self.emission_interval().saturating_mul(i64::from(self.burst.max(1)))
    }
}

impl Store {
    /// Counts a call of the key with this hash, if it is allowed.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn check_rate_limit(
        &self,
        key: &[u8; 32],
        quota: RateLimit,
        now: Timestamp,
    ) -> Result<RateDecision> {
        let (emission_interval, burst_tolerance) = (quota.emission_interval(), quota.burst_tolerance());
        // An arrival time further in the future than any call can set means that the clock was set back; it is ignored. One that is only
        // a little further was set by a later call that came first.
        let latest = now.0.saturating_add(burst_tolerance).saturating_add(DISORDER);
        let arrival: Option<i64> = query(
            "INSERT INTO rates (hash, arrival) VALUES (?, ?)
             ON CONFLICT (hash) DO UPDATE SET arrival = CASE
                 WHEN rates.arrival > ? AND rates.arrival <= ? THEN rates.arrival + ? ELSE excluded.arrival END
             WHERE rates.arrival <= ? OR rates.arrival > ?
             RETURNING arrival",
        )
        .bind(key.as_slice())
        .bind(now.0.saturating_add(emission_interval))
        .bind(now.0)
        .bind(latest)
        .bind(emission_interval)
        .bind(now.0.saturating_add(burst_tolerance - emission_interval))
        .bind(latest)
        .scalar_optional(&self.counts)
        .await?;
        if let Some(arrival) = arrival {
            let left = now.0.saturating_add(burst_tolerance).saturating_sub(arrival) / emission_interval;
            return Ok(RateDecision { remaining: u32::try_from(left).unwrap_or(0), wait: None });
        }
        let arrival: Option<i64> = query("SELECT arrival FROM rates WHERE hash = ?")
            .bind(key.as_slice())
            .scalar_optional(&self.reads)
            .await?;
        let free = arrival.unwrap_or(now.0).saturating_sub(burst_tolerance - emission_interval);
        let wait = u64::try_from(free.saturating_sub(now.0)).unwrap_or(0);
        Ok(RateDecision { remaining: 0, wait: Some(Duration::from_nanos(wait.max(1))) })
    }
}
