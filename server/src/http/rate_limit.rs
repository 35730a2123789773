//! Applies the rate limit of a key and reports it in the headers of every response.

use http::{HeaderMap, HeaderName, HeaderValue};

use super::error::Result;
use crate::app::App;
use crate::store::{RateDecision, RateLimit, StoreError};

const X_RATELIMIT_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const X_RATELIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");

/// Counts a call of the key with this hash. While the disk is full every call is allowed: results can still be downloaded, and
/// requests that need disk space are refused anyway.
///
/// # Errors
/// 500 if the database fails.
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

/// Adds headers with the calls per minute and the calls that are allowed at once now.
pub fn write_headers(headers: &mut HeaderMap, limit: u32, rate: RateDecision) {
    headers.insert(X_RATELIMIT_LIMIT, HeaderValue::from(limit));
    headers.insert(X_RATELIMIT_REMAINING, HeaderValue::from(rate.remaining));
}
