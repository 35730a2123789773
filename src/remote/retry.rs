//! When a request is made again: a function of what happened, how often, for how long, and of chance.

use super::Millis;

/// How often and how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryPolicy {
    /// Further attempts after the first.
    pub attempts: u32,
    /// What the random delay begins with.
    pub min_delay: Millis,
    /// The most that a random delay is. A service may ask for more.
    pub max_delay: Millis,
    /// Time since the first attempt after which no further one begins.
    pub deadline: Millis,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 5, min_delay: 500.0, max_delay: 20_000.0, deadline: 120_000.0 }
    }
}

impl RetryPolicy {
    /// The delay before the next attempt, or `None` when there is none: `made` attempts failed, the first began `elapsed` ago,
    /// the service asked to wait for `asked`, and `random` is from 0 to 1.
    ///
    /// Exponential with full jitter, so that clients which failed together do not come back together.
    pub fn delay(&self, made: u32, elapsed: Millis, asked: Option<Millis>, random: f64) -> Option<Millis> {
        if made > self.attempts {
            return None;
        }
        let doubled = f64::from(1_u32 << (made.saturating_sub(1)).min(20));
        let delay = asked.unwrap_or(random * (self.min_delay * doubled).min(self.max_delay));
        (elapsed + delay <= self.deadline).then_some(delay)
    }
}

/// Statuses after which the same request may succeed (RFC 9110, section 15; RFC 8470; RFC 6585).
pub(super) const fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_bound() {
        let policy = RetryPolicy { attempts: 50, deadline: f64::INFINITY, ..RetryPolicy::default() };
        let most = |made| policy.delay(made, 0.0, None, 1.0);
        assert_eq!(
            [1, 2, 3, 6, 7, 50].map(most),
            [500.0, 1000.0, 2000.0, 16_000.0, 20_000.0, 20_000.0].map(Some)
        );
        assert_eq!(policy.delay(3, 0.0, None, 0.25), Some(500.0));
        assert_eq!(policy.delay(3, 0.0, None, 0.0), Some(0.0));
    }

    #[test]
    fn the_service_is_asked_first() {
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
