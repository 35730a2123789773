//! How often a key may call, as it is told in the headers of every answer.

use http::{HeaderMap, HeaderName, HeaderValue};

use super::error::Result;
use crate::app::App;
use crate::store::{RateDecision, RateLimit, StoreError};

const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");

/// Counts a call of the key with this hash. While the disk is full every call is let through: results can be fetched, and whatever
/// needs room is refused by itself.
///
/// # Errors
/// 500 where the database fails.
pub async fn check(app: &App, key: &[u8; 32]) -> Result<RateDecision> {
    let quota = RateLimit {
        per_minute: app.config.rate_limit,
        burst: app.config.rate_burst.min(app.config.rate_limit),
    };
    match app.store.check_rate_limit(key, quota, app.clock.now()).await {
        Err(StoreError::Full) => Ok(RateDecision { remaining: quota.burst, wait: None }),
        counted => Ok(counted?),
    }
}

/// Tells the client: calls a minute, and how many may be made at once now.
pub fn write_headers(headers: &mut HeaderMap, limit: u32, rate: RateDecision) {
    headers.insert(X_RATELIMIT_LIMIT, HeaderValue::from(limit));
    headers.insert(X_RATELIMIT_REMAINING, HeaderValue::from(rate.remaining));
}
