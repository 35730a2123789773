//! Checks the `Host` header (RFC 9112, section 3.2): an HTTP/1.1 request has exactly one.

use axum::extract::Request;
use filepress_wire::ErrorCode;
use http::Version;
use http::header::HOST;
use http::uri::Authority;

use super::error::{ApiError, Result};

/// Checks that the request names one host. Any host is accepted: links are built from `public-url`.
///
/// # Errors
/// 400 if there is none, several, or an invalid one.
pub fn check(request: &Request) -> Result<()> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (first, further) = (hosts.next(), hosts.next());
    let problem = match first {
        _ if further.is_some() => "The request has several Host headers.",
        None if request.version() < Version::HTTP_11 => return Ok(()),
        None => "The request has no Host header.",
        // An empty host is allowed if the request target has no authority.
        Some(host) if host.is_empty() => return Ok(()),
        Some(host) => match Authority::try_from(host.as_bytes()) {
            Ok(authority) if !authority.as_str().contains('@') => return Ok(()),
            _ => "The Host header is not a valid host.",
        },
    };
    Err(ApiError::new(ErrorCode::MalformedRequest, problem).header_source("Host"))
}
