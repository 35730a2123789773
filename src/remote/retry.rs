//! The retry policy: a pure function of attempts, elapsed time, `Retry-After` and a random number.

use super::Millis;

/// How often requests are retried, and after which delays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryPolicy {
    /// Retries after the first attempt. Default 5.
    pub attempts: u32,
    /// Upper bound of the first random delay; it doubles with each attempt. Default 500 ms.
    pub min_delay: Millis,
    /// Upper bound of any random delay; `Retry-After` may be longer. Default 20 s.
    pub max_delay: Millis,
    /// Time since the first attempt after which none begins. Default 120 s.
    pub deadline: Millis,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 5, min_delay: 500.0, max_delay: 20_000.0, deadline: 120_000.0 }
    }
}

impl RetryPolicy {
    /// The delay before the next attempt, or `None` if there is none. `failed` attempts were made, the first of them `elapsed` ago;
    /// `random` is 0 to 1.
    ///
    /// Exponential backoff with full jitter: clients that failed together do not retry together.
    pub fn delay(
        &self,
        failed: u32,
        elapsed: Millis,
        retry_after: Option<Millis>,
        random: f64,
    ) -> Option<Millis> {
        if failed > self.attempts {
            return None;
        }
        let doubled = f64::from(1_u32 << (failed.saturating_sub(1)).min(20));
        let delay = retry_after.unwrap_or(random * (self.min_delay * doubled).min(self.max_delay));
        (elapsed + delay <= self.deadline).then_some(delay)
    }
}

/// Whether a request with this status may succeed later (RFC 9110, section 15; RFC 8470; RFC 6585).
pub(super) const fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_bound() {
        let policy = RetryPolicy { attempts: 50, deadline: f64::INFINITY, ..RetryPolicy::default() };
        let longest = |failed| policy.delay(failed, 0.0, None, 1.0);
        assert_eq!(
            [1, 2, 3, 6, 7, 50].map(longest),
            [500.0, 1000.0, 2000.0, 16_000.0, 20_000.0, 20_000.0].map(Some)
        );
        assert_eq!(policy.delay(3, 0.0, None, 0.25), Some(500.0));
        assert_eq!(policy.delay(3, 0.0, None, 0.0), Some(0.0));
    }

    #[test]
    fn retry_after_overrides_the_random_delay() {
        assert_eq!(RetryPolicy::default().delay(1, 0.0, Some(90_000.0), 0.0), Some(90_000.0));
    }

    #[test]
    fn attempts_and_time_are_bounded() {
        let policy = RetryPolicy { attempts: 2, ..RetryPolicy::default() };
        assert_eq!(policy.delay(3, 0.0, None, 0.0), None);
        assert_eq!(policy.delay(1, 0.0, Some(120_001.0), 0.0), None);
        assert_eq!(policy.delay(1, 119_000.0, None, 0.0), Some(0.0));
        assert_eq!(policy.delay(1, 121_000.0, None, 0.0), None);
        let never = RetryPolicy { attempts: 0, ..policy };
        assert_eq!(never.delay(1, 0.0, Some(0.0), 0.0), None);
    }
}
