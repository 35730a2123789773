//! The operator's page. Its files are part of the program, and it loads nothing from elsewhere.

use axum::response::{IntoResponse, Response};
use http::HeaderName;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};

/// Only these files, no text as code, no frames around the page, no form that a browser sends by itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// `GET /`
pub(super) async fn document() -> Response {
    file("text/html; charset=utf-8", include_str!("page/index.html"))
}

/// `GET /page.css`
pub(super) async fn style() -> Response {
    file("text/css; charset=utf-8", include_str!("page/page.css"))
}

/// `GET /page.js`
pub(super) async fn script() -> Response {
    file("text/javascript; charset=utf-8", include_str!("page/page.js"))
}

/// `GET /icon.svg`
pub(super) async fn icon() -> Response {
    file("image/svg+xml", include_str!("page/icon.svg"))
}

fn file(content_type: &'static str, text: &'static str) -> Response {
    let headers = [
        (CONTENT_TYPE, content_type),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}
