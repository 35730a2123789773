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

/// The headers of requests of tus.
const TUS_REQUEST: [HeaderName; 5] = [
    HeaderName::from_static("tus-resumable"),
    HeaderName::from_static("upload-checksum"),
    HeaderName::from_static("upload-length"),
    HeaderName::from_static("upload-metadata"),
    HeaderName::from_static("upload-offset"),
];
/// The headers of responses of tus.
const TUS_RESPONSE: [HeaderName; 8] = [
    HeaderName::from_static("tus-checksum-algorithm"),
    HeaderName::from_static("tus-extension"),
    HeaderName::from_static("tus-max-size"),
    HeaderName::from_static("tus-resumable"),
    HeaderName::from_static("tus-version"),
    HeaderName::from_static("upload-expires"),
    HeaderName::from_static("upload-length"),
    HeaderName::from_static("upload-offset"),
];

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
    let allowed = [
        ACCEPT,
        AUTHORIZATION,
        CONTENT_TYPE,
        HeaderName::from_static("idempotency-key"),
        HeaderName::from_static("x-request-id"),
    ];
    let exposed: Vec<HeaderName> = exposed.into_iter().chain(TUS_RESPONSE).collect();
    let allowed: Vec<HeaderName> = allowed.into_iter().chain(TUS_REQUEST).collect();
    let layer = || {
        CorsLayer::new()
            .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
            .allow_headers(allowed.clone())
            .expose_headers(exposed.clone())
            .max_age(PREFLIGHT_AGE)
    };
    (!origins.is_empty()).then(|| layer().allow_origin(AllowOrigin::list(origins)))
}

/// The CORS layer of resumable uploads. Clients of tus send the headers of the first request, the key among them, with all that follow.
pub fn uploads() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::HEAD, Method::PATCH, Method::DELETE])
        .allow_headers(
            [AUTHORIZATION, CONTENT_TYPE, HeaderName::from_static("x-request-id")]
                .into_iter()
                .chain(TUS_REQUEST)
                .collect::<Vec<_>>(),
        )
        .expose_headers(
            [RETRY_AFTER, HeaderName::from_static("x-request-id")]
                .into_iter()
                .chain(TUS_RESPONSE)
                .collect::<Vec<_>>(),
        )
        .max_age(PREFLIGHT_AGE)
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
