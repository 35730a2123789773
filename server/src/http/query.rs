//! The query of a request. Unknown parameters are refused, as JSON:API requires.

use axum::extract::FromRequestParts;
use filepress_wire::ErrorCode;
use http::request::Parts;
use percent_encoding::percent_decode_str;

use super::error::{ApiError, Result};

/// The parameters in their order, decoded (application/x-www-form-urlencoded).
///
/// # Errors
/// 400 if a name or value is not UTF-8.
pub fn parameters(query: &str) -> Result<Vec<(String, String)>> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decode(name)?, decode(value)?))
        })
        .collect()
}

fn decode(text: &str) -> Result<String> {
    let text = text.replace('+', " ");
    let decoded = percent_decode_str(&text).decode_utf8();
    let malformed = |_| ApiError::new(ErrorCode::InvalidParameter, "The query must be UTF-8.");
    decoded.map(String::from).map_err(malformed)
}

/// The error for an unknown parameter.
pub fn unknown(name: &str) -> ApiError {
    let detail = format!("This path has no query parameter {name:?}.");
    ApiError::new(ErrorCode::UnknownParameter, detail).parameter(name)
}

/// An extractor that refuses requests with query parameters.
#[derive(Debug, Clone, Copy)]
pub struct NoQuery;

impl<S: Sync> FromRequestParts<S> for NoQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        let parameters = parameters(parts.uri.query().unwrap_or_default())?;
        parameters.first().map_or(Ok(Self), |(name, _)| Err(unknown(name)))
    }
}
