//! The meaning of a response: the expected primary data, or an error.

use std::borrow::Cow;

use super::json::{at, text_at};
use super::redact::redact;
use super::retry::is_transient;
use super::{Error, Json, Millis, Result, Source, TransportError};

/// A successful response with its document.
pub(super) struct ApiResponse<J> {
    pub(super) document: J,
    /// The delay that the server asks for before the next request.
    pub(super) retry_after: Option<Millis>,
}

/// An attempt that failed.
pub(super) struct AttemptError<J> {
    pub(super) error: Error<J>,
    /// The value of `Retry-After`.
    pub(super) retry_after: Option<Millis>,
    /// The server refused a token that can be renewed.
    pub(super) token_refused: bool,
    /// Another attempt may succeed within this call, whether or not the error is retryable for the caller.
    pub(super) retry: bool,
}

impl<J> From<Error<J>> for AttemptError<J> {
    fn from(error: Error<J>) -> Self {
        Self { retry: error.retryable, error, retry_after: None, token_refused: false }
    }
}

impl<J> AttemptError<J> {
    /// The error of an attempt without a response; `None` is a timeout.
    pub(super) fn no_response(cause: Option<TransportError>, secret: &str) -> Self {
        let (code, message) = match cause {
            None => (Error::<J>::TIMEOUT, "The server did not answer in time.".to_owned()),
            Some(TransportError::Network(cause)) => {
                let cause = redact(&cause, secret);
                (Error::<J>::NETWORK, ["The server cannot be reached (", &cause, ")."].concat())
            }
            Some(TransportError::Token(cause)) => {
                let cause = redact(&cause, secret);
                (Error::<J>::NO_TOKEN, ["getToken gave no usable token (", &cause, ")."].concat())
            }
        };
        Error { retryable: code != Error::<J>::NO_TOKEN, ..Error::new(code, message) }.into()
    }
}

/// Status and headers of a response.
pub(super) struct ResponseHead {
    pub(super) status: u16,
    pub(super) retry_after: Option<Millis>,
    pub(super) request_id: Option<String>,
}

impl ResponseHead {
    /// The response, if its status is 2xx and its document holds the expected data.
    pub(super) fn check<J: Json>(
        self,
        document: Option<J>,
        expected: PrimaryData<'_>,
        secret: &str,
    ) -> Result<ApiResponse<J>, AttemptError<J>> {
        if !(200..300).contains(&self.status) {
            return Err(self.error(document, secret));
        }
        let document = match expected {
            PrimaryData::None => Some(J::object(&[])),
            _ => document.filter(|document| expected.is_in(document)),
        };
        match document {
            Some(document) => Ok(ApiResponse { document, retry_after: self.retry_after }),
            None => Err(self.unexpected(expected).into()),
        }
    }

    /// The error for a document without the expected data.
    fn unexpected<J>(self, expected: PrimaryData<'_>) -> Error<J> {
        let kind = expected.kind();
        let message = format!("The server answered {} without {kind}.", u64::from(self.status));
        Error {
            status: Some(self.status),
            request_id: self.request_id,
            ..Error::new(Error::<J>::BAD_ANSWER, message)
        }
    }

    /// The error for a status that is not 2xx, from its document.
    pub(super) fn error<J: Json>(self, document: Option<J>, secret: &str) -> AttemptError<J> {
        let errors = document.and_then(|document| document.get("errors"));
        let object = errors.and_then(|errors| errors.items().into_iter().next());
        // A server that quotes the request may quote the key.
        let text_of = |path: &[&str]| {
            let text = text_at(object.as_ref()?, path)?;
            Some(redact(&text, secret))
        };
        let text = |name: &str| text_of(&[name]);
        let source = |name: &str| text_of(&["source", name]);
        let detail = text("detail").filter(|detail| !detail.is_empty()).or_else(|| text("title"));
        // Formatted as u64, like other numbers: each integer width adds code of its own.
        let status = u64::from(self.status);
        let message = match detail {
            _ if matches!(self.status, 0 | 300..=399) => {
                format!("The server redirects ({status}): give its final address as baseUrl.")
            }
            None => format!("The server answered {status}."),
            Some(detail) => format!("The server answered {status}: {detail}"),
        };
        let code = text("code").filter(|code| !code.is_empty() && code.len() <= 100);
        // A request with the same key is in progress: its response will be available soon.
        let in_flight = code.as_deref() == Some("idempotency_in_flight");
        let error = Error {
            code: code.map_or(Cow::Borrowed(Error::<J>::HTTP_ERROR), Cow::Owned),
            status: Some(self.status),
            request_id: self.request_id.or_else(|| text("id")),
            source: Source {
                pointer: source("pointer"),
                parameter: source("parameter"),
                header: source("header"),
            },
            retryable: is_transient(self.status) || in_flight,
            ..Error::new("", message)
        };
        AttemptError { retry_after: self.retry_after, ..error.into() }
    }
}

/// The primary data (JSON:API 1.1, "Top Level") that a response must have.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PrimaryData<'a> {
    /// None: the resource is deleted.
    None,
    /// A resource of that type.
    Resource(&'a str),
    /// An array of resources of that type.
    Collection(&'a str),
}

impl PrimaryData<'_> {
    fn is_in<J: Json>(self, document: &J) -> bool {
        let is = |data: &J, kind| {
            text_at(data, &["type"]).as_deref() == Some(kind) && text_at(data, &["id"]).is_some()
        };
        let Some(data) = at(document, &["data"]) else { return false };
        match self {
            Self::None => true,
            Self::Resource(kind) => is(&data, kind),
            Self::Collection(kind) => data.is_list() && data.items().iter().all(|item| is(item, kind)),
        }
    }

    fn kind(&self) -> &str {
        match self {
            Self::None => "",
            Self::Resource(kind) | Self::Collection(kind) => kind,
        }
    }
}
