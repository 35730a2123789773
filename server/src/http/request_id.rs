//! The id of a request, in its response, in errors and in the log.

use std::fmt;

use http::{HeaderName, HeaderValue};

use super::api_key::ApiKey;

/// `X-Request-Id`.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const MAX_LENGTH: usize = 128;

/// The id of a request: the client's if it sent a valid one, else a UUID. An extension of each request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// Generates an id.
    pub fn random() -> Self {
        // The service does not start without random numbers; if they fail later, the id is empty.
        Self(crate::ids::uuid().unwrap_or_default())
    }

    /// The client's id: 1 to 128 letters, digits, `-`, `_` and `.`, so that it cannot inject lines or markup into logs.
    pub fn from_header(value: &HeaderValue) -> Option<Self> {
        let text = value.to_str().ok()?;
        let proper = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let fits = (1..=MAX_LENGTH).contains(&text.len()) && text.bytes().all(proper);
        // An API key sent in the wrong header must not get into the log.
        let fits = fits && !ApiKey::is_in(text);
        fits.then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
