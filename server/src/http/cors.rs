//! CORS: the API allows the configured origins; signed URLs of file contents allow all origins, because the signature grants the
//! access. Credentials (cookies) are never allowed.

use std::time::Duration;

use http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
    IF_NONE_MATCH, IF_RANGE, LOCATION, RANGE, RETRY_AFTER,
};
use http::{HeaderName, HeaderValue, Method};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

const PREFLIGHT_AGE: Duration = Duration::from_secs(3600);

/// The CORS layer of the API; `None` if no origin is configured, so that browsers refuse.
pub fn api(origins: &[String]) -> Option<CorsLayer> {
    let origins: Vec<HeaderValue> = origins.iter().filter_map(|origin| origin.parse().ok()).collect();
    let exposed = [
        LOCATION,
        RETRY_AFTER,
        HeaderName::from_static("x-request-id"),
        HeaderName::from_static("x-ratelimit-limit"),
        HeaderName::from_static("x-ratelimit-remaining"),
    ];
    let layer = || {
        CorsLayer::new()
            .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
            .allow_headers([
                ACCEPT,
                AUTHORIZATION,
                CONTENT_TYPE,
                HeaderName::from_static("idempotency-key"),
                HeaderName::from_static("x-request-id"),
            ])
            .expose_headers(exposed)
            .max_age(PREFLIGHT_AGE)
    };
    (!origins.is_empty()).then(|| layer().allow_origin(AllowOrigin::list(origins)))
}

/// The CORS layer of file contents.
pub fn bytes() -> CorsLayer {
    let exposed = [
        CONTENT_DISPOSITION,
        CONTENT_LENGTH,
        CONTENT_RANGE,
        ETAG,
        RETRY_AFTER,
        HeaderName::from_static("x-request-id"),
    ];
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::PUT])
        .allow_headers([
            CONTENT_TYPE,
            IF_NONE_MATCH,
            IF_RANGE,
            RANGE,
            HeaderName::from_static("x-request-id"),
        ])
        .expose_headers(exposed)
        .max_age(PREFLIGHT_AGE)
}
