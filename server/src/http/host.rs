//! The header `Host` (RFC 9112, section 3.2): a request of HTTP/1.1 has exactly one.

use axum::extract::Request;
use filepress_wire::ErrorCode;
use http::Version;
use http::header::HOST;
use http::uri::Authority;

use super::error::{ApiError, Result};

/// That the request names one host. Which one does not matter: links are made from `public-url`.
///
/// # Errors
/// 400 where it names none, several, or something else than a host.
pub fn check(request: &Request) -> Result<()> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (first, further) = (hosts.next(), hosts.next());
    let problem = match first {
        _ if further.is_some() => "This request has several Host headers.",
        None if request.version() < Version::HTTP_11 => return Ok(()),
        None => "This request has no Host header.",
        // Empty is allowed where the target has no authority.
        Some(host) if host.is_empty() => return Ok(()),
        Some(host) => match Authority::try_from(host.as_bytes()) {
            Ok(authority) if !authority.as_str().contains('@') => return Ok(()),
            _ => "The Host header names no host.",
        },
    };
    Err(ApiError::new(ErrorCode::MalformedRequest, problem).header_source("Host"))
}
