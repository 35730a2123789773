//! How often a key may call: a bucket that holds a minute's calls and fills evenly.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use http::{HeaderMap, HeaderName, HeaderValue};

const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");

/// The calls of each key, by the hash of the key. Holds no more than there are valid keys.
pub struct Rates {
    limit: NonZeroU32,
    limiter: RateLimiter<[u8; 32], DashMapStateStore<[u8; 32]>, DefaultClock, StateInformationMiddleware>,
}

/// What a call is told of the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    limit: u32,
    remaining: u32,
}

impl Rates {
    /// This many calls a minute, at least 1.
    pub fn new(limit: u32) -> Self {
        let limit = NonZeroU32::new(limit).unwrap_or(NonZeroU32::MIN);
        let limiter = RateLimiter::dashmap(Quota::per_minute(limit)).with_middleware();
        Self { limit, limiter }
    }

    /// Counts a call; where it is one too many, the time until the next may be made.
    pub fn count(&self, key: &[u8; 32]) -> (Rate, Option<Duration>) {
        let limit = self.limit.get();
        match self.limiter.check_key(key) {
            Ok(state) => (Rate { limit, remaining: state.remaining_burst_capacity() }, None),
            Err(refused) => {
                let wait = refused.wait_time_from(self.limiter.clock().now());
                (Rate { limit, remaining: 0 }, Some(wait))
            }
        }
    }
}

impl Rate {
    /// Tells the client.
    pub fn write(self, headers: &mut HeaderMap) {
        headers.insert(X_RATELIMIT_LIMIT, HeaderValue::from(self.limit));
        headers.insert(X_RATELIMIT_REMAINING, HeaderValue::from(self.remaining));
    }
}
