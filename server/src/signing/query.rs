//! The query string of a signed URL, and the message that is signed.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// `expires=…&length=…&kid=…&signature=…`, in this order and without other parameters.
#[derive(Clone)]
pub(super) struct Query {
    /// Seconds since 1970.
    pub(super) expires: i64,
    pub(super) length: Option<u64>,
    pub(super) key: String,
    pub(super) signature: Vec<u8>,
}

impl Query {
    /// Parses exactly the form that [`Display`](fmt::Display) writes, so that a signature is valid for only one URL.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::read(text).filter(|query| query.to_string() == text)
    }

    fn read(query: &str) -> Option<Self> {
        let mut parts = query.split('&').peekable();
        let expires = parts.next()?.strip_prefix("expires=")?.parse().ok()?;
        let length = match parts.next_if(|part| part.starts_with("length=")) {
            Some(part) => Some(part.strip_prefix("length=")?.parse().ok()?),
            None => None,
        };
        let key = parts.next()?.strip_prefix("kid=")?.to_owned();
        let signature = URL_SAFE_NO_PAD.decode(parts.next()?.strip_prefix("signature=")?).ok()?;
        parts.next().is_none().then_some(Self { expires, length, key, signature })
    }

    /// The signed message. Each value has its own line, so that different values cannot give the same message.
    pub(super) fn message(&self, method: &str, path: &str) -> String {
        let length = self.length.map_or_else(|| "-".to_owned(), |length| length.to_string());
        format!("filepress-url\n{method}\n{path}\n{}\n{length}\n{}", self.expires, self.key)
    }
}

impl fmt::Display for Query {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "expires={}", self.expires)?;
        if let Some(length) = self.length {
            write!(formatter, "&length={length}")?;
        }
        write!(formatter, "&kid={}&signature={}", self.key, URL_SAFE_NO_PAD.encode(&self.signature))
    }
}
